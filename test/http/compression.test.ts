import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createFields } from '../../src/domain/fields/field-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { testDatabase } from '../support/database.ts';
import { appOn, signedIn } from '../support/oauth.ts';
import { newWorld, type Person } from '../support/world.ts';

let db: Database;
let app: Hono;
let owner: Person;
let base: string;
let task: string;
beforeAll(async () => {
  db = await testDatabase();
  app = await appOn(db);
  const world = await newWorld(db);
  owner = world.owner;
  const projectId = world.project.id;
  base = `/api/v1/organizations/${world.organization.id}/projects/${projectId}`;
  const context = await owner.context();
  await createFields(context, {
    projectId,
    fields: Array.from({ length: 5 }, (_, index) => ({ name: `Field ${index}`, type: 'TEXT' as const })),
  });
  const [created] = await createTasks(context, {
    projectId,
    tasks: [{ name: 'T', description: 'word '.repeat(400) }],
  });
  task = `${base}/tasks/${created?.id}`;
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { method, headers: { authorization: `Bearer ${owner.key}`, ...headers } });

const LARGE_QUERY = '{ __schema { types { name description } } }';
const ask = (headers: Record<string, string>, query = LARGE_QUERY) =>
  app.request('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.key}`, ...headers },
    body: JSON.stringify({ query }),
  });

const codingOf = ({ headers }: Response) => headers.get('content-encoding');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a response of REST', () => {
  it('is compressed with gzip for clients that also offer br, which some cannot decode', async () => {
    const plain = await get(`${base}/fields`);
    const packed = await get(`${base}/fields`, { 'accept-encoding': 'gzip, deflate, br' });
    expect([codingOf(plain), codingOf(packed)]).toEqual([null, 'gzip']);
    expect(gunzipSync(await bytesOf(packed)).toString()).toBe(await plain.text());
    expect(packed.headers.get('vary')).toBe('Accept-Encoding, Authorization, Cookie');
    expect(packed.headers.get('content-type')).toBe('application/json');
  });

  it('is compressed with br for clients that accept nothing else', async () => {
    const packed = await get(`${base}/fields`, { 'accept-encoding': 'br, gzip;q=0' });
    expect(codingOf(packed)).toBe('br');
    expect(JSON.parse(brotliDecompressSync(await bytesOf(packed)).toString()).Fields).toHaveLength(5);
  });

  it.each([
    'identity',
    'gzip;q=0',
    'deflate',
  ])('is not compressed for Accept-Encoding: %s', async (accepted) => {
    const response = await get(`${base}/fields`, { 'accept-encoding': accepted });
    expect([codingOf(response), ((await response.json()) as { Fields: [] }).Fields.length]).toEqual([
      null,
      5,
    ]);
  });

  it('is not compressed below 1 KiB, but says that it could be', async () => {
    const small = await get(`${base}/counts/documents`, { 'accept-encoding': 'gzip' });
    expect([codingOf(small), await small.text()]).toEqual([null, '0']);
    expect(small.headers.get('vary')).toBe('Accept-Encoding, Authorization, Cookie');
  });

  it('has a strong ETag of its own for each coding, which If-None-Match and If-Match accept', async () => {
    const plain = (await get(task)).headers.get('etag') as string;
    const gzip = (await get(task, { 'accept-encoding': 'gzip' })).headers.get('etag') as string;
    expect(gzip).toBe(plain.replace(/"$/, '-gzip"'));
    for (const tag of [plain, gzip, `W/${gzip}`]) {
      const unchanged = await get(task, { 'accept-encoding': 'gzip', 'if-none-match': tag });
      expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([
        304,
        tag.replace('W/', ''),
        '',
      ]);
      expect(unchanged.headers.get('vary')).toBe('Accept-Encoding, Authorization, Cookie');
      expect(codingOf(unchanged)).toBeNull();
    }
    const write = (tag: string) =>
      app.request(task, {
        method: 'PUT',
        headers: { authorization: `Bearer ${owner.key}`, 'if-match': tag },
        body: JSON.stringify({ Name: 'changed' }),
      });
    expect([(await write(gzip)).status, (await write(gzip)).status]).toEqual([200, 412]);
  });

  it('keeps a weak ETag', async () => {
    const tags = [await get(`${base}/fields`), await get(`${base}/fields`, { 'accept-encoding': 'gzip' })];
    expect(tags[0]?.headers.get('etag')).toMatch(/^W\//);
    expect(tags[1]?.headers.get('etag')).toBe(tags[0]?.headers.get('etag'));
  });

  it('has the same headers for HEAD as for GET, and no body', async () => {
    const shown = ({ status, headers }: Response) => [
      status,
      ...['content-encoding', 'etag', 'vary'].map((name) => headers.get(name)),
    ];
    const accepted = { 'accept-encoding': 'gzip' };
    const head = await get(task, accepted, 'HEAD');
    expect([shown(head), await head.text()]).toEqual([shown(await get(task, accepted)), '']);
  });
});

describe('a response of GraphQL', () => {
  it('is compressed with br, else gzip', async () => {
    const plain = await (await ask({})).text();
    const br = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' });
    const gzip = await ask({ 'accept-encoding': 'gzip' });
    expect([codingOf(br), codingOf(gzip)]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(await bytesOf(br)).toString()).toBe(plain);
    expect(gunzipSync(await bytesOf(gzip)).toString()).toBe(plain);
  });

  it('is not compressed if it is an event stream', async () => {
    const stream = await ask({ 'accept-encoding': 'br, gzip', accept: 'text/event-stream' });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await stream.text()).toMatch(/^event: next\ndata: \{/m);
  });
});

describe('other responses', () => {
  it('are compressed where they are the same for everyone', async () => {
    for (const path of ['/api/v1/openapi.json', '/graphql/schema.graphql']) {
      const [br, gzip] = [
        await get(path, { 'accept-encoding': 'br' }),
        await get(path, { 'accept-encoding': 'gzip' }),
      ];
      expect([path, codingOf(br), codingOf(gzip)]).toEqual([path, 'br', 'gzip']);
      expect(brotliDecompressSync(await bytesOf(br))).toEqual(gunzipSync(await bytesOf(gzip)));
    }
  });

  it('are not compressed where they are pages with secrets of a session', async () => {
    const cookie = await signedIn(db, owner.id);
    for (const path of ['/sign-in', '/oauth/apps', '/graphql', '/api/v1/docs']) {
      const page = await app.request(path, {
        headers: { cookie, accept: 'text/html', 'accept-encoding': 'br, gzip' },
      });
      expect([path, codingOf(page)]).toEqual([path, null]);
    }
  });
});
