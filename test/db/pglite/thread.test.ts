import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedDatabase, openPglite } from '../../../src/db/pglite/pglite.ts';
import { isDatabaseUnreachable } from '../../../src/db/postgres/unreachable.ts';
import { sql } from '../../../src/db/sql/sql.ts';

/** Runs for minutes. */
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 100000000000)';

let folder: string;
let db: EmbeddedDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docgraph-thread-'));
  db = await openPglite({
    folder: join(folder, 'pg'),
    dump: process.env.TEST_DATABASE_DUMP,
    statementTimeout: 5_000,
  });
  await db.execute('CREATE TABLE stored (number int)', []);
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.env.TEST_DATABASE_URL)('the thread of the embedded database', () => {
  it('leaves the main thread free while a statement runs', async () => {
    const slow = db.execute('SELECT count(*) FROM generate_series(1, 200000)', []);
    const order: string[] = [];
    const turned = new Promise((resolve) => setImmediate(resolve)).then(() => order.push('event loop'));
    await Promise.all([slow.then(() => order.push('statement')), turned]);
    expect(order).toEqual(['event loop', 'statement']);
  });

  it('is started again when a statement does not end, with all that was committed', async () => {
    await db.execute('INSERT INTO stored VALUES (1)', []);
    const error = await db.execute(ENDLESS, []).catch((reason) => reason);
    expect(isDatabaseUnreachable(error)).toBe(true);
    const { rows } = await db.execute('SELECT number FROM stored', []);
    expect(rows).toEqual([{ number: 1 }]);
  });

  it('rolls back the transaction in which a statement does not end', async () => {
    const work = db.transact(async ({ query }) => {
      await query(sql`INSERT INTO stored VALUES (1)`);
      await query(sql.raw(ENDLESS));
    });
    await expect(work).rejects.toThrow();
    expect((await db.execute('SELECT number FROM stored', [])).rows).toEqual([]);
  });

  it('lets other transactions in when one is abandoned', async () => {
    const abandoned = db.transact(async ({ query }) => {
      await query(sql`INSERT INTO stored VALUES (1)`);
      throw Object.assign(new Error('The connection is lost'), { code: 'ECONNRESET' });
    });
    await expect(abandoned).rejects.toThrow('The connection is lost');
    await db.transact(({ query }) => query(sql`INSERT INTO stored VALUES (2)`));
    expect((await db.execute('SELECT number FROM stored', [])).rows).toEqual([{ number: 2 }]);
  });

  it('keeps named statements of connections apart', async () => {
    const read = (number: number) =>
      db.pipelined.query<{ number: number }>(sql`SELECT ${number}::int AS number`);
    for (let round = 0; round < 5; round++) {
      const rows = await Promise.all(Array.from({ length: 100 }, (_, number) => read(number)));
      expect(rows.map(([row]) => row?.number)).toEqual(Array.from({ length: 100 }, (_, number) => number));
    }
    const { rows } = await db.execute(`SELECT count(*)::int AS named FROM pg_prepared_statements`, []);
    expect(rows[0].named).toBeGreaterThan(0);
  });
});
