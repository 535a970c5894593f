import { createHash } from 'node:crypto';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/graph/http/persisted.ts';
import { createApp } from '../../../src/http/server.ts';
import { testDatabase } from '../../support/database.ts';
import { testStorage } from '../../support/storage.ts';
import { config, newPerson } from '../../support/world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const REGISTERED = 'query Me($with: Boolean = true) { viewer { email @include(if: $with) } }';
const OTHER = '{ viewer { id } }';
const HASH = sha256(REGISTERED);

async function scene(only?: boolean) {
  const db = await testDatabase();
  const { key, email } = await newPerson(db);
  const byHash = readManifest(JSON.stringify({ [HASH]: REGISTERED }));
  const persisted = only === undefined ? undefined : { byHash, only };
  const log = pino({ level: 'silent' });
  const app = createApp({ config, db, storage: await testStorage(db), log, persisted });
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
  return { post, get, me: { viewer: { email } } };
}

const named = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const NOT_FOUND = [200, 'PERSISTED_QUERY_NOT_FOUND'];

describe('operations that were registered', () => {
  it('run by their hash, in each of the ways in which clients send it, again and again', async () => {
    const { post, get, me } = await scene(false);
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

  it('are not found by another hash, and nothing is registered by a request', async () => {
    const { post } = await scene(false);
    for (const hash of [sha256(OTHER), 'x', '', 5, {}, [], '__proto__', HASH.toUpperCase()]) {
      expect([hash, await post({ documentId: hash })]).toEqual([hash, NOT_FOUND]);
      expect([hash, await post(named(hash))]).toEqual([hash, NOT_FOUND]);
    }
    expect(await post({ query: OTHER, ...named(sha256(OTHER)) })).toEqual(NOT_FOUND);
    expect(await post({ query: OTHER, ...named(HASH) })).toEqual(NOT_FOUND);
    expect(await post({ query: OTHER })).toHaveProperty('viewer.id');
  });

  it('are all that runs where nothing else may', async () => {
    const { post, me } = await scene(true);
    expect(await post({ query: OTHER })).toEqual([200, 'FORBIDDEN']);
    expect(await post({ documentId: HASH })).toEqual(me);
    expect(await post({ query: REGISTERED })).toEqual(me);
    expect(await post({ query: `${REGISTERED} ` })).toEqual([200, 'FORBIDDEN']);
    expect(await post({})).toEqual([200, 'BAD_USER_INPUT']);
  });

  it('are unknown where there are none', async () => {
    const { post } = await scene();
    expect(await post({ documentId: HASH })).toEqual([200, 'BAD_USER_INPUT']);
    expect(await post(named(HASH))).toEqual([200, 'BAD_USER_INPUT']);
  });
});

describe('a manifest', () => {
  it('is read as graphql-codegen and as Apollo write it', () => {
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

  it('is refused with an operation that the graph does not have', () => {
    expect(() => readManifest(JSON.stringify({ x: '{ nobody }' }))).toThrow('Cannot query field "nobody"');
    expect(() => readManifest('{')).toThrow(SyntaxError);
  });
});
