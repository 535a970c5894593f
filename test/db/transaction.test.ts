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
    await expect(late.defer(sql`DELETE FROM users WHERE id = ${first.id}`)).rejects.toThrow();
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

describe('statements of a transaction', () => {
  const rename = (id: string, name: string) => sql`UPDATE users SET name = ${name} WHERE id = ${id}`;
  const nameOf = async (reader: Pick<Transaction, 'query'>, id: string) =>
    (await reader.query<{ name: string }>(sql`SELECT name FROM users WHERE id = ${id}`))[0]?.name;
  const stored = async () => {
    const user = newUser();
    await db.prisma.user.create({ data: user });
    return user.id;
  };

  it('that are sent together each see what the one before did', async () => {
    const id = await stored();
    const names = await inTransaction(db, (tx) =>
      Promise.all([nameOf(tx, id), tx.query(rename(id, 'Second')), nameOf(tx, id)]),
    );
    expect([names[0], names[2]]).toEqual(['Nobody', 'Second']);
  });

  it('that are sent together fail with the first of them that fails', async () => {
    const id = await stored();
    const results: unknown[] = [];
    const done = inTransaction(db, async (tx) => {
      const all = [tx.query(rename(id, 'Second')), tx.query(sql`SELECT 1 / 0`), nameOf(tx, id)];
      for (const { status } of await Promise.allSettled(all)) results.push(status);
      throw new Error('So it ends.');
    });
    await expect(done).rejects.toThrow('So it ends.');
    expect([results, await nameOf(db, id)]).toEqual([['fulfilled', 'rejected', 'rejected'], 'Nobody']);
  });

  it('run before what comes after them if they are deferred, of Prisma too', async () => {
    const id = await stored();
    const seen = await inTransaction(db, async (tx) => {
      await tx.defer(rename(id, 'Second'));
      const first = await nameOf(tx, id);
      await tx.defer(rename(id, 'Third'));
      return [first, (await tx.prisma.user.findUniqueOrThrow({ where: { id } })).name];
    });
    expect(seen).toEqual(['Second', 'Third']);
  });

  it('run with the commit if they are deferred, also without any other', async () => {
    const id = await stored();
    await inTransaction(db, async (tx) => tx.defer(rename(id, 'Second')));
    expect(await nameOf(db, id)).toBe('Second');
  });

  it('end the transaction if they are deferred and fail', async () => {
    const id = await stored();
    const failing = (statement = sql`SELECT 1 / 0`) =>
      inTransaction(db, async (tx) => {
        await tx.query(rename(id, 'Second'));
        await tx.defer(statement);
      });
    await expect(failing()).rejects.toThrow(/division by zero/);
    await expect(inTransaction(db, async (tx) => tx.defer(sql`SELECT 1 / 0`))).rejects.toThrow(/division/);
    // The connections are fit for the next ones.
    const names = await Promise.all(
      Array.from({ length: 30 }, () => inTransaction(db, (tx) => nameOf(tx, id))),
    );
    expect(new Set(names)).toEqual(new Set(['Nobody']));
  });

  it('are not sent if they are deferred and the work fails', async () => {
    const id = await stored();
    const done = inTransaction(db, async (tx) => {
      await tx.query(sql`SELECT 1`);
      await tx.defer(rename(id, 'Second'));
      throw new Error('Not this one.');
    });
    await expect(done).rejects.toThrow('Not this one.');
    expect(await nameOf(db, id)).toBe('Nobody');
  });

  it('are not committed if they are deferred after one that failed', async () => {
    const id = await stored();
    const done = inTransaction(db, async (tx) => {
      await tx.query(sql`SELECT 1 / 0`).catch(() => {});
      await tx.defer(rename(id, 'Second'));
    });
    await expect(done).rejects.toThrow();
    expect(await nameOf(db, id)).toBe('Nobody');
  });
});
