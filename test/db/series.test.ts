import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { newDatabase, testDatabase } from '../support/database.ts';

const { sql } = Prisma;

/** A statement has a name from the third time on, and its connection knows it the time after. */
const OFTEN = 6;

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

const number = (n: number) => db.lazily.query<{ n: number }>(sql`SELECT ${n}::int AS n`);

describe('statements that are asked together', () => {
  it('have each their own answer, also of the same statement and of none', async () => {
    for (let time = 0; time < OFTEN; time++) {
      const [first, others, none, last] = await Promise.all([
        number(time),
        db.lazily.query<{ n: number; text: string }>(
          sql`SELECT n, repeat('x', n) AS text FROM generate_series(1, 50) AS n`,
        ),
        db.lazily.query(sql`SELECT id FROM users WHERE false`),
        number(time + 1),
      ]);
      expect([first[0]?.n, last[0]?.n, none]).toEqual([time, time + 1, []]);
      expect(others.map(({ n, text }) => [n, text.length])).toEqual(others.map((_, at) => [at + 1, at + 1]));
    }
  });

  it('fail each for themselves', async () => {
    for (let time = 0; time < OFTEN; time++) {
      const ends = await Promise.allSettled([
        number(1),
        db.lazily.query<{ n: number }>(sql`SELECT 1 / ${0}::int AS n`),
        number(2),
        db.lazily.query<{ n: number }>(sql`SELECT 2 / ${0}::int AS n`),
        number(3),
      ]);
      const all = ends.map((end) => (end.status === 'fulfilled' ? end.value[0]?.n : String(end.reason)));
      expect(all).toEqual([
        1,
        expect.stringContaining('division'),
        2,
        expect.stringContaining('division'),
        3,
      ]);
    }
  });

  it.runIf(process.env.TEST_DATABASE_URL)('share a connection, and leave it to the next ones', async () => {
    const own = await newDatabase();
    const pid = () => own.lazily.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    for (let time = 0; time < OFTEN; time++) {
      const found = await Promise.all([pid(), pid(), pid()]);
      expect(new Set(found.map(([row]) => row?.pid)).size).toBe(1);
    }
    expect(own.connections?.()).toEqual({ total: 1, idle: 1, waiting: 0 });
    await own.close();
  });

  it.runIf(process.env.TEST_DATABASE_URL)('are all ended when their caller has gone', async () => {
    const caller = new AbortController();
    const { lazily } = db.until(caller.signal);
    const ends = Promise.allSettled([
      lazily.query(sql`SELECT 1 AS n`),
      lazily.query(sql`SELECT pg_sleep(30)`),
      lazily.query(sql`SELECT 2 AS n`),
    ]);
    setTimeout(() => caller.abort(), 200);
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
