import { type GraphQLObjectType, getNamedType, isCompositeType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../../src/domain/kernel/scope.ts';
import { reachedFields } from '../../../src/graph/operations/scope-reach.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import type { IdType } from '../../../src/lib/id.ts';
import { type Fixture, newKeyring, SETUP_TIMEOUT_MS, sharedFixture } from '../../matrix/fixture.ts';
import { NODES } from '../../matrix/graph-facts.ts';
import { codeOf, send } from '../../matrix/requests.ts';
import { type Snapshot, takeSnapshot } from '../../matrix/snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

afterAll(() => snapshot.restore());

const keyring = newKeyring();

/** The fields of a type that can be selected without arguments. */
const fieldsOf = (type: string) =>
  Object.values((schema.getType(type) as GraphQLObjectType).getFields()).filter(
    ({ args }) => !args.some(isRequiredArgument),
  );

const idOf = (type: string) => {
  const { at, idType } = NODES[type] ?? {};
  return at ? s.a.at[at] : s.a.ids[idType as IdType]?.[0];
};

/** Selects fields of an object; the answer lists what was refused. */
async function select(type: string, fields: ReturnType<typeof fieldsOf>, key: string) {
  const selection = fields
    .map(({ name, type }) => (isCompositeType(getNamedType(type)) ? `${name} { __typename }` : name))
    .join(' ');
  const query = `query ($id: ID!) { node(id: $id) { id ... on ${type} { __typename ${selection} } } }`;
  const body = { query, variables: { id: idOf(type) }, extensions: { explain: true } };
  const answer = await send(s.app, { method: 'POST', path: '/graphql', body }, key);
  const explained: { rule: string; coordinate?: string }[] = answer.body.extensions?.explain ?? [];
  const refused = explained.flatMap(({ rule, coordinate }) =>
    rule === 'SCOPE' && coordinate ? [coordinate] : [],
  );
  return { code: codeOf(answer), refused };
}

/** Types that a scope reaches, but not by id: that takes the scopes of all that they can be about. */
const ELSEWHERE: Partial<Record<Scope, string[]>> = {
  'documents:read': ['Comment', 'Follow'],
  'tasks:read': ['Comment'],
  'forms:read': ['FieldChoice'],
};

describe.each(
  SCOPES.filter((scope) => scope === 'read' || scope.endsWith(':read')),
)('with the scope %s alone', (scope) => {
  const reached = new Set(reachedFields(schema, { scopes: [scope], kind: 'API_KEY' }));

  it.each(Object.keys(NODES))('each field of a %s is refused by name or read', async (type) => {
    const key = await keyring(s, 'a', [scope]);
    const fields = fieldsOf(type);
    const { refused } = await select(type, fields, key);
    const isRefused = ({ name }: (typeof fields)[0]) => refused.includes(`${type}.${name}`);
    const left = fields.filter((field) => !isRefused(field));
    // The type is refused before a field that requires nothing itself, such as its id.
    const isHidden = ({ name }: (typeof fields)[0]) => !reached.has(`${type}.${name}`);
    for (const field of left.filter(isHidden))
      expect([field.name, (await select(type, [field], key)).code]).toEqual([
        field.name,
        'INSUFFICIENT_SCOPE',
      ]);
    const shown = left.filter((field) => !isHidden(field));
    const isShown = shown.length > 0 && !ELSEWHERE[scope]?.includes(type);
    expect((await select(type, shown, key)).code !== 'INSUFFICIENT_SCOPE').toBe(isShown);
    if (scope === 'read') expect(refused).toEqual([]);
  });
});
