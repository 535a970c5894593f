import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { isDatabaseUnreachable } from '../../../src/db/postgres/unreachable.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { Cancellation } from '../../../src/lib/cancellation.ts';
import { emptyDatabase } from '../../support/database.ts';
import { proxyBefore, type TcpProxy } from '../../support/servers/tcp-proxy.ts';

const SLEEP = sql`SELECT 1 AS one FROM (SELECT pg_sleep(2)) AS slept`;

/** So long that whoever waited for it would fail by the time of the test. */
const LIMIT = 600_000;

describe.runIf(process.env.TEST_DATABASE_URL)('a pool of connections to PostgreSQL', () => {
  let proxy: TcpProxy;
  let db: Database;

  beforeEach(async () => {
    const before = await proxyBefore(await emptyDatabase());
    proxy = before.proxy;
    db = await openPostgres({ url: before.url, pool: 2, statementTimeout: LIMIT });
  });

  afterEach(async () => {
    await db.close();
    await proxy.close();
  });

  const sleeping = (count: number) => Promise.all(Array.from({ length: count }, () => db.query(SLEEP)));

  it('does not mistake a slow statement or a busy pool for an unresponsive database', async () => {
    expect(await sleeping(3)).toEqual(Array(3).fill([{ one: 1 }]));
  });

  it('does not mistake a server that takes long for each message, also of the probe, for an unresponsive one', async () => {
    proxy.mode('delay');
    const counts = await db.transact(async (tx) => [
      await tx.prisma.user.count(),
      await tx.prisma.user.count(),
    ]);
    expect(counts).toEqual([0, 0]);
  });

  it('does not mistake a server that starts no new connections for an unresponsive one', async () => {
    await sleeping(2);
    proxy.mode('holdNew');
    expect(await sleeping(1)).toEqual([[{ one: 1 }]]);
  });

  it('fails all callers when the database stops responding: those with a connection and those that wait for one', async () => {
    const read = (on: Database) => on.query(SLEEP);
    const waiting = [
      read(db),
      read(db.forCaller(new Cancellation())),
      db.prisma.user.count(),
      db.transact((tx) => tx.prisma.user.count()),
      db.ping(),
    ];
    proxy.mode('hold');
    const ends = await Promise.allSettled(waiting);
    expect(ends.map((end) => end.status === 'rejected' && isDatabaseUnreachable(end.reason))).toEqual(
      Array(5).fill(true),
    );
    await expect(db.ping()).rejects.toThrow('PostgreSQL does not answer');
    proxy.mode('pass');
    await expect.poll(() => read(db).catch(() => undefined)).toEqual([{ one: 1 }]);
  });

  it('survives the end of a connection in use', async () => {
    const reading = expect(db.forCaller(new Cancellation()).query(SLEEP)).rejects.toSatisfy(
      isDatabaseUnreachable,
    );
    await expect.poll(() => db.connections?.().idle).toBe(0);
    proxy.mode('refuse');
    await reading;
    proxy.mode('pass');
    expect(await db.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });
});
