import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { OperationTexts, readManifest } from '../../../src/graph/http/persisted.ts';
import { createApp } from '../../../src/http/server.ts';
import { testDatabase } from '../../support/database.ts';
import { testStorage } from '../../support/storage.ts';
import { config, newPerson } from '../../support/world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const REGISTERED = 'query Me($with: Boolean = true) { viewer { email @include(if: $with) } }';
const OTHER = '{ viewer { user { id } } }';
const HASH = sha256(REGISTERED);

async function setUp(only?: boolean, shared?: { db: Database; app: Hono }) {
  const db = shared?.db ?? (await testDatabase());
  const { key, email } = await newPerson(db);
  const byHash = readManifest(JSON.stringify({ [HASH]: REGISTERED }));
  const persisted = only === undefined ? undefined : { byHash, only };
  const log = pino({ level: 'silent' });
  const app = shared?.app ?? createApp({ config, db, storage: await testStorage(db), log, persisted });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (body: object) => {
    const answer = await app.request('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
    const { data, errors } = (await answer.json()) as any;
    return data ?? [answer.status, errors[0].extensions.code];
  };
  const get = async (query: string) => {
    const answer = await app.request(`/graphql?${query}`, { headers });
    return ((await answer.json()) as { data?: unknown }).data;
  };
  return { post, get, db, app, me: { viewer: { email } } };
}

const named = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const NOT_FOUND = [200, 'PERSISTED_QUERY_NOT_FOUND'];
const INVALID = [200, 'BAD_USER_INPUT'];

describe('persisted operations', () => {
  it('run by their hash in each request format of clients, repeatedly', async () => {
    const { post, get, me } = await setUp(false);
    for (const body of [
      { documentId: HASH },
      { documentId: `sha256:${HASH}` },
      named(HASH),
      { query: REGISTERED, ...named(HASH) },
      { documentId: HASH, variables: { with: true }, operationName: 'Me' },
      { query: REGISTERED },
      { documentId: HASH },
    ])
      expect(await post(body)).toEqual(me);
    expect(await post({ documentId: HASH, variables: { with: false } })).toEqual({ viewer: {} });
    expect(await get(`extensions=${encodeURIComponent(JSON.stringify(named(HASH).extensions))}`)).toEqual(me);
  });

  it('are not found by another hash', async () => {
    const { post } = await setUp(false);
    for (const hash of [sha256(OTHER), 'x', '', 5, {}, [], '__proto__', HASH.toUpperCase()]) {
      expect([hash, await post({ documentId: hash })]).toEqual([hash, NOT_FOUND]);
      expect([hash, await post(named(hash))]).toEqual([hash, NOT_FOUND]);
    }
    expect(await post({ query: OTHER, ...named(HASH) })).toEqual(INVALID);
    expect(await post({ query: OTHER })).toHaveProperty('viewer.user.id');
  });

  it('are the only operations that run in the strict mode', async () => {
    const { post, me } = await setUp(true);
    expect(await post({ query: OTHER })).toEqual([200, 'FORBIDDEN']);
    expect(await post({ documentId: HASH })).toEqual(me);
    expect(await post({ query: REGISTERED })).toEqual(me);
    expect(await post({ query: `${REGISTERED} ` })).toEqual([200, 'FORBIDDEN']);
    expect(await post({ query: OTHER, ...named(sha256(OTHER)) })).toEqual([200, 'FORBIDDEN']);
    expect(await post(named(sha256(OTHER)))).toEqual(NOT_FOUND);
    expect(await post({})).toEqual(INVALID);
  });
});

describe('a query that is sent with its hash', () => {
  it.each([
    undefined,
    false,
  ])('runs by its hash from then on, with and without a manifest (%s)', async (only) => {
    const { post, get, me } = await setUp(only);
    const text = `${REGISTERED} # sent`;
    const byHash = named(sha256(text));
    expect(await post(byHash)).toEqual(NOT_FOUND);
    expect(await post({ query: text, ...byHash })).toEqual(me);
    for (let count = 0; count < 3; count++)
      expect(await post({ ...byHash, variables: { with: true } })).toEqual(me);
    expect(await get(`extensions=${encodeURIComponent(JSON.stringify(byHash.extensions))}`)).toEqual(me);
  });

  it('is refused with the hash of another text, which is not stored', async () => {
    const { post } = await setUp();
    expect(await post({ query: OTHER, ...named(HASH) })).toEqual(INVALID);
    expect(await post({ query: OTHER, documentId: HASH })).toEqual(INVALID);
    expect(await post(named(HASH))).toEqual(NOT_FOUND);
  });

  it('is not found by people of other organizations', async () => {
    const { post, ...server } = await setUp();
    const { post: postOfAnother } = await setUp(undefined, server);
    await post({ query: OTHER, ...named(sha256(OTHER)) });
    expect(await post(named(sha256(OTHER)))).toHaveProperty('viewer');
    expect(await postOfAnother(named(sha256(OTHER)))).toEqual(NOT_FOUND);
  });
});

describe('the stored texts', () => {
  const texts = new OperationTexts();
  const send = (text: string, tenant: string) =>
    texts.textOf({ query: text, ...named(sha256(text)) }, tenant);

  it('are bounded, and one organization does not displace the texts of another', () => {
    const own = '{ viewer { user { id } } }';
    send(own, 'small');
    for (let count = 0; count < 300; count++)
      send(`{ viewer { user { id } } } # ${count} ${'x'.repeat(40_000)}`, 'large');
    expect(texts.textOf(named(sha256(own)), 'small')).toBe(own);
    expect(() =>
      texts.textOf(named(sha256(`{ viewer { user { id } } } # 0 ${'x'.repeat(40_000)}`)), 'large'),
    ).toThrow('PersistedQueryNotFound');
  });

  it('have at most 50,000 characters', () => {
    const long = `{ viewer { user { id } } } # ${'x'.repeat(50_000)}`;
    expect(send(long, 'a')).toBe(long);
    expect(() => texts.textOf(named(sha256(long)), 'a')).toThrow('PersistedQueryNotFound');
  });
});

describe('a manifest', () => {
  it('is read in the formats of graphql-codegen and Apollo', () => {
    const codegen = { [`sha256:${'a'.repeat(64)}`]: REGISTERED };
    const apollo = {
      format: 'apollo-persisted-query-manifest',
      operations: [{ id: 'a'.repeat(64), body: REGISTERED }],
    };
    for (const manifest of [codegen, apollo])
      expect(Object.fromEntries(readManifest(JSON.stringify(manifest)))).toEqual({
        ['a'.repeat(64)]: REGISTERED,
        [HASH]: REGISTERED,
      });
  });

  it('is refused if an operation does not match the schema', () => {
    expect(() => readManifest(JSON.stringify({ x: '{ nobody }' }))).toThrow('Cannot query field "nobody"');
    expect(() => readManifest('{')).toThrow(SyntaxError);
  });
});
