import { beforeAll, describe, expect, it } from 'vitest';
import type { Database, Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { newId } from '../../src/lib/id.ts';
import { newDatabase, testDatabase } from '../support/database.ts';

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

const newUser = () => ({ id: newId('User'), email: `${newId('User')}@example.test`, name: 'Nobody' });
const add = (tx: Transaction, user: ReturnType<typeof newUser>) => tx.prisma.user.create({ data: user });
const userRows = (reader: Pick<Transaction, 'query'>, id: string) =>
  reader.query(sql`SELECT id FROM users WHERE id = ${id}`);

describe('a transaction', () => {
  it('covers statements of Prisma and of the SQL layer, also with many at once', async () => {
    const one = async (index: number) => {
      const user = newUser();
      const seen = await inTransaction(db, async (tx) => {
        const before = await userRows(tx, user.id);
        await add(tx, user);
        const within = await userRows(tx, user.id);
        const outside = db.kind === 'postgres' ? await userRows(db, user.id) : [];
        if (index % 2) throw new Error('Not this one.');
        return [before.length, within.length, outside.length];
      }).catch((error: Error) => error.message);
      return { seen, after: await userRows(db, user.id) };
    };
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => one(index)));
    expect(new Set(all.map(({ seen }, index) => JSON.stringify([index % 2, seen])))).toEqual(
      new Set(['[0,[0,1,0]]', '[1,"Not this one."]']),
    );
    expect(all.map(({ after }) => after.length)).toEqual(all.map((_, index) => 1 - (index % 2)));
  });

  it('rejects when its COMMIT fails', async () => {
    const ids = () => db.query(sql`SELECT id FROM deferred_reference`);
    await inTransaction(db, (tx) =>
      tx.query(sql`
        CREATE TABLE deferred_reference (
          id int PRIMARY KEY, other int REFERENCES deferred_reference DEFERRABLE INITIALLY DEFERRED
        )`),
    );
    const insert = inTransaction(db, (tx) => tx.query(sql`INSERT INTO deferred_reference VALUES (1, 2)`));
    await expect(insert).rejects.toThrow(/deferred_reference_other_fkey/);
    expect(await ids()).toEqual([]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'is done again when it and another one wait for each other',
    async () => {
      const [one, other] = [newUser(), newUser()];
      for (const user of [one, other]) await db.prisma.user.create({ data: user });
      let meet = () => {};
      const met = new Promise<void>((resolve) => {
        meet = resolve;
      });
      let tries = 0;
      let locked = 0;
      const change = (first: string, second: string) =>
        inTransaction(db, async (tx) => {
          tries++;
          await tx.query(sql`UPDATE users SET name = name || '+' WHERE id = ${first} RETURNING id`);
          if (++locked === 2) meet();
          await met;
          await tx.query(sql`UPDATE users SET name = name || '+' WHERE id = ${second} RETURNING id`);
        });
      await Promise.all([change(one.id, other.id), change(other.id, one.id)]);
      const names = await db.prisma.user.findMany({ where: { id: { in: [one.id, other.id] } } });
      expect(names.map(({ name }) => name)).toEqual(['Nobody++', 'Nobody++']);
      expect(tries).toBe(3);
    },
  );

  it('refuses statements and Prisma calls after its end', async () => {
    const [first, second] = [newUser(), newUser()];
    let kept: Transaction | undefined;
    await inTransaction(db, async (tx) => {
      kept = tx;
      await add(tx, first);
    });
    const late = kept as Transaction;
    await expect(late.query(sql`DELETE FROM users WHERE id = ${first.id}`)).rejects.toThrow();
    await expect(add(late, second)).rejects.toThrow();
    expect([await userRows(db, first.id), await userRows(db, second.id)]).toEqual([[{ id: first.id }], []]);
  });

  it('without statements refuses them after its end', async () => {
    const user = newUser();
    const late = await inTransaction(db, async (tx) => tx);
    await expect(userRows(late, user.id)).rejects.toThrow();
    await expect(add(late, user)).rejects.toThrow();
    const locked = sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    if (db.kind === 'postgres') expect(await db.query(locked)).toEqual([]);
    expect(await userRows(db, user.id)).toEqual([]);
  });

  it('is not committed after a failed statement whose error was ignored', async () => {
    const user = newUser();
    const done = inTransaction(db, async (tx) => {
      await add(tx, user);
      await tx.query(sql`SELECT 1 / 0`).catch(() => {});
    });
    if (db.kind === 'postgres')
      await expect(done).rejects.toThrow('A statement failed in a transaction that continued.');
    else await done.catch(() => {});
    expect(await userRows(db, user.id)).toEqual([]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'runs again when the names of its statements are lost',
    async () => {
      const [own, user] = [await newDatabase(), newUser()];
      let runs = 0;
      for (let time = 0; time < 4; time++) await userRows(own, user.id);
      await inTransaction(own, async (tx) => {
        runs++;
        await add(tx, user);
        await userRows(tx, user.id);
        if (runs === 1) await tx.query(sql`DEALLOCATE ALL`);
        await userRows(tx, user.id);
      });
      expect([runs, await userRows(own, user.id)]).toEqual([2, [{ id: user.id }]]);
      await own.close();
    },
  );

  it.runIf(process.env.TEST_DATABASE_URL)('begun by Prisma itself is refused', async () => {
    await expect(db.prisma.$transaction((tx) => tx.user.count())).rejects.toThrow(
      'Only inTransaction begins a transaction.',
    );
  });
});
