import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { StatementNames } from '../../../src/db/sql/statement-names.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { newDatabase, testDatabase } from '../../support/database.ts';
import { newWorld } from '../../support/world.ts';

const named = (names: StatementNames, text: string) => [1, 2, 3, 4].map(() => names.of(text)).at(-1);
const failure = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('repeated statements', () => {
  it('get a name from the third use on, the same for all callers', () => {
    const names = new StatementNames();
    const namesInOrder = [1, 2, 3, 4].map(() => names.of('select 1'));
    expect(namesInOrder).toEqual([undefined, undefined, expect.any(String), namesInOrder[2]]);
    expect(named(new StatementNames(), 'select 1')).toBe(namesInOrder[2]);
    expect((namesInOrder[2] as string).length).toBeLessThan(64);
  });

  it('are named up to a maximum number', () => {
    const names = new StatementNames();
    const all = Array.from({ length: 400 }, (_, index) => named(names, `select ${index}`));
    expect(all.filter((name) => name !== undefined)).toHaveLength(250);
  });

  it('are prepared again after a migration invalidated their plans', () => {
    const names = new StatementNames();
    const before = named(names, 'select 1');
    expect(names.failed(failure('0A000', 'cached plan must not change result type'))).toBe(true);
    expect(named(names, 'select 1')).not.toBe(before);
  });

  it('lose their names behind a pooler that shares connections', () => {
    const names = new StatementNames();
    named(names, 'select 1');
    expect(names.failed(failure('26000'))).toBe(true);
    expect(named(names, 'select 1')).toBeUndefined();
  });

  it('are not sent again after any other error', () => {
    const names = new StatementNames();
    expect(names.failed(failure('23505'))).toBe(false);
    expect(names.failed(failure('0A000', 'this is not supported'))).toBe(false);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'still answer when a migration adds a column meanwhile',
    async () => {
      const db = await testDatabase();
      await db.prisma.$executeRaw`CREATE TABLE prepared_probe (a int)`;
      await db.prisma.$executeRaw`INSERT INTO prepared_probe VALUES (1)`;
      const read = () => db.query(sql`SELECT * FROM prepared_probe`);
      for (let time = 0; time < 50; time++) await read();
      await db.prisma.$executeRaw`ALTER TABLE prepared_probe ADD COLUMN b int`;
      const answers = await Promise.all(Array.from({ length: 50 }, read));
      expect(new Set(answers.map((rows) => JSON.stringify(rows)))).toEqual(new Set(['[{"a":1,"b":null}]']));
      await db.prisma.$executeRaw`DROP TABLE prepared_probe`;
    },
  );
});

describe.runIf(process.env.TEST_DATABASE_URL)('a plan prepared while a table was empty', () => {
  it('uses the index once the table is full', async () => {
    const db = await newDatabase();
    const { owner, organization, project } = await newWorld(db);
    await db.query(sql`VACUUM ANALYZE`);
    const ids = Array.from({ length: 25 }, (_, index) => `tsk_${index + 1}`);
    const find = sql`SELECT t.name FROM tasks t WHERE t.id ${sql.any(ids)}`;
    const read = await inTransaction(db, async (tx) => {
      for (let time = 0; time < 12; time++) await tx.query(find);
      await tx.query(sql`INSERT INTO tasks (organization_id, id, project_id, name, name_key, created_by_id)
        SELECT ${organization.id}, 'tsk_' || n, ${project.id}, 't', 't', ${owner.id} FROM generate_series(1, 1000) n`);
      const rows = sql`SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'tasks'`;
      const [before] = await tx.query<{ rows: bigint }>(rows);
      expect(await tx.query(find)).toHaveLength(25);
      const [after] = await tx.query<{ rows: bigint }>(rows);
      return Number(after?.rows) - Number(before?.rows);
    });
    expect(read).toBeLessThan(100);
    await db.close();
  });
});
