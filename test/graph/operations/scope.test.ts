import { getNamedType, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { allowedBy, type Scope, scopesOf } from '../../../src/domain/kernel/scope.ts';
import type { Viewer } from '../../../src/domain/kernel/viewer.ts';
import { refusedFields } from '../../../src/graph/operations/explain-scopes.ts';
import {
  leastScopes,
  memoizedScopes,
  missingScopes,
  requireScopes,
} from '../../../src/graph/operations/scope.ts';
import { schema } from '../../../src/graph/schema/schema.ts';

const requiredOf = (text: string, name?: string) => memoizedScopes(schema, parse(text), name);

describe('whether an operation is a mutation', () => {
  it.each([
    ['{ a }', undefined, false],
    ['subscription { a }', undefined, false],
    ['mutation { a }', undefined, true],
    ['query Q { a } mutation M { b }', 'Q', false],
    ['query Q { a } mutation M { b }', 'M', true],
    ['mutation M { b } query Q { a }', 'neither', false],
  ])('of %j, running %s: %s', (text, name, mutates) => {
    expect(requiredOf(text, name).isMutation).toBe(mutates);
  });
});

const least = (text: string, name?: string): Scope[] => scopesOf(leastScopes(requiredOf(text, name)));

const COMPLETE = 'completeTask(input: { taskId: "x" })';
const FOLLOW = 'followTasks(input: { taskIds: [] })';
const BEGIN = 'updateSignatureSession(input: { documentId: "x" })';

describe('the smallest set of scopes', () => {
  it.each<[string, Scope[]]>([
    ['{ viewer { name } }', ['organizations:read']],
    ['{ viewer { organizations { nodes { id name } pageInfo { endCursor } } } }', ['organizations:read']],
    ['{ __schema { types { name } } }', ['organizations:read']],
    ['{ viewer { apiKeys { nodes { id } } } }', ['read']],
    ['{ viewer { apiKeys { totalCount } tasks { totalCount } } }', ['read']],
    ['{ viewer { tasks { totalCount } } }', ['tasks:read']],
    ['{ project(id: "x") { tasks { nodes { name } } } }', ['tasks:read']],
    ['{ project(id: "x") { viewerRole tasks { nodes { name } } } }', ['organizations:read', 'tasks:read']],
    ['{ task(id: "x") { documents { nodes { name } } } }', ['documents:read', 'tasks:read']],
    ['{ task(id: "x") { comments { nodes { text } } } }', ['tasks:read']],
    ['{ document(id: "x") { comments { edges { node { text } } } } }', ['documents:read']],
    ['{ document(id: "x") { signatureSession { state } } }', ['documents:read']],
    ['{ document(id: "x") { signatureSession { sealedAt } } }', ['documents:read', 'signatures:read']],
    [
      '{ organization(id: "x") { search { nodes { score } facets { kinds { count } } } } }',
      ['organizations:read'],
    ],
    ['{ project(id: "x") { search { nodes { node { ... on Document { name } } } } } }', ['documents:read']],
    ['{ node(id: "x") { id } }', ['organizations:read']],
    ['{ node(id: "x") { ... on Comment { text } } }', ['documents:read', 'tasks:read']],
    ['{ node(id: "x") { ...T } } fragment T on Task { id }', ['tasks:read']],
    ['{ task(id: "x") { ... on Versioned { version } } }', ['tasks:read']],
    ['{ errorCodes rateLimit { limit } }', ['organizations:read']],
    [`mutation { ${COMPLETE} { task { name } } }`, ['tasks:write']],
    [`mutation { ${COMPLETE} { task { documents { nodes { id } } } } }`, ['documents:read', 'tasks:write']],
    [`mutation { ${COMPLETE} { task { name createdBy { name } project { name } } } }`, ['tasks:write']],
    [`mutation { ${COMPLETE} { task { parent { name parent { name } } } } }`, ['tasks:write']],
    [`mutation { ${COMPLETE} { task { comments { nodes { text } } } } }`, ['tasks:read', 'tasks:write']],
    [
      `mutation { ${FOLLOW} { tasks { project { tasks { nodes { name } } } } } }`,
      ['tasks:read', 'tasks:write'],
    ],
    [
      `mutation { ${FOLLOW} { tasks { project { tasks { edges { node { name } } } } } } }`,
      ['tasks:read', 'tasks:write'],
    ],
    [
      `mutation { ${FOLLOW} { tasks { ...T } } } fragment T on Task { name project { tasks { nodes { ...T } } } }`,
      ['tasks:read', 'tasks:write'],
    ],
    [`mutation { ${FOLLOW} { tasks { project { viewerRole } } } }`, ['organizations:read', 'tasks:write']],
    [`mutation { ${BEGIN} { session { state recipients { nodes { state } } } } }`, ['signatures:write']],
    [
      `mutation { ${COMPLETE} { task { name } } createComments(input: {}) { comments { text } } }`,
      ['documents:write', 'tasks:write'],
    ],
    [`mutation { ...M } fragment M on Mutation { ${COMPLETE} { __typename } }`, ['tasks:write']],
    ['mutation { deleteApiKeys(input: { apiKeyIds: [] }) { apiKeyIds } }', ['write']],
    ['subscription { eventAppended(organizationId: "x") { kind } }', ['events:read']],
    [
      'subscription { eventAppended(organizationId: "x") { subject { ... on Document { name } } } }',
      ['documents:read', 'events:read'],
    ],
  ])('of %s is %j', (text, scopes) => {
    expect(least(text)).toEqual(scopes);
  });

  it('is that of the operation that runs', () => {
    const text = 'query A { task(id: "x") { id } } query B { document(id: "x") { id } }';
    expect([least(text, 'A'), least(text, 'B')]).toEqual([['tasks:read'], ['documents:read']]);
  });

  it('counts whatever an interface may be, for its own fields', () => {
    const all = least('{ node(id: "x") { ... on Versioned { version } } }');
    expect(all).toEqual(['read']);
  });
});

const viewerWith = (scopes: readonly Scope[]): Viewer => ({
  ...{ userId: 'usr_1', email: 'a@example.test', name: 'A', credentialId: 'key_1', memberships: [] },
  scopes: new Set(scopes),
});

describe('an operation', () => {
  const both = '{ task(id: "x") { documents { nodes { name } } } }';
  const payload = `mutation { ${COMPLETE} { task { documents { nodes { id } } } } }`;
  const anything = '{ viewer { name } }';

  it.each<[string, Scope[], Scope[]]>([
    [both, ['read'], []],
    [both, ['tasks:read', 'documents:read'], []],
    [both, ['tasks:read'], ['documents:read']],
    [both, ['write'], ['documents:read', 'tasks:read']],
    [both, ['tasks:write', 'documents:write'], ['documents:read', 'tasks:read']],
    [both, [], ['documents:read', 'tasks:read']],
    [anything, ['forms:read'], []],
    [anything, ['write'], ['organizations:read']],
    [payload, ['write'], ['documents:read']],
    [payload, ['write', 'read'], []],
    [payload, ['tasks:write', 'documents:write'], ['documents:read']],
    [payload, ['tasks:write', 'documents:read'], []],
    [payload, ['tasks:write'], ['documents:read']],
    [payload, ['read'], ['tasks:write']],
    ['{ viewer { apiKeys { nodes { id } } } }', ['organizations:read', 'events:read'], ['read']],
  ])('%s, with %j, lacks %j', (text, held, missing) => {
    expect(scopesOf(missingScopes(requiredOf(text), allowedBy(held)))).toEqual(missing);
  });

  it('is refused with all that is required and all that is missing', () => {
    const required = requiredOf(both);
    expect(() => requireScopes(viewerWith(['tasks:read']), required)).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        message: 'This requires a credential with the scope documents:read.',
        scopes: { required: ['documents:read', 'tasks:read'], missing: ['documents:read'] },
      }),
    );
    expect(() => requireScopes(viewerWith(['read']), required)).not.toThrow();
  });
});

describe('the fields that are refused', () => {
  it.each<[string, Scope[], string[]]>([
    [
      `mutation { ${COMPLETE} { task { name comments { nodes { text } } } } }`,
      ['tasks:write'],
      ['Task.comments'],
    ],
    [
      `mutation { ${COMPLETE} { task { name comments { nodes { text } } } } }`,
      ['tasks:write', 'tasks:read'],
      [],
    ],
    [
      `mutation { ${COMPLETE} { task { name documents { nodes { name } } } } }`,
      ['write'],
      ['Task.documents'],
    ],
    [
      `mutation { ${FOLLOW} { tasks { project { tasks { nodes { name } } } } } }`,
      ['tasks:write'],
      ['Project.tasks'],
    ],
    [`mutation { ${BEGIN} { session { recipients { nodes { state } } } } }`, ['signatures:write'], []],
  ])('of %s, with %j, are %j, as the check says', (text, held, coordinates) => {
    const refused = refusedFields(schema, parse(text), undefined, allowedBy(held));
    expect(refused.map(({ coordinate }) => coordinate)).toEqual(coordinates);
    expect(missingScopes(requiredOf(text), allowedBy(held)) === 0).toBe(coordinates.length === 0);
  });
});

const fieldsOf = (type: unknown) => (isObjectType(type) ? Object.values(type.getFields()) : []);

/** The lists of what a mutation returns, as operations that select what its objects say: all that are no part of an object. */
function listsOfPayloads(): [mutation: string, path: string, text: string][] {
  return fieldsOf(schema.getMutationType()).flatMap((mutation) =>
    fieldsOf(getNamedType(mutation.type)).flatMap((written) =>
      fieldsOf(getNamedType(written.type)).flatMap((list) => {
        const type = getNamedType(list.type);
        const nodes = fieldsOf(type).find(({ name }) => name === 'nodes');
        const { isPart = false } = (list.extensions.pothosOptions ?? {}) as { isPart?: boolean };
        if (!nodes || isPart) return [];
        const path = `${written.name} { ${list.name} { totalCount } }`;
        return [[mutation.name, path, `mutation { ${mutation.name}(input: {}) { ${path} } }`] as const].map(
          ([name, at, text]): [string, string, string] => [name, at, text],
        );
      }),
    ),
  );
}

describe('a list of what was written', () => {
  it('requires a scope that reads, whatever the mutation and its scope', () => {
    const lists = listsOfPayloads();
    expect(lists.length).toBeGreaterThan(50);
    const open = lists.filter(([, , text]) => requiredOf(text).reads === 0).map(([, path]) => path);
    expect([...new Set(open)]).toEqual([]);
  });
});
