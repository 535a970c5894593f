import { getNamedType, getNullableType, isInputObjectType, isListType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../../src/graph/schema/schema.ts';
import { type IdType, newId, typeOfId } from '../../../../src/lib/id.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from '../../../matrix/fixture.ts';
import { MUTATIONS } from '../../../matrix/mutation-facts.ts';
import { idPaths, valueAt, withValue } from '../../../matrix/positions.ts';
import { mutationText, sendGraph } from '../../../matrix/requests.ts';
import { type Snapshot, takeSnapshot } from '../../../matrix/snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

/** The members of a mutation's input, or of its payload. */
function fieldsOf(name: string, of: 'input' | 'payload') {
  const mutation = schema.getMutationType()?.getFields()[name];
  const type = getNamedType(of === 'input' ? mutation?.args[0]?.type : mutation?.type);
  return isInputObjectType(type) || isObjectType(type) ? Object.values(type.getFields()) : [];
}

const requiredLists = (name: string) =>
  fieldsOf(name, 'input')
    .filter(({ type }) => String(type).endsWith(']!') && isListType(getNullableType(type)))
    .map((field) => field.name);

const hasOnlyLists = (name: string) =>
  fieldsOf(name, 'payload').every(({ type }) => isListType(getNullableType(type)));

const isBatch = (name: string) => fieldsOf(name, 'input').some((field) => field.name === 'onError');

/** Whose list is one thing. */
const ONE_CHANGE = ['reorderFormFields'];

it('every mutation of a list of objects can skip those that fail', () => {
  const names = mutations.map(({ name }) => name).filter((name) => name !== 'errorCodes');
  const ofLists = names.filter((name) => requiredLists(name).length === 1 && hasOnlyLists(name));
  expect(ofLists.filter((name) => !isBatch(name))).toEqual(ONE_CHANGE);
});

/** An item that cannot be changed: with an unknown id, or without what it needs. */
function spoiled(item: unknown): unknown {
  if (typeof item === 'string') return item.includes('_') ? newId(typeOfId(item) as IdType) : '';
  const [path] = idPaths(item);
  if (path) return withValue(item, path, newId(typeOfId(valueAt(item, path) as string) as IdType));
  const isText = (value: unknown) => typeof value === 'string' && !/^[A-Z]+$/.test(value);
  const [name] = Object.entries(item as object).find(([, value]) => isText(value)) ?? [];
  return { ...(item as object), ...(name ? { [name]: '' } : { x: -1 }) };
}

interface Result {
  error: { code: string; message: string; at: string | null } | null;
}

describe.each(mutations.map(({ name }) => name).filter(isBatch))('the batch of %s', (name) => {
  const [member = ''] = requiredLists(name);
  const [least, input] = MUTATIONS[name] ?? ['admin', () => ({})];
  const run = async (items: unknown[], onError: string) => {
    const value = { ...input(s.a.at, s.a), [member]: items, onError };
    const credential = s.credentials[least === 'session' ? 'session' : 'owner'];
    const { body } = await sendGraph(s.app, mutationText(name), { input: value }, credential);
    return { body, payload: body.data?.[name], changed: await snapshot.restore() };
  };
  const valid = () => (input(s.a.at, s.a) as Record<string, unknown[]>)[member] as unknown[];

  it('skips an item that fails, and changes the others as if it were not there', async () => {
    const items = valid();
    const alone = await run(items, 'REJECT_ALL');
    const { body, payload, changed } = await run([spoiled(items[0]), ...items], 'SKIP_FAILED');
    expect(body.errors).toBeUndefined();
    const results: Result[] = payload.results;
    expect(results.map(({ error }) => error !== null)).toEqual([true, ...items.map(() => false)]);
    expect(results[0]?.error?.at).toMatch(new RegExp(`^${member}\\.0(\\.|$)`));
    expect(changed).toEqual(alone.changed);
    for (const [key, list] of Object.entries(alone.payload))
      if (key !== 'results' && Array.isArray(list)) expect(payload[key]).toHaveLength(list.length);
  });

  it('changes nothing if all items fail', async () => {
    const { body, payload, changed } = await run([spoiled(valid()[0])], 'SKIP_FAILED');
    expect([body.errors, changed]).toEqual([undefined, []]);
    expect(payload.results).toHaveLength(1);
  });
});
