import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maintain } from '../../../src/db/pglite/maintenance.ts';
import { openPglite } from '../../../src/db/pglite/pglite.ts';

describe('the maintenance of the embedded database', () => {
  let pglite: PGlite;

  beforeAll(async () => {
    pglite = await PGlite.create();
    await pglite.exec('CREATE TABLE "Come and go" (text text)');
  });

  afterAll(() => pglite.close());

  const execute = (text: string) => pglite.query(text);

  const numberOf = async (statement: string) =>
    Number((await pglite.query<{ number: number }>(`SELECT ${statement} AS number`)).rows[0]?.number);

  /** What was done is counted now, and not within a second. */
  const done = (statements: string) => pglite.exec(`${statements}; SELECT pg_stat_force_next_flush()`);

  const comeAndGo = () =>
    done(`
      INSERT INTO "Come and go" SELECT repeat('x', 500) FROM generate_series(1, 2000);
      DELETE FROM "Come and go"`);

  it('reuses the space of deleted rows', async () => {
    await comeAndGo();
    const once = await numberOf(`pg_table_size('"Come and go"')`);
    for (let turn = 0; turn < 4; turn++) {
      await maintain(execute);
      await comeAndGo();
    }
    expect(await numberOf(`pg_table_size('"Come and go"')`)).toBeLessThan(2 * once);
  });

  it('truncates the write-ahead log', async () => {
    const logged = '(SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) FROM pg_control_checkpoint())';
    while ((await numberOf(logged)) < 20 * 2 ** 20) await comeAndGo();
    await maintain(execute);
    expect(await numberOf(logged)).toBeLessThan(2 ** 20);
  });

  it('updates the statistics of the planner', async () => {
    await done('CREATE TABLE known AS SELECT n FROM generate_series(1, 500) AS n');
    await maintain(execute);
    expect(await numberOf(`(SELECT reltuples FROM pg_class WHERE relname = 'known')`)).toBe(500);
  });
});

describe.skipIf(process.env.TEST_DATABASE_URL)('an embedded database that is open', () => {
  it('is maintained in the background, also while transactions run', async () => {
    const dump = process.env.TEST_DATABASE_DUMP;
    const failures: Error[] = [];
    const onError = (error: Error) => void failures.push(error);
    const db = await openPglite({ dump, maintenanceInterval: 20, onError });
    await db.execute('CREATE TABLE numbers AS SELECT n FROM generate_series(1, 500) AS n', []);
    const statistics = async () => {
      await db.transact(({ prisma }) => prisma.user.count());
      const { rows } = await db.execute(`SELECT reltuples FROM pg_class WHERE relname = 'numbers'`, []);
      return rows;
    };
    await expect.poll(statistics).toEqual([{ reltuples: 500 }]);
    await db.close();
    expect(failures).toEqual([]);
  });
});
