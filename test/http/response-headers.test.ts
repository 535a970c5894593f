import type { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { newDatabase, testDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';
import { newWorld, type Person } from '../support/world.ts';

const PUBLIC_URL = 'https://docs.example.test';

let db: Database;
let app: Hono;
let owner: Person;
beforeAll(async () => {
  db = await testDatabase();
  app = await appOn(db, {}, { publicUrl: PUBLIC_URL });
  ({ owner } = await newWorld(db));
});

const shown = ({ headers }: Response) => ({
  sniffing: headers.get('x-content-type-options'),
  transport: headers.get('strict-transport-security'),
  isCacheable: /^public/.test(headers.get('cache-control') ?? 'public'),
});

const SAFE = { sniffing: 'nosniff', transport: 'max-age=31536000', isCacheable: false };

/** The documents that are the same for everyone, and may be kept. */
const PUBLIC =
  /^\/(?:\.well-known\/|oauth\/jwks$|pages\/|passkeys\/|console\/(?:script|upload)\/|verify\/[0-9a-f]{16}\.js$|favicon\.(?:ico|svg)$|robots\.txt$|graphql\/assets\/|api\/v1\/openapi\.json$)/;

const key = () => ({ authorization: `Bearer ${owner.key}` });
const json = () => ({ ...key(), 'content-type': 'application/json' });

describe('every response', () => {
  it('of every route has nosniff, HSTS and Cache-Control', async () => {
    const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
    expect(routes.length).toBeGreaterThan(100);
    const unsafe = [];
    for (const { method, path } of routes) {
      const address = path.replace(/:\w+(\{[^}]*\})?/g, 'x');
      const answer = await app.request(PUBLIC_URL + address, { method });
      const expected = { ...SAFE, isCacheable: answer.ok && PUBLIC.test(path) };
      if (JSON.stringify(shown(answer)) !== JSON.stringify(expected))
        unsafe.push({ method, path, status: answer.status, ...shown(answer) });
    }
    expect(unsafe).toEqual([]);
  });

  it.each<[string, string, () => RequestInit]>([
    ['an address without anything', '/nothing', () => ({})],
    ['a preflight', '/graphql', () => ({ method: 'OPTIONS', headers: { origin: 'https://a.example' } })],
    ['a redirect', '/docs', () => ({})],
    ['a query by GET', '/graphql?query={__typename}', () => ({ headers: key() })],
    [
      'a query by POST',
      '/graphql',
      () => ({ method: 'POST', headers: json(), body: '{"query":"{__typename}"}' }),
    ],
    ['a body that is no JSON', '/graphql', () => ({ method: 'POST', headers: json(), body: '{' })],
    [
      'a body that is too large',
      '/graphql',
      () => ({ method: 'POST', headers: json(), body: 'x'.repeat(2 ** 21) }),
    ],
    ['a page', '/sign-in', () => ({ headers: { accept: 'text/html' } })],
    ['a list', '/api/v1/organizations', () => ({ headers: key() })],
    ['a missing thing', '/api/v1/organizations/x', () => ({ headers: key() })],
    ['a refused token request', '/oauth/token', () => ({ method: 'POST' })],
    ['an upload that is refused', '/uploads/x', () => ({ method: 'PUT', body: 'x' })],
    ['the health', '/healthz', () => ({})],
  ])('has the security headers: %s', async (_, path, init) => {
    expect(shown(await app.request(PUBLIC_URL + path, init()))).toEqual(SAFE);
  });

  it('has the security headers after a failure, and under overload', async () => {
    const away = await newDatabase();
    await away.prisma.$executeRawUnsafe('ALTER TABLE api_keys RENAME TO api_keys_away');
    const broken = await appOn(away, {}, { publicUrl: PUBLIC_URL });
    const failed = await broken.request('/api/v1/organizations', { headers: key() });
    await away.close();
    const busy = await appOn(db, { requestsAtOnce: 0 }, { publicUrl: PUBLIC_URL });
    const shed = await busy.request('/graphql', { headers: key() });
    expect([failed.status, shown(failed), shed.status, shown(shed)]).toEqual([500, SAFE, 503, SAFE]);
  });

  it('has no HSTS if the server has no https URL', async () => {
    const plain = await appOn(db);
    expect(shown(await plain.request('/healthz'))).toEqual({ ...SAFE, transport: null });
  });
});

describe('a response that depends on request headers', () => {
  it.each<[string, string, RequestInit, string]>([
    ['GraphQL', '/graphql', {}, 'Accept-Encoding, Accept, Authorization, Cookie'],
    ['GraphiQL', '/graphql?with=key', { headers: { accept: 'text/html' } }, 'Accept, Authorization, Cookie'],
    ['REST', '/api/v1/organizations', {}, 'Accept, Accept-Encoding, Authorization, Cookie'],
    [
      'a REST answer that is missing',
      '/api/v1/nothing',
      {},
      'Accept, Accept-Encoding, Authorization, Cookie',
    ],
    ['the documents of the caller', '/documents', {}, 'Accept, Accept-Encoding, Authorization, Cookie'],
    ['the sign-in page', '/sign-in', {}, 'Cookie'],
    ['the consent', '/oauth/authorize', {}, 'Cookie'],
    ['the applications of a user', '/oauth/apps', {}, 'Cookie'],
    ['a token', '/oauth/token', { method: 'POST' }, 'Authorization'],
    ['a signing page', '/sign/x/y', {}, 'Cookie'],
    ['the description of REST', '/api/v1/openapi.json', {}, 'Accept-Encoding'],
  ])('has Vary: %s', async (_, path, init, names) => {
    expect((await app.request(PUBLIC_URL + path, init)).headers.get('vary')).toBe(names);
  });

  it('adds Origin to Vary if only some origins are allowed', async () => {
    const apart = await appOn(db, {}, { corsOrigins: ['https://a.example'] });
    const { headers } = await apart.request('/api/v1/organizations', { headers: key() });
    expect(headers.get('vary')).toBe('Accept-Encoding, Origin, Authorization, Cookie');
  });
});
