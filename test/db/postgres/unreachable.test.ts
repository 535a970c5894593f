import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, DatabaseUnusable, type Transaction } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { isDatabaseUnreachable } from '../../../src/db/postgres/unreachable.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { emptyDatabase } from '../../support/database.ts';
import { proxyBefore, type TcpProxy } from '../../support/servers/tcp-proxy.ts';

const SLEEP = sql`SELECT 1 AS one FROM (SELECT pg_sleep(5)) AS slept`;

describe.runIf(process.env.TEST_DATABASE_URL)('PostgreSQL that becomes unreachable in a transaction', () => {
  let proxy: TcpProxy;
  let db: Database;

  beforeAll(async () => {
    const before = await proxyBefore(await emptyDatabase());
    proxy = before.proxy;
    db = await openPostgres({ url: before.url, pool: 3, statementTimeout: 10_000 });
  });

  afterAll(async () => {
    await db.close();
    await proxy.close();
  });

  afterEach(() => proxy.mode('pass'));

  const cutSoon = () => setTimeout(() => proxy.cut(), 100);
  const endOwnConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`;

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['ends the connection of a statement, as it does when it stops', (tx) => tx.query(endOwnConnection)],
    [
      'crashes under a statement',
      (tx) => {
        cutSoon();
        return tx.query(SLEEP);
      },
    ],
    [
      'crashes under the commit',
      async (tx) => {
        await tx.prisma.user.count();
        proxy.mode('hold');
        cutSoon();
      },
    ],
    [
      'crashed between two statements',
      async (tx) => {
        await tx.prisma.user.count();
        proxy.cut();
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tx.prisma.user.count();
      },
    ],
  ])('is distinguished from a failure of the statement when it %s', async (_, work) => {
    await expect(inTransaction(db, work)).rejects.toSatisfy(isDatabaseUnreachable);
  });

  it('is not unreachable when it rejects a statement', async () => {
    const refused = inTransaction(db, (tx) => tx.query(sql`SELECT 1 / 0`));
    await expect(refused).rejects.not.toSatisfy(isDatabaseUnreachable);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('PostgreSQL that is unreachable at the start', () => {
  it('is waited for', async () => {
    const { proxy, url } = await proxyBefore(await emptyDatabase());
    proxy.mode('refuse');
    setTimeout(() => proxy.mode('pass'), 1_000);
    const db = await openPostgres({ url, pool: 1, connectPatience: 30_000, statementTimeout: 10_000 });
    await db.ping();
    await db.close();
    await proxy.close();
  });

  it('is reported with its address and the reason after the wait', async () => {
    const { proxy, url } = await proxyBefore(await emptyDatabase());
    proxy.mode('refuse');
    const opened = openPostgres({ url, pool: 1, connectPatience: 500, statementTimeout: 10_000 });
    await expect(opened).rejects.toThrow(DatabaseUnusable);
    await expect(opened).rejects.toThrow(`PostgreSQL at ${new URL(url).host} cannot be reached: `);
    await proxy.close();
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('PostgreSQL with an encoding other than UTF-8', () => {
  it('is refused', async () => {
    const url = await emptyDatabase(`TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`);
    const opened = openPostgres({ url, pool: 1, statementTimeout: 10_000 });
    await expect(opened).rejects.toThrow(DatabaseUnusable);
    await expect(opened).rejects.toThrow('The database is encoded in SQL_ASCII; UTF8 is needed.');
  });
});
