import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { work } from '../../src/jobs/work.ts';
import { HOUR } from '../../src/lib/time.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';

const JOB = { queue: 'sweep', data: {} } as const;

async function setUp() {
  const db = await testDatabase();
  const done: object[] = [];
  const next = () => db.jobs.next('sweep', async (data) => done.push(data));
  return { db, done, next };
}

describe('the queue of jobs', () => {
  beforeEach(dropJobs);

  it('has the jobs of a transaction once it has committed', async () => {
    const { db, done, next } = await setUp();
    await inTransaction(db, (tx) => tx.enqueue(JOB));
    expect(await next()).toBe(true);
    expect(await next()).toBe(false);
    expect(done).toEqual([{}]);
  });

  it('has no jobs of a transaction that was rolled back', async () => {
    const { db, next } = await setUp();
    const failed = inTransaction(db, async (tx) => {
      await tx.enqueue(JOB);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await next()).toBe(false);
  });

  it('has a job at once, also within the millisecond of its creation', async () => {
    const { db, next } = await setUp();
    const taken: boolean[] = [];
    for (let times = 0; times < 100; times++) {
      await db.jobs.send(JOB);
      taken.push(await next());
    }
    expect(taken).not.toContain(false);
  });

  it('holds back a job until it is due', async () => {
    const { db, next } = await setUp();
    await inTransaction(db, (tx) => tx.enqueue({ ...JOB, startAfter: new Date(Date.now() + HOUR) }));
    expect(await next()).toBe(false);
    await db.prisma.$executeRaw`UPDATE jobs.job SET start_after = start_after - interval '1 hour'`;
    expect(await next()).toBe(true);
  });

  it('returns an unfinished job later', async () => {
    const { db, next } = await setUp();
    await db.jobs.send(JOB);
    const failing = db.jobs.next('sweep', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await next()).toBe(false);
    const [job] = await db.prisma.$queryRaw<{ state: string; retryCount: number }[]>`
      SELECT state::text, output ->> 'message' AS message FROM jobs.job WHERE name = 'sweep' AND state = 'retry'`;
    expect(job).toEqual({ state: 'retry', message: 'broken' });
    await db.prisma
      .$executeRaw`UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE state = 'retry'`;
    expect(await next()).toBe(true);
  });

  it('runs one job of each slot at a time if configured', async () => {
    const { db, next } = await setUp();
    await db.prisma.$executeRaw`DELETE FROM jobs.job WHERE singleton_on IS NOT NULL`;
    for (let times = 0; times < 3; times++) await db.jobs.send(JOB, { every: 3_600_000 });
    expect(await next()).toBe(true);
    expect(await next()).toBe(false);
  });

  it('gives a job to one of many workers', async () => {
    const { db, done, next } = await setUp();
    await db.jobs.send(JOB);
    const taken = await Promise.all(Array.from({ length: 20 }, next));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(done).toHaveLength(1);
  });

  it('is processed as soon as a transaction of this process commits, until it is stopped', async () => {
    const { db, next } = await setUp();
    const working = work(await jobContext());
    await inTransaction(db, (tx) => tx.enqueue(JOB));
    const started = Date.now();
    const open = () => db.prisma.$queryRaw<unknown[]>`
      SELECT FROM jobs.job WHERE name = 'sweep' AND state < 'completed'`;
    while ((await open()).length > 0 && Date.now() - started < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await working.stop();
    expect(await open()).toEqual([]);
    await db.jobs.send(JOB);
    expect(await next()).toBe(true);
  });
});

/** Opens one database again and again, as each start of a server does. */
async function reopened(): Promise<() => Promise<Database>> {
  if (process.env.TEST_DATABASE_URL) {
    const url = await emptyDatabase();
    return () => openPostgres({ url, pool: 1, statementTimeout: 10_000 });
  }
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-queues-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return () => openPglite({ folder });
}

describe('the queues of an earlier version', () => {
  it('are removed with their jobs, and sending to them has no effect', async () => {
    const open = await reopened();
    const before = await open();
    await before.query(sql`SELECT jobs.create_queue('webhook', '{"policy": "standard"}'::json)::text`);
    await before.query(
      sql`INSERT INTO jobs.job (name, data) SELECT 'webhook', '{}' FROM generate_series(1, 20000)`,
    );
    await before.jobs.send(JOB);
    await before.close();
    const db = await open();
    await db.jobs.send({ ...JOB, queue: 'webhook' as 'sweep' });
    const jobs = await db.query(sql`SELECT name FROM jobs.job`);
    const queues = await db.query(sql`SELECT name FROM jobs.queue WHERE name = 'webhook'`);
    await db.close();
    expect([jobs, queues]).toEqual([[{ name: 'sweep' }], []]);
  });
});

describe('the queues of an empty database', () => {
  it.runIf(process.env.TEST_DATABASE_URL)(
    'are created once by many processes that start at once',
    async () => {
      const url = await emptyDatabase();
      const open = () => openPostgres({ url, pool: 1, statementTimeout: 10_000 });
      const databases = await Promise.all(Array.from({ length: 10 }, open));
      await Promise.all(databases.map((db) => db.jobs.send(JOB)));
      const [first] = databases as [Database];
      const [row] = await first.prisma.$queryRaw<object[]>`SELECT count(*)::int AS jobs FROM jobs.job`;
      expect(row).toEqual({ jobs: 10 });
      await Promise.all(databases.map((db) => db.close()));
    },
  );
});
