import { getNamedType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/kernel/scope.ts';
import { leastScopesOf } from '../../src/graph/operations/scope.ts';
import { scopeOfField, scopeOfType } from '../../src/graph/operations/scope-step.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import type { IdType } from '../../src/lib/id.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { tableFaults } from './expected-access.ts';
import { type Fixture, newKeyring, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { NODES } from './graph-facts.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { codeOf, send, sendGraph } from './requests.ts';
import { BY_CONTENT, FINDS_FIRST, MUTATION_SCOPES, NODE_SCOPES } from './scope-facts.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

afterAll(() => snapshot.restore());

const keyring = newKeyring();
const keyWith = (owner: 'a' | 'b', scopes: readonly Scope[]) => keyring(s, owner, scopes);

const fieldsOf = (type: unknown) => (isObjectType(type) ? Object.values(type.getFields()) : []);
const mutations = fieldsOf(schema.getMutationType());
const nodeTypes = [...schema.getPossibleTypes(schema.getType('Node') as never)];

describe('each has its scopes declared:', () => {
  it('every root field of queries and subscriptions, by itself or by its type', () => {
    const roots = [...fieldsOf(schema.getQueryType()), ...fieldsOf(schema.getSubscriptionType())];
    const silent = roots.filter(
      (field) => scopeOfField(field) === undefined && scopeOfType(getNamedType(field.type)) === undefined,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('every type with an id', () => {
    expect(nodeTypes.filter((type) => scopeOfType(type) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('every mutation, with at least one scope', () => {
    const silent = mutations
      .filter(({ name }) => !BY_CONTENT.includes(name))
      .filter((field) => [scopeOfField(field) ?? []].flat().length === 0);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('and so they are in the tables', () => {
    const file = 'test/matrix/scope-facts.ts';
    const names = nodeTypes.map(({ name }) => name);
    expect(tableFaults(names, NODE_SCOPES, file)).toEqual([]);
    expect(
      tableFaults(
        mutations.map(({ name }) => name),
        MUTATION_SCOPES,
        file,
      ),
    ).toEqual([]);
  });
});

/** Whether one scope includes another, by its name alone. */
const isWithin = (scope: Scope, needed: Scope): boolean =>
  scope === needed ||
  (scope === 'read' && needed.endsWith(':read')) ||
  (scope === 'write' && needed.endsWith(':write'));

const reads = (scope: Scope): boolean => scope === 'read' || scope.endsWith(':read');

/** Visible only with the scope of their subject too. */
const OF_SUBJECTS = ['Event', 'Notification'];

const refused = (missing: readonly Scope[]) => ({
  code: 'INSUFFICIENT_SCOPE',
  missing,
  required: expect.arrayContaining([...missing]),
});

describe.each(SCOPES)('the scope %s alone', (scope) => {
  it.each(mutations.map(({ name }) => name))('is judged for the mutation %s', async (name) => {
    const field = mutations.find((each) => each.name === name);
    const query = `mutation ($input: ${field?.args[0]?.type}) { ${name}(input: $input) { __typename } }`;
    const input = MUTATIONS[name]?.[1](s.a.at, s.a);
    const answer = await sendGraph(s.app, query, { input }, await keyWith('b', [scope]));
    const needed = MUTATION_SCOPES[name] as Scope;
    if (isWithin(scope, needed)) expect(codeOf(answer)).not.toBe('INSUFFICIENT_SCOPE');
    else if (name === FINDS_FIRST) expect(codeOf(answer)).toBe('NOT_FOUND');
    else {
      expect(answer.status).toBe(BY_CONTENT.includes(name) ? 200 : 403);
      expect(answer.body.errors[0].extensions).toMatchObject(refused([needed]));
    }
  });

  it.each(nodeTypes.map(({ name }) => name))('is judged for objects of the type %s', async (type) => {
    const needed = NODE_SCOPES[type];
    const leaf = fieldsOf(schema.getType(type)).find(
      (each) => isLeafType(getNamedType(each.type)) && each.args.length === 0 && !isOpen(type, each.name),
    );
    const query = `query ($id: ID!) { node(id: $id) { id ... on ${type} { ${leaf?.name} } } }`;
    const id = NODES[type]?.at ? s.a.at[NODES[type].at] : s.a.ids[NODES[type]?.idType as IdType]?.[0];
    const answer = await sendGraph(s.app, query, { id }, await keyWith('a', [scope]));
    const both: readonly Scope[] = ['documents:read', 'tasks:read'];
    const all = needed === 'two' ? both : needed === 'any' ? [] : [needed as Scope];
    const missing = all.filter((each) => !isWithin(scope, each));
    if (missing.length === 0 && reads(scope))
      expect(codeOf(answer)).toBe(scope === 'events:read' && OF_SUBJECTS.includes(type) ? 'NOT_FOUND' : 'OK');
    else
      expect(answer.body.errors[0].extensions).toMatchObject(
        refused(missing.length > 0 ? missing : ['organizations:read']),
      );
  });
});

function isOpen(type: string, field: string): boolean {
  const scope = scopeOfType(schema.getType(type) as object);
  const open = scope && typeof scope === 'object' && 'open' in scope ? scope.open : [];
  return field === 'id' || open.includes(field);
}

const call = (row: Route, key: string) =>
  send(s.app, { method: row.method, path: `/api/v1${s.a.fill(row)}`, body: s.a.bodies[row.id] }, key);

describe.each(restRoutes)('REST v1: $id', (row) => {
  const least = leastScopesOf(row.operations.required);
  const owner = row.operations.writes ? 'b' : 'a';

  it('takes a key with exactly the scopes that it requires', async () => {
    const { status, body } = await call(row, await keyWith(owner, least));
    if (owner === 'a') expect([status, body.message]).toEqual([200, undefined]);
    else expect(body.code).not.toBe('INSUFFICIENT_SCOPE');
  });

  it.each(least)('refuses a key without %s alone, and names it', async (missing) => {
    const others = least.filter((scope) => scope !== missing);
    const key = await keyWith(owner, others.length > 0 ? others : ['webhooks:write']);
    const { status, body } = await call(row, key);
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({ code: 'INSUFFICIENT_SCOPE', missing: [missing], required: least }),
    ]);
  });
});
