import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { Cancellation } from '../../../src/lib/cancellation.ts';
import { emptyDatabase } from '../../support/database.ts';
import { appOn } from '../../support/oauth.ts';
import { newPerson } from '../../support/world.ts';

const QUERY = JSON.stringify({ query: '{ viewer { tasks { nodes { id } } } }' });

/** A server whose statements on tasks wait for a lock that a stranger holds, and how many of them do. */
async function heldUp(statementTimeout: number) {
  const url = await emptyDatabase();
  const db = await openPostgres({ url, pool: 5, statementTimeout });
  const { key } = await newPerson(db);
  const app = await appOn(db);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = (signal?: AbortSignal) =>
    app.request('/graphql', { method: 'POST', headers, body: QUERY, signal });
  await ask();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
  const close = async () => {
    await holder.end();
    await db.close();
  };
  return { db, ask, waiting: () => waiting(holder), close };
}

async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let times = 0; times < 500 && !(await what()); times++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await what()).toBe(true);
}

describe.runIf(process.env.TEST_DATABASE_URL)('a statement', () => {
  it('is cancelled by the server at its timeout, and the caller gets an error', async () => {
    const { ask, waiting, close } = await heldUp(300);
    const answer = await ask();
    const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
    expect([answer.status, errors[0]?.extensions.code]).toEqual([200, 'UNAVAILABLE']);
    expect(await waiting()).toBe(0);
    await close();
  });

  it('is cancelled when its caller disconnects, and its connection is closed', async () => {
    const { db, ask, waiting, close } = await heldUp(60_000);
    const caller = new AbortController();
    const answer = Promise.resolve(ask(caller.signal)).catch(() => undefined);
    await until(async () => (await waiting()) === 1);
    caller.abort();
    await until(async () => (await waiting()) === 0);
    await answer;
    expect(await rows(db)).toEqual([{ one: 1 }]);
    await close();
  });

  it('closes no connection for which its caller was not waiting', async () => {
    const { db, close } = await heldUp(60_000);
    const pids = async () => {
      const busy = () => db.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid, pg_sleep(0.2)`);
      const rows = await Promise.all(Array.from({ length: 5 }, busy));
      return new Set(rows.map(([row]) => row?.pid));
    };
    const before = await pids();
    const caller = new Cancellation();
    const [pidsBefore, left] = [pids(), db.forCaller(caller)];
    const waiting = Array.from({ length: 20 }, () => left.query(sql`SELECT 1`));
    caller.cancel();
    const ends = await Promise.allSettled(waiting);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect([await pidsBefore, await pids()]).toEqual([before, before]);
    await close();
  });

  it('is not sent for a caller that has disconnected', async () => {
    const { db, close } = await heldUp(60_000);
    const caller = new Cancellation();
    caller.cancel();
    await expect(db.forCaller(caller).query(sql`SELECT 1`)).rejects.toThrow('has gone');
    await close();
  });
});

const rows = (db: Database) => db.query(sql`SELECT 1 AS one`);
