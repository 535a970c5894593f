import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/lib/openapi.ts';
import { viewerDocumentRoutes } from '../../../src/rest/documents/viewer-routes.ts';
import { AREAS } from '../../../src/rest/openapi/areas.ts';
import { exampleOf } from '../../../src/rest/openapi/schema.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { answerFaults, checkAnswer, description } from '../../support/description.ts';

const allRoutes = [...restRoutes, ...viewerDocumentRoutes];

const operations = Object.entries(description.paths).flatMap(
  ([path, { servers: _, parameters: __, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as Operation,
    })),
);

describe('the description of REST v1', () => {
  it('is valid OpenAPI 3.1, and all that it refers to is there', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(description) });
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('has every row under its paths, the aliases as older ones, and nothing else', () => {
    const there = operations.map(({ path, method, operation }) => [
      `${method} ${path}`,
      operation.operationId.replace(/Alias$/, ''),
      operation.deprecated ?? false,
    ]);
    const expected = allRoutes.flatMap(({ id, method, path, aliases = [] }) =>
      [path, ...aliases].map((each) => [
        `${method.toLowerCase()} ${each.replace(/:(\w+)/g, '{$1}')}`,
        id,
        each !== path,
      ]),
    );
    expect(there.sort()).toEqual(expected.sort());
  });

  it('asks for the scope of what a row runs, and takes a public link where the row does', () => {
    const security = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation.security;
    expect(security('listDocuments')).toEqual([{ bearer: [] }, { oauth2: ['read'] }]);
    expect(security('updateDocument')).toEqual([{ bearer: [] }, { oauth2: ['write'] }]);
    expect(security('reserveDocumentUpload')).toEqual([{ bearer: [] }, { oauth2: ['write'] }]);
    expect(security('submitPublicForm')).toEqual([{ publicLink: [] }, { bearer: [] }, { oauth2: ['write'] }]);
    expect(security('approveApprovalsAlias')).toEqual(security('approveApprovals'));
  });

  it('has examples that are as it says', () => {
    const faults = operations.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, response]) => {
        const example = 'content' in response && response.content?.['application/json']?.example;
        return example ? answerFaults(path, method, status, example) : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('says what every member means, and has a sample for it', () => {
    const silent = Object.entries(description.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([member, schema]) =>
        schema.description ? [] : `${name}.${member}`,
      ),
    );
    expect(silent).toEqual([]);
    expect(exampleOf('Document')).toMatchObject({ Name: 'permit-44.pdf', PurgeDate: '0001-01-01T00:00:00Z' });
  });

  it('says nothing of what no row does', () => {
    const served = new Set(allRoutes.map(({ id }) => id));
    const unserved = AREAS.filter(({ operations: said }) => Object.keys(said).some((id) => !served.has(id)));
    expect(unserved.map(({ title }) => title)).toEqual([]);
  });

  it('knows no operation twice', () => {
    const ids = AREAS.flatMap((area) => Object.keys(area.operations));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the check of answers', () => {
  const path = '/user/apiKeys';
  const key = exampleOf('APIKey') as Record<string, unknown>;
  const answer = (body: unknown, status = 200, type = 'application/json') => ({ status, type, body });
  const page = (record: unknown) => answer({ APIKeys: [record], Cursor: 'end', PageSize: 25 });

  it('lets pass what is as described, and what is no route', () => {
    expect(() => checkAnswer('GET', path, page(key))).not.toThrow();
    expect(() => checkAnswer('DELETE', path, answer('', 200, ''))).not.toThrow();
    expect(() => checkAnswer('GET', '/nothing', answer({}, 404))).not.toThrow();
  });

  it.each([
    ['a member that is missing', page({ ...key, Name: undefined }), /must have required property 'Name'/],
    ['a member that is null', page({ ...key, Name: null }), /\/APIKeys\/0\/Name must be string/],
    ['a member of another type', page({ ...key, ExpiresOn: 'soon' }), /must match format "date-time"/],
    ['a member that is not described', page({ ...key, Key: 'secret' }), /"additionalProperty":"Key"/],
    ['a status that is not described', answer({}, 418), /418 and is not described/],
    ['another media type', answer('x', 200, 'text/plain'), /as "text\/plain"/],
    [
      'an error without its members',
      answer({ message: 'x' }, 401),
      /must have required property 'requestId'/,
    ],
  ])('refuses %s', (_, given, fault) => {
    expect(() => checkAnswer('GET', path, given)).toThrow(fault);
  });

  it('refuses a body where none is described, and a route that is not described', () => {
    expect(() => checkAnswer('DELETE', path, answer({}))).toThrow(/nothing is described/);
    expect(() => checkAnswer('GET', '/nothing', answer({}))).toThrow(/is not described/);
  });
});
