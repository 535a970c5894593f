import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { Cancellation } from '../../src/lib/cancellation.ts';
import { newDatabase } from '../support/database.ts';

let db: Database;

beforeAll(async () => {
  db = await newDatabase();
});
afterAll(() => db.close());

const of = (tenant: string) => db.forCaller(new Cancellation(tenant));

describe('statements of several tenants', () => {
  it('are scheduled fairly: one tenant does not wait for the many of another', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    // Longer than the pool, so that most of them wait.
    const many = Array.from({ length: 60 }, () =>
      of('large').query(sql`SELECT pg_sleep(0.02)`).then(note('large')),
    );
    const one = of('small').query(sql`SELECT 1`).then(note('small'));
    await Promise.all([...many, one]);
    expect(order.indexOf('small')).toBeLessThan(30);
  });

  it('each get their own result when many run at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { query, pipelined } = of(`tenant ${index % 7}`);
        const ask = index % 2 ? query : pipelined.query;
        const [row] = await ask<{ n: number }>(sql`SELECT ${index}::int AS n`);
        return row?.n;
      }),
    );
    expect(answers).toEqual(answers.map((_, index) => index));
  });
});

describe('transactions of several tenants', () => {
  it('are scheduled fairly: one tenant does not wait for the many of another', async () => {
    const order: string[] = [];
    const run = (tenant: string) =>
      inTransaction(of(tenant), (tx) => tx.query(sql`SELECT pg_sleep(0.01)::text`)).then(() =>
        order.push(tenant),
      );
    const many = Array.from({ length: 60 }, () => run('large'));
    const one = run('small');
    await Promise.all([...many, one]);
    expect(order.indexOf('small')).toBeLessThan(30);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('on PostgreSQL, transactions of several tenants', () => {
  it('leave connections to other tenants while many of one wait for a lock', async () => {
    const lock = sql`SELECT pg_advisory_xact_lock(4711)`;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = inTransaction(db, async (tx) => {
      await tx.query(lock);
      await released;
    });
    const many = Array.from({ length: 60 }, () => inTransaction(of('large'), (tx) => tx.query(lock)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [row] = await inTransaction(of('small'), (tx) => tx.query<{ n: number }>(sql`SELECT 1 AS n`));
    expect(row?.n).toBe(1);
    release();
    await Promise.all([holder, ...many]);
  });
});
