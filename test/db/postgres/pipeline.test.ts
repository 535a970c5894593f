import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { Cancellation } from '../../../src/lib/cancellation.ts';
import { newDatabase, testDatabase } from '../../support/database.ts';

/** A statement has a name from the third time on, and its connection knows it the time after. */
const OFTEN = 6;

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

const number = (n: number) => db.pipelined.query<{ n: number }>(sql`SELECT ${n}::int AS n`);

describe('statements sent together', () => {
  it('each get their own result, also for equal statements and without rows', async () => {
    for (let time = 0; time < OFTEN; time++) {
      const [first, others, none, last] = await Promise.all([
        number(time),
        db.pipelined.query<{ n: number; text: string }>(
          sql`SELECT n, repeat('x', n) AS text FROM generate_series(1, 50) AS n`,
        ),
        db.pipelined.query(sql`SELECT id FROM users WHERE false`),
        number(time + 1),
      ]);
      expect([first[0]?.n, last[0]?.n, none]).toEqual([time, time + 1, []]);
      expect(others.map(({ n, text }) => [n, text.length])).toEqual(others.map((_, at) => [at + 1, at + 1]));
    }
  });

  it('fail independently', async () => {
    for (let time = 0; time < OFTEN; time++) {
      const ends = await Promise.allSettled([
        number(1),
        db.pipelined.query<{ n: number }>(sql`SELECT 1 / ${0}::int AS n`),
        number(2),
        db.pipelined.query<{ n: number }>(sql`SELECT 2 / ${0}::int AS n`),
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
});

describe.runIf(process.env.TEST_DATABASE_URL)('statements of several callers', () => {
  let own: Database;
  const caller = () => {
    const departure = new Cancellation();
    return { leave: () => departure.cancel(), pipelined: own.forCaller(departure).pipelined };
  };
  const pid = ({ pipelined }: Pick<Database, 'pipelined'>) =>
    pipelined.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`).then(([row]) => row?.pid);
  const sleep = ({ pipelined }: Pick<Database, 'pipelined'>, seconds: number) =>
    pipelined.query(sql`SELECT pg_sleep(${seconds}::float8)::text AS slept`);
  const sleeping = () =>
    own.query(sql`SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active'
      AND datname = current_database() AND pid <> pg_backend_pid()`);

  beforeEach(async () => {
    own = await newDatabase();
  });

  afterEach(async () => {
    await own.close();
  });

  it('share a connection, and free it for the next ones', async () => {
    for (let time = 0; time < OFTEN; time++) {
      const pids = await Promise.all([pid(own), pid(caller()), pid(caller())]);
      expect(new Set(pids).size).toBe(1);
    }
    expect(own.connections?.()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('are all answered when they outnumber the connections', async () => {
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    const ask = (n: number) => caller().pipelined.query<{ n: number }>(sql`SELECT ${n}::int AS n`);
    expect((await Promise.all(numbers.map(ask))).map(([row]) => row?.n)).toEqual(numbers);
  });

  it('do not wait for a slow one', async () => {
    await Promise.all([own.query(sql`SELECT 1`), own.query(sql`SELECT 1`)]);
    for (let time = 0; time < OFTEN; time++) {
      const answered: string[] = [];
      const slow = sleep(caller(), 0.5).then(() => answered.push('slow'));
      const behind = [pid(caller()), pid(caller())].map((each) => each.then(() => answered.push('behind')));
      await Promise.all([slow, ...behind]);
      expect(answered).toEqual(['behind', 'behind', 'slow']);
    }
  });

  it('continue when one of the callers disconnects', async () => {
    const [first, gone] = [caller(), caller()];
    const before = await pid(first);
    const ends = Promise.allSettled([sleep(first, 0.3), sleep(gone, 0.1), pid(first)]);
    setTimeout(gone.leave, 100);
    const [slept, left, after] = await ends;
    expect([slept.status, left.status, after]).toEqual([
      'fulfilled',
      'rejected',
      { status: 'fulfilled', value: before },
    ]);
  });

  it('are cancelled when all callers have disconnected', async () => {
    const callers = [caller(), caller()];
    const ends = Promise.allSettled(callers.flatMap((each) => [sleep(each, 30), sleep(each, 30)]));
    await expect.poll(sleeping).not.toEqual([]);
    for (const { leave } of callers) leave();
    expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect.poll(sleeping, { timeout: 5_000 }).toEqual([]);
    expect(await own.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });
});
