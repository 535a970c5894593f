import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPglite, type PgliteOptions } from '../../../src/db/pglite/pglite.ts';

/** Runs for minutes. */
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 100000000000)';

/** An index whose expression does not end while `docgraph.endless` is on: ANALYZE, a part of maintenance, computes it. */
const ENDLESS_INDEX = `
  CREATE FUNCTION endless(number int) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('docgraph.endless', true) = 'on' THEN RETURN (${ENDLESS}); END IF;
    RETURN number;
  END $$;
  CREATE TABLE numbers AS SELECT number FROM generate_series(1, 500) AS number;
  CREATE INDEX ON numbers (endless(number))`;

let folder: string;
/** Threads that run, of all databases. */
const threads = new Set<Worker>();
const countThread = (thread: Worker) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
};

beforeAll(() => void process.on('worker', countThread));
afterAll(() => void process.off('worker', countThread));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docgraph-restart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (options: PgliteOptions = {}) =>
  openPglite({ folder: join(folder, 'pg'), dump: process.env.TEST_DATABASE_DUMP, ...options });

describe.skipIf(process.env.TEST_DATABASE_URL)(
  'a statement of the embedded database that does not end',
  () => {
    it('is ended while maintenance waits for it', async () => {
      const db = await open({ statementTimeout: 3_000, maintenanceInterval: 500 });
      await expect(db.execute(ENDLESS, [])).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect((await db.execute('SELECT 1 AS number', [])).rows).toEqual([{ number: 1 }]);
      await db.close();
    });

    it('is ended if it is one of maintenance, after a longer time', async () => {
      const db = await open({ statementTimeout: 1_000, maintenanceTimeout: 4_000, maintenanceInterval: 500 });
      await db.execute(ENDLESS_INDEX, []);
      await db.execute(`SET docgraph.endless = 'on'`, []);
      const setting = async () => {
        const { rows } = await db.execute(
          `SELECT current_setting('docgraph.endless', true) AS endless, reltuples FROM pg_class WHERE relname = 'numbers'`,
          [],
        );
        return rows[0];
      };
      // A restarted thread has a new session, without the setting, in which maintenance ends.
      await expect
        .poll(() => setting().catch(() => 'none'), { timeout: 40_000 })
        .toEqual({
          endless: null,
          reltuples: 500,
        });
      await db.close();
    });
  },
);

describe.skipIf(process.env.TEST_DATABASE_URL)('a folder that is no database', () => {
  it('is tried once, and refused with the reason', async () => {
    mkdirSync(join(folder, 'broken'));
    writeFileSync(join(folder, 'broken', 'PG_VERSION'), '9\n');
    const reasons: string[] = [];
    const opened = openPglite({
      folder: join(folder, 'broken'),
      onBroken: (reason) => void reasons.push(reason),
    });
    await expect(opened).rejects.toThrow('cannot be opened');
    // In the time in which another database is opened, a second thread would have failed too.
    const other = await open();
    await other.close();
    expect(reasons).toEqual([]);
    await expect.poll(() => threads.size).toBe(0);
  });
});

describe.skipIf(process.env.TEST_DATABASE_URL)('an embedded database that is closed during a restart', () => {
  it('is closed with its thread, and can be opened again', async () => {
    const db = await open({ statementTimeout: 2_000 });
    await db.execute('CREATE TABLE stored AS SELECT 1 AS number', []);
    await db.execute(ENDLESS, []).catch(() => {});
    await db.close();
    expect(threads.size).toBe(0);
    const again = await open({ dump: undefined });
    expect((await again.execute('SELECT number FROM stored', [])).rows).toEqual([{ number: 1 }]);
    await again.close();
  });
});
