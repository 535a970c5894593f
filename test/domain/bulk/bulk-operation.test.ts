import { beforeAll, beforeEach, expect, it } from 'vitest';
import { doNext } from '../../../src/jobs/work.ts';
import { newId } from '../../../src/lib/id.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';
import { CREATE_TASKS, cancel, read, results, runAll, runSlice, start, started } from './bulk.ts';

type World = Awaited<ReturnType<typeof newWorld>>;

let world: World;

beforeAll(dropJobs);

beforeEach(async () => {
  world = await newWorld();
});

const tasks = (count: number, projectId = world.project.id) =>
  Array.from({ length: count }, (_, index) => ({ projectId, name: `Task ${index + 1}` }));

const storedTasks = () => world.db.prisma.task.count({ where: { organizationId: world.organization.id } });

const eventsOf = (kind: string) =>
  world.db.prisma.event.findMany({
    where: { organizationId: world.organization.id, kind },
    orderBy: { sequence: 'asc' },
  });

it('runs every line and answers each as a single call would', async () => {
  const { db, owner, organization, project } = world;
  const id = await started(owner, organization.id, tasks(3));
  expect(await read(owner, id)).toMatchObject({ state: 'QUEUED', lineCount: 3, doneCount: 0 });
  await runAll();
  const single = await owner.graph(CREATE_TASKS, { projectId: project.id, name: 'Task 2' });
  const lines = await results(db, owner, id);
  expect(lines.map(({ line }) => line)).toEqual([1, 2, 3]);
  expect(lines[1]).toEqual({ line: 2, data: single.data });
  expect(await read(owner, id)).toMatchObject({
    ...{ state: 'COMPLETED', doneCount: 3, failedCount: 0, failure: null },
    completedAt: expect.any(String),
  });
});

it('runs 300 lines of which five fail, and says which, with the errors of single calls', async () => {
  const { db, owner, organization, stranger } = world;
  const bad = [7, 60, 61, 150, 300];
  const lines = tasks(300).map((line, index) => (bad.includes(index + 1) ? { ...line, name: '' } : line));
  const id = await started(owner, organization.id, lines);
  await runAll();
  const answers = await results(db, owner, id);
  const single = await owner.graph(CREATE_TASKS, lines[6] as Record<string, unknown>);
  expect(answers.filter(({ errors }) => errors).map(({ line }) => line)).toEqual(bad);
  expect(answers[6]).toEqual({
    line: 7,
    data: { createTasks: null },
    errors: [
      {
        ...{ message: single.errors?.[0]?.message, code: 'BAD_USER_INPUT' },
        at: single.errors?.[0]?.extensions.at,
      },
    ],
  });
  expect(await read(owner, id)).toMatchObject({ state: 'COMPLETED', doneCount: 300, failedCount: 5 });
  expect(await storedTasks()).toBe(295);
  expect(await read(stranger, id)).toBeNull();
});

it('records its start and its end, and names the operation in the events of its lines', async () => {
  const { owner, organization } = world;
  const id = await started(owner, organization.id, tasks(2));
  await runAll();
  const [[start], [end], created] = (await Promise.all(
    ['bulkOperation.started', 'bulkOperation.ended', 'task.created'].map(eventsOf),
  )) as [
    Awaited<ReturnType<typeof eventsOf>>,
    Awaited<ReturnType<typeof eventsOf>>,
    Awaited<ReturnType<typeof eventsOf>>,
  ];
  expect(start).toMatchObject({ subjectId: id, data: { after: { mutation: 'createTasks', lineCount: 2 } } });
  expect(end).toMatchObject({
    ...{ subjectId: id, actorId: owner.id },
    data: { after: { state: 'COMPLETED', lineCount: 2, doneCount: 2, failedCount: 0 } },
  });
  expect(created.map(({ via, actorId, credentialId }) => ({ via, actorId, credentialId }))).toEqual(
    Array(2).fill({ via: `bulk:${id}`, actorId: owner.id, credentialId: start?.credentialId }),
  );
});

it('acts in its organization alone, also where the credential reaches others', async () => {
  const { db, owner, organization } = world;
  const other = await newWorld(db);
  await db.prisma.membership.create({
    data: {
      ...{ organizationId: other.organization.id, role: 'ADMIN' },
      id: newId('Membership'),
      userId: owner.id,
      createdById: owner.id,
    },
  });
  const id = await started(owner, organization.id, [...tasks(1, other.project.id), ...tasks(1)]);
  await runAll();
  const [first, second] = await results(db, owner, id);
  expect(first?.errors).toMatchObject([{ code: 'NOT_FOUND' }]);
  expect(second?.errors).toBeUndefined();
});

it('stops between two slices when the credential is revoked; what was done stays done', async () => {
  const { db, owner, organization } = world;
  const id = await started(owner, organization.id, tasks(80));
  await runSlice();
  const done = await storedTasks();
  await db.prisma.apiKey.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } });
  await runAll();
  const row = await db.prisma.bulkOperation.findUnique({ where: { id } });
  expect(row).toMatchObject({ state: 'FAILED', doneCount: done, nextAt: null });
  expect(row?.failure).toContain('has ended');
  expect(done).toBeGreaterThan(0);
  expect(await storedTasks()).toBe(done);
});

it('stops when the member is removed', async () => {
  const { db, owner, organization } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const id = await started(member, organization.id, tasks(3));
  await db.prisma.membership.deleteMany({ where: { userId: member.id } });
  await runAll();
  expect(await read(owner, id)).toMatchObject({ state: 'FAILED', doneCount: 0, resultsUrl: null });
  expect(await read(member, id)).toBeNull();
});

it('is cancelled between two slices, by its owner, once', async () => {
  const { db, owner, organization } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const id = await started(member, organization.id, tasks(80));
  await runSlice();
  const done = await storedTasks();
  const other = await newMember(db, organization.id, 'MEMBER');
  expect((await cancel(other, id)).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect((await cancel(owner, id)).data.cancelBulkOperation.bulkOperation).toEqual({
    state: 'CANCELLED',
    doneCount: done,
  });
  expect((await cancel(member, id)).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  await runAll();
  expect(await storedTasks()).toBe(done);
  expect(await results(db, member, id)).toHaveLength(done);
});

it('shows its results to whoever started it alone', async () => {
  const { db, owner, organization } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const id = await started(member, organization.id, tasks(1));
  expect(await read(owner, id)).toMatchObject({ createdBy: { id: member.id }, resultsUrl: null });
  expect((await read(member, id)).resultsUrl).toMatch(/\/bulk-results\/eyJ/);
});

it('lets a guest do what a guest may', async () => {
  const { db, organization, project } = world;
  const guest = await newMember(db, organization.id, 'GUEST');
  await joinProject(db, project, guest, 'VIEWER');
  const id = await started(guest, organization.id, tasks(1));
  await runAll();
  expect((await results(db, guest, id))[0]?.errors).toMatchObject([{ code: 'FORBIDDEN' }]);
});

it('limits what runs at a time, for a person and for an organization', async () => {
  const { db, owner, organization } = world;
  for (const by of [owner, await newMember(db, organization.id, 'MEMBER')])
    for (let count = 0; count < 2; count++) await started(by, organization.id, tasks(1));
  const refused = await start(owner, {
    organizationId: organization.id,
    mutation: CREATE_TASKS,
    variables: JSON.stringify(tasks(1)[0]),
  });
  expect(refused.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: 60 } }]);
  await started(await newMember(db, organization.id, 'MEMBER'), organization.id, tasks(1));
  await expect(
    started(await newMember(db, organization.id, 'MEMBER'), organization.id, tasks(1)),
  ).rejects.toThrow('The organization has 5');
  await runAll();
  await started(owner, organization.id, tasks(1));
  await runAll();
});

it('runs no further lines of an organization that is ahead of its pace', async () => {
  const { owner, organization, db } = world;
  const id = await started(owner, organization.id, tasks(80));
  const ctx = await jobContext();
  const slow = { ...ctx, limits: { ...ctx.limits, requestsOrganization: 60 } };
  await doNext(slow, 'bulk');
  expect(await doNext(slow, 'bulk')).toBe(false);
  const { pacedUntil } = (await db.prisma.bulkOperation.findUnique({ where: { id } })) ?? {};
  expect(pacedUntil?.getTime()).toBeGreaterThan(Date.now());
  await db.prisma.bulkOperation.updateMany({ where: { id }, data: { pacedUntil: null } });
  await runAll();
});
