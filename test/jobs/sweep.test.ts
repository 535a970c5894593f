import { expect, it, onTestFinished } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { sweepNext } from '../../src/jobs/sweep.ts';
import { work } from '../../src/jobs/work.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { newDatabase, testDatabase } from '../support/database.ts';
import { jobContext } from '../support/jobs.ts';
import { newWorld } from '../support/world.ts';

/** The context of a sweep each hour, the last of which began so many ms ago. */
async function setUp(ago: number) {
  const db = await testDatabase();
  const begunAt = new Date(Date.now() - ago);
  await db.prisma.recurringWork.updateMany({ data: { begunAt } });
  return { db, ctx: { ...(await jobContext(db)), sweepEvery: HOUR } };
}

const lastSweep = async () => {
  const db = await testDatabase();
  return (await db.prisma.recurringWork.findFirstOrThrow({ where: { work: 'sweep' } })).begunAt.getTime();
};

it('a sweep is done once in its interval', async () => {
  const { ctx } = await setUp(HOUR + MINUTE);
  expect([await sweepNext(ctx), await sweepNext(ctx)]).toEqual([true, false]);
  expect(Date.now() - (await lastSweep())).toBeLessThan(MINUTE);
  await setUp(HOUR - MINUTE);
  expect(await sweepNext(ctx)).toBe(false);
});

it('a sweep is done by one of many workers', async () => {
  const { ctx } = await setUp(2 * HOUR);
  const swept = await Promise.all(Array.from({ length: 20 }, () => sweepNext(ctx)));
  expect(swept.filter(Boolean)).toHaveLength(1);
});

it('a sweep that failed is done again in a minute', async () => {
  const { db, ctx } = await setUp(2 * HOUR);
  const { project } = await newWorld();
  await db.query(sql`UPDATE projects p SET purge_marked_at = now() WHERE p.id = ${project.id}`);
  const failing = { ...ctx, limits: { ...ctx.limits, recycleBin: Number.NaN } };
  await expect(sweepNext(failing)).rejects.toThrow();
  expect(await sweepNext(ctx)).toBe(false);
  await db.query(sql`UPDATE recurring_work r SET begun_at = r.begun_at - interval '61 seconds'`);
  expect(await sweepNext(ctx)).toBe(true);
});

it('work is done as soon as a transaction of this process commits that made it due, and not before', async () => {
  const db = await newDatabase();
  onTestFinished(() => db.close());
  const done: string[] = [];
  const working = work(await jobContext(db));
  const { onDue } = db.work;
  db.work.onDue = (due) => {
    done.push(due);
    onDue(due);
  };
  await inTransaction(db, async (tx) => {
    tx.wake('sweep');
    tx.wake('sweep');
    await db.query(sql`SELECT 1`);
    expect(done).toEqual([]);
  });
  const failed = inTransaction(db, async (tx) => {
    tx.wake('mail');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await working.stop();
  expect(done).toEqual(['sweep']);
});
