import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { createApp } from '../../src/http/server.ts';
import { emptyDatabase } from '../support/database.ts';
import { type Mode, proxyBefore, type TcpProxy } from '../support/servers/tcp-proxy.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

/** Of a statement: so long that whoever waited for it would fail by the time of the test. */
const LIMIT = 600_000;

describe.runIf(process.env.TEST_DATABASE_URL)(
  'a database that becomes unreachable (needs PostgreSQL)',
  () => {
    let proxy: TcpProxy;
    let db: Database;
    let request: (path: string, body?: unknown) => Promise<Response>;

    beforeAll(async () => {
      const before = await proxyBefore(await emptyDatabase());
      proxy = before.proxy;
      db = await openPostgres({ url: before.url, pool: 5, statementTimeout: LIMIT });
      const { owner } = await newWorld(db);
      const app = createApp({ config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) });
      request = async (path, body) =>
        app.request(path, {
          method: body ? 'POST' : 'GET',
          headers: { Authorization: `Bearer ${owner.key}`, 'Content-Type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
    });

    afterAll(async () => {
      await db.close();
      await proxy.close();
    });

    it.each<Mode>([
      'refuse',
      'hold',
    ])('(%s) is a 503 at every door, and serves again once it is back', async (mode) => {
      const doors = () =>
        Promise.all([
          request('/graphql', { query: '{ viewer { name } }' }),
          request('/api/v1/organizations'),
          request('/api/v1/organizations', [{ Name: 'New' }]),
          request('/documents'),
          request('/readyz'),
        ]);
      proxy.mode(mode);
      for (let round = 0; round < 3; round++)
        for (const { status, headers } of await doors()) {
          expect(status).toBe(503);
          expect(headers.get('retry-after')).toBe('1');
        }
      expect((await request('/healthz')).status).toBe(200);
      proxy.mode('pass');
      await expect
        .poll(async () => (await doors()).map(({ status }) => status), { timeout: 5_000 })
        .toEqual([200, 200, expect.any(Number), 200, 200]);
      expect((await request('/api/v1/organizations')).status).toBe(200);
    });
  },
);
