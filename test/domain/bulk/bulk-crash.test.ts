import { beforeAll, beforeEach, expect, it } from 'vitest';
import { claimBulkOperation, releaseBulkOperation } from '../../../src/domain/bulk/bulk-claim.ts';
import { databaseOfLine, nextBulkLines, storeAnswer } from '../../../src/domain/bulk/bulk-line.ts';
import { runBulkLine } from '../../../src/graph/http/bulk-line.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { testDatabase } from '../../support/database.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newWorld } from '../../support/world.ts';
import { CREATE_TASKS, cancel, endClaims, read, results, runAll, started } from './bulk.ts';

type World = Awaited<ReturnType<typeof newWorld>>;
type Job = Awaited<ReturnType<typeof jobContext>>;

let world: World;
let job: Job;

beforeAll(dropJobs);

beforeEach(async () => {
  world = await newWorld();
  job = await jobContext();
});

const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ projectId: world.project.id, name: `Task ${index + 1}` }));

const names = async () => {
  const { id: projectId } = world.project;
  const stored = await world.db.prisma.task.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
  return stored.map(({ name }) => name);
};

/** A process that dies at a line: nothing after it happens, neither in this process nor in the database. */
const dyingAt = (line: number, when: 'before' | 'after'): Job => {
  let count = 0;
  return {
    ...job,
    bulk: {
      ...job.bulk,
      runLine: async (...args) => {
        count += 1;
        if (count < line) return runBulkLine(...args);
        if (when === 'after') await runBulkLine(...args);
        throw new Error('the process dies');
      },
    },
  };
};

it('goes on at the line at which a process died before its change, and repeats none', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(6));
  await expect(doNext(dyingAt(4, 'before'), 'bulk')).rejects.toThrow('the process dies');
  expect(await doNext(job, 'bulk')).toBe(false);
  await endClaims(db, id);
  await runAll();
  expect(await names()).toEqual(tasks(6).map(({ name }) => name));
  expect(await read(owner, id)).toMatchObject({ state: 'COMPLETED', doneCount: 6, failedCount: 0 });
});

it('does not repeat a line whose process died after its change, and says that its answer was lost', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(6));
  await expect(doNext(dyingAt(4, 'after'), 'bulk')).rejects.toThrow('the process dies');
  await endClaims(db, id);
  await runAll();
  expect(await names()).toEqual(tasks(6).map(({ name }) => name));
  const answers = await results(db, owner, id);
  expect(answers.map(({ errors }) => errors?.[0]?.code)).toEqual([
    ...[undefined, undefined, undefined, 'CONFLICT', undefined, undefined],
  ]);
  expect(answers[3]?.errors?.[0]?.message).toContain('was carried out');
});

it('gives a line up at which the process dies each time, and runs the others', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(3));
  for (let attempt = 1; attempt <= 5; attempt++) {
    await expect(doNext(dyingAt(1, 'before'), 'bulk')).rejects.toThrow('the process dies');
    await endClaims(db, id);
  }
  await runAll();
  expect(await names()).toEqual(['Task 2', 'Task 3']);
  expect((await results(db, owner, id)).map(({ errors }) => errors?.[0]?.code)).toEqual([
    ...['INTERNAL', undefined, undefined],
  ]);
});

it('tries a line again that could not be run at the moment', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(2));
  const busy = { answer: '{}', failed: true, busy: true, points: 0 };
  await doNext({ ...job, bulk: { ...job.bulk, runLine: async () => busy } }, 'bulk');
  expect(await read(owner, id)).toMatchObject({ state: 'RUNNING', doneCount: 0 });
  await endClaims(db, id);
  await runAll();
  expect(await read(owner, id)).toMatchObject({ state: 'COMPLETED', doneCount: 2, failedCount: 0 });
});

it('refuses the change of a process whose claim another one took over', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(1));
  const slow = await claimBulkOperation(db);
  if (!slow) throw new Error('nothing was claimed');
  await endClaims(db, id);
  await runAll();
  const ctx = { ...(await owner.context()), db: databaseOfLine(db, slow, 1) };
  const { answer } = await runBulkLine(CREATE_TASKS, JSON.stringify(tasks(1)[0]), ctx);
  expect(JSON.parse(answer).errors).toMatchObject([{ code: 'CONFLICT' }]);
  expect(await storeAnswer(db, slow, 1, { answer, failed: true })).toBe(false);
  await releaseBulkOperation(db, job.limits, slow, { lines: 1, points: 1 });
  expect(await names()).toEqual(['Task 1']);
  expect(await read(owner, id)).toMatchObject({ state: 'COMPLETED', doneCount: 1 });
});

it('keeps the answer of a line that was changed before the operation was cancelled, and changes no other', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(3));
  const cancelling: Job = {
    ...job,
    bulk: {
      ...job.bulk,
      runLine: async (...args) => {
        const ran = await runBulkLine(...args);
        await cancel(owner, id);
        return ran;
      },
    },
  };
  await doNext(cancelling, 'bulk');
  await runAll();
  expect(await names()).toEqual(['Task 1']);
  expect(await results(db, owner, id)).toEqual([
    { line: 1, data: { createTasks: { tasks: [{ name: 'Task 1' }] } } },
  ]);
});

it('shows a lost answer also after the operation was cancelled', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(3));
  await expect(doNext(dyingAt(1, 'after'), 'bulk')).rejects.toThrow('the process dies');
  expect(await results(db, owner, id)).toEqual([]);
  await cancel(owner, id);
  expect(await results(db, owner, id)).toMatchObject([{ line: 1, errors: [{ code: 'CONFLICT' }] }]);
});

it.runIf(process.env.TEST_DATABASE_URL)(
  'is run once by several workers at a time, while others start, cancel and read',
  async () => {
    const db = await testDatabase();
    const { owner, organization } = world;
    const first = await started(owner, organization.id, tasks(60));
    const second = await started(owner, organization.id, tasks(60));
    const work = async () => {
      while (await doNext(job, 'bulk'));
    };
    const late = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return cancel(owner, second);
    };
    const [, , , , [a, b]] = await Promise.all([
      ...[work(), work(), work(), work()],
      Promise.all([late(), late()]),
    ] as const);
    await runAll();
    const done = await read(owner, second);
    expect(await read(owner, first)).toMatchObject({ state: 'COMPLETED', doneCount: 60, failedCount: 0 });
    expect([a, b].filter(({ errors }) => !errors).length).toBeLessThan(2);
    expect(['CANCELLED', 'COMPLETED']).toContain(done.state);
    expect(await results(db, owner, second)).toHaveLength(done.doneCount);
    expect(await names()).toHaveLength(60 + done.doneCount);
    expect(await db.prisma.event.count({ where: { subjectId: second, kind: 'bulkOperation.ended' } })).toBe(
      1,
    );
  },
);

it('reads the lines that follow by the number of those that are done', async () => {
  const { owner, organization, db } = world;
  await started(owner, organization.id, tasks(60));
  const claimed = await claimBulkOperation(db);
  if (!claimed) throw new Error('nothing was claimed');
  expect((await nextBulkLines(db, claimed, 50)).map(({ line }) => line)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  await cancel(owner, claimed.id);
});
