import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { typeOfId } from '../../../src/lib/id.ts';
import type { Operation } from '../../../src/lib/openapi.ts';
import { viewerDocumentRoutes } from '../../../src/rest/documents/viewer-routes.ts';
import { AREAS } from '../../../src/rest/openapi/areas.ts';
import { exampleOf } from '../../../src/rest/openapi/schema.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { checkAnswer, description, schemaFaults } from '../../support/description.ts';

const allRoutes = [...restRoutes, ...viewerDocumentRoutes];

const operations = Object.entries(description.paths).flatMap(
  ([path, { servers: _, parameters: __, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as Operation,
    })),
);

interface Site {
  example?: unknown;
  examples?: unknown[];
}

/** Every object of a document that has a schema beside it or is one, with its path; values of examples are left out. */
function sitesOf(part: object, steps: string[] = []): { steps: string[]; site: Site }[] {
  const here = 'schema' in part || 'examples' in part ? [{ steps, site: part as Site }] : [];
  const below = Object.entries(part).flatMap(([name, value]) =>
    value && typeof value === 'object' && name !== 'example' && name !== 'examples'
      ? sitesOf(value, [...steps, name])
      : [],
  );
  return [...here, ...below];
}

describe('the OpenAPI description of REST v1', () => {
  it('is valid OpenAPI 3.1, and all its references resolve', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(description) });
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('has every route under its paths, aliases as deprecated operations, and nothing else', () => {
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

  it('names each parameter of an operation once', () => {
    for (const { path, method, operation } of operations) {
      const shared = (description.paths[path]?.parameters ?? []) as { name?: string }[];
      const names = [...shared, ...((operation.parameters ?? []) as { name?: string }[])].flatMap(
        ({ name }) => name ?? [],
      );
      expect([method, path, names]).toEqual([method, path, [...new Set(names)]]);
    }
  });

  it('requires the scope of the operation of a route, and accepts a public link where the route does', () => {
    const security = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation.security;
    expect(security('listDocuments')).toEqual([
      { bearer: [] },
      { oauth2: ['documents:read'] },
      { oauth2: ['read'] },
    ]);
    const documents = [{ bearer: [] }, { oauth2: ['documents:write'] }, { oauth2: ['write'] }];
    expect(security('updateDocument')).toEqual(documents);
    expect(security('reserveDocumentUpload')).toEqual(documents);
    expect(security('createApiKeys')).toEqual([{ bearer: [] }, { oauth2: ['write'] }]);
    expect(security('submitPublicForm')).toEqual([
      { publicLink: [] },
      { bearer: [] },
      { oauth2: ['forms:write'] },
      { oauth2: ['write'] },
    ]);
    expect(security('approveApprovalsAlias')).toEqual(security('approveApprovals'));
  });

  it('has an example of every body of a request and a response', () => {
    const contents = sitesOf(description).filter(({ steps }) => steps.at(-2) === 'content');
    expect(contents.length).toBeGreaterThan(100);
    expect(contents.filter(({ site }) => !('example' in site)).map(({ steps }) => steps.join(' '))).toEqual(
      [],
    );
  });

  it('has only examples that match their schemas: of bodies in each media type, parameters, headers and records', () => {
    const examples = sitesOf(description).flatMap(({ steps, site }) => [
      ...('example' in site ? [{ steps: [...steps, 'schema'], example: site.example }] : []),
      ...(site.examples ?? []).map((example) => ({ steps, example })),
    ]);
    expect(examples.length).toBeGreaterThan(300);
    const faults = examples.flatMap(({ steps, example }) =>
      schemaFaults(steps, example).map((fault) => `${steps.join(' ')}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('has no examples of request headers and query parameters, which pages would send', () => {
    const filledIn = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).flatMap(({ name, example }) => (example === undefined ? [] : name)),
    );
    expect(filledIn).toEqual([]);
  });

  it('has one example id of each type in its paths, which records have too', () => {
    const ids = operations.flatMap(({ path }) =>
      (description.paths[path]?.parameters ?? [])
        .filter(({ name }) => name !== 'singleUserPreferenceId')
        .map(({ example }) => String(example)),
    );
    const records = JSON.stringify(description.components.schemas);
    expect([...new Set(ids)].filter((id) => !typeOfId(id) || !records.includes(id))).toEqual([]);
  });

  it('names the GraphQL operations behind each operation', () => {
    const named = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation['x-graphql-operation'];
    expect(named('listDocuments')).toContain('ListDocuments');
    expect(operations.filter(({ operation }) => !operation['x-graphql-operation']?.length)).toEqual([]);
  });

  it('has a description and an example for every member', () => {
    const silent = Object.entries(description.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([member, schema]) =>
        schema.description ? [] : `${name}.${member}`,
      ),
    );
    expect(silent).toEqual([]);
    expect(exampleOf('Document')).toMatchObject({ Name: 'permit-44.pdf', PurgeDate: '0001-01-01T00:00:00Z' });
  });

  it('has no operation without a route', () => {
    const served = new Set(allRoutes.map(({ id }) => id));
    const unserved = AREAS.filter(({ operations }) => Object.keys(operations).some((id) => !served.has(id)));
    expect(unserved.map(({ title }) => title)).toEqual([]);
  });

  it('has each operation once', () => {
    const ids = AREAS.flatMap((area) => Object.keys(area.operations));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the check of responses against OpenAPI', () => {
  const path = '/user/apiKeys';
  const key = exampleOf('APIKey') as Record<string, unknown>;
  const answer = (body: unknown, status = 200, type = 'application/json') => ({ status, type, body });
  const page = (record: unknown) => answer({ APIKeys: [record], Cursor: 'end', PageSize: 25 });

  it('accepts responses as described, and unknown routes', () => {
    expect(() => checkAnswer('GET', path, page(key))).not.toThrow();
    expect(() => checkAnswer('DELETE', path, answer('', 200, ''))).not.toThrow();
    expect(() => checkAnswer('GET', '/nothing', answer({}, 404))).not.toThrow();
  });

  it.each([
    ['a missing member', page({ ...key, Name: undefined }), /must have required property 'Name'/],
    ['a member with null', page({ ...key, Name: null }), /\/APIKeys\/0\/Name must be string/],
    ['a member of another type', page({ ...key, ExpiresOn: 'soon' }), /must match format "date-time"/],
    ['an undescribed member', page({ ...key, Key: 'secret' }), /"additionalProperty":"Key"/],
    ['an undescribed status', answer({}, 418), /418 and is not described/],
    ['another media type', answer('x', 200, 'text/plain'), /as "text\/plain"/],
    [
      'an error without its members',
      answer({ message: 'x' }, 401),
      /must have required property 'requestId'/,
    ],
  ])('refuses %s', (_, answerToCheck, fault) => {
    expect(() => checkAnswer('GET', path, answerToCheck)).toThrow(fault);
  });

  it('refuses a body where none is described, and a successful response of an unknown route', () => {
    expect(() => checkAnswer('DELETE', path, answer({}))).toThrow(/nothing is described/);
    expect(() => checkAnswer('GET', '/nothing', answer({}))).toThrow(/is not described/);
  });
});
