import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { WorkFailed } from '../../src/domain/due-work/failed-work.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { handlers } from '../../src/jobs/handlers.ts';
import { DAY, fromNow, HOUR, SECOND } from '../../src/lib/time.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openMetrics } from '../../src/telemetry/metrics.ts';
import { newApprovalWorld } from '../support/approvals.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { passTime } from '../support/passed-time.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { newDocuments } from '../support/storage.ts';
import { joinProject, newMember, newWorld } from '../support/world.ts';

beforeEach(() => dropJobs());

type Table = 'events' | 'mails' | 'notifications';

/** Has the database refuse rows about this in the table, until the test ends or the returned function is called. */
async function refuse(db: Database, table: Table, subjectId: string): Promise<() => Promise<void>> {
  const name = `refuse_${subjectId}`;
  const run = (text: string) => db.prisma.$executeRawUnsafe(text);
  await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused by the test'; END $$`);
  await run(`CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW
    WHEN (NEW.subject_id = '${subjectId}') EXECUTE FUNCTION ${name}()`);
  const allow = async () => void (await run(`DROP FUNCTION IF EXISTS ${name} CASCADE`));
  onTestFinished(allow);
  return allow;
}

/** Two rows of one organization on which the same work is due; that on `first` fails. */
interface Scene {
  db: Database;
  organizationId: string;
  first: string;
  second: string;
  table: Table;
  /** How often the work on a row was done. */
  done: (id: string) => Promise<number>;
  /** The id under which the failure is stored; that of `first` unless given. */
  rowId?: string;
}

async function taskReminders(): Promise<Scene> {
  const { db, owner, organization, project } = await newWorld();
  const tasks = [6, 7].map((days) => ({
    name: `Due in ${days}`,
    assigneeEmail: owner.email,
    dueAt: fromNow(days * DAY),
  }));
  const [first, second] = await createTasks(await owner.context(), { projectId: project.id, tasks });
  await passTime(db, organization.id, 5 * DAY);
  const done = (subjectId: string) => db.prisma.event.count({ where: { subjectId, kind: 'task.reminded' } });
  const ids = { first: first?.id as string, second: second?.id as string };
  return { db, organizationId: organization.id, ...ids, table: 'events', done };
}

async function overdueApprovals(): Promise<Scene> {
  const world = await newApprovalWorld();
  const { db, ann, organization } = world;
  await world.join(ann, 'EDITOR');
  const processId = await world.process({ dueAfterDays: 3, approvers: [ann] });
  const start = async () => {
    const itemId = await world.document();
    await world.start(processId, itemId);
    return (await world.approvals(itemId))[0]?.id as string;
  };
  const [first, second] = [await start(), await start()];
  await passTime(db, organization.id, 4 * DAY);
  const done = (subjectId: string) =>
    db.prisma.event.count({ where: { subjectId, kind: 'approval.overdue' } });
  return { db, organizationId: organization.id, first, second, table: 'events', done };
}

async function sessionsThatExpire(): Promise<Scene> {
  const { db, organization, active } = await newSigningWorld();
  const [first, second] = [await active([{ name: 'Ann' }]), await active([{ name: 'Bob' }])];
  await db.prisma.signatureRecipient.updateMany({
    where: { sessionId: { in: [first.sessionId, second.sessionId] } },
    data: { nextReminderAt: null },
  });
  await passTime(db, organization.id, 31 * DAY);
  const done = (subjectId: string) =>
    db.prisma.event.count({ where: { subjectId, kind: 'document.signingStopped' } });
  const ids = { first: first.documentId, second: second.documentId };
  return { db, organizationId: organization.id, ...ids, table: 'events', done };
}

async function signerReminders(): Promise<Scene> {
  const { db, organization, active, signersOf } = await newSigningWorld();
  const { sessionId } = await active([
    { name: 'Ann', rank: 1 },
    { name: 'Bob', rank: 1 },
  ]);
  const [first, second] = await signersOf(sessionId);
  await passTime(db, organization.id, 5 * DAY + HOUR);
  const done = (subjectId: string) =>
    db.prisma.mail.count({ where: { subjectId, kind: 'SIGNATURE_REMINDER' } });
  const ids = { first: first?.id as string, second: second?.id as string };
  return { db, organizationId: organization.id, ...ids, table: 'mails', done };
}

async function notices(): Promise<Scene> {
  const { db, owner, organization, project } = await newWorld();
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const tasks = ['One', 'Two'].map((name) => ({ name, assigneeEmail: member.email }));
  const [first, second] = await createTasks(await owner.context(), { projectId: project.id, tasks });
  const ids = { first: first?.id as string, second: second?.id as string };
  const event = await db.prisma.event.findFirstOrThrow({ where: { subjectId: ids.first } });
  const done = (subjectId: string) => db.prisma.notification.count({ where: { subjectId } });
  return {
    ...{ db, organizationId: organization.id, ...ids, table: 'notifications' as const, done },
    rowId: String(event.sequence),
  };
}

/** Does what is due, and returns what failed. Throws if that does not come to an end. */
async function drain(db: Database, work: 'remind' | 'notify'): Promise<unknown[]> {
  const job = await jobContext(db);
  const failures: unknown[] = [];
  for (let turn = 0; turn < 100; turn++) {
    const next = handlers[work](job).catch((error) => {
      failures.push(error);
      return true;
    });
    if (!(await next)) return failures;
  }
  throw new Error('There is always something to do.');
}

const failuresOf = (db: Database, organizationId: string) =>
  db.prisma.failedWork.findMany({ where: { organizationId } });

const makeDue = (db: Database, organizationId: string, failedFor = 0) =>
  db.query(sql`UPDATE failed_work SET next_at = now(), first_failed_at = first_failed_at - make_interval(secs => ${failedFor / SECOND})
    WHERE organization_id = ${organizationId}`);

describe('work on a row that fails', () => {
  it.each([
    ['remind', 'remind', taskReminders],
    ['overdueApproval', 'remind', overdueApprovals],
    ['expireSession', 'remind', sessionsThatExpire],
    ['remindSigner', 'remind', signerReminders],
    ['notify', 'notify', notices],
  ] as const)('does not stop the next row, and is done later: %s', async (work, queue, setUp) => {
    const { db, organizationId, first, second, table, done, rowId = first } = await setUp();
    const allow = await refuse(db, table, first);
    expect(await drain(db, queue)).toEqual([expect.any(WorkFailed)]);
    expect([await done(first), await done(second)]).toEqual([0, 1]);
    expect(await failuresOf(db, organizationId)).toMatchObject([
      { work, rowId, attempts: 1, error: expect.stringContaining('refused by the test') },
    ]);
    await allow();
    await makeDue(db, organizationId);
    expect(await drain(db, queue)).toEqual([]);
    expect([await done(first), await done(second)]).toEqual([1, 1]);
    expect(await failuresOf(db, organizationId)).toEqual([]);
  });

  it('does not stop what is due after it, of other kinds', async () => {
    const failing = await taskReminders();
    await refuse(failing.db, failing.table, failing.first);
    const signers = await signerReminders();
    await drain(failing.db, 'remind');
    expect([await signers.done(signers.first), await signers.done(signers.second)]).toEqual([1, 1]);
  });

  it('is tried again after growing pauses', async () => {
    const { db, organizationId, table, first } = await taskReminders();
    await refuse(db, table, first);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await drain(db, 'remind');
      const [failure] = await failuresOf(db, organizationId);
      pauses.push(((failure?.nextAt?.getTime() ?? 0) - (failure?.failedAt.getTime() ?? 0)) / SECOND);
      await makeDue(db, organizationId);
    }
    for (const [index, seconds] of [10, 20, 40].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(0.9 * seconds - 0.1);
      expect(pauses[index]).toBeLessThanOrEqual(1.1 * seconds + 0.1);
    }
  });

  it('is given up after three days, which metrics and a command show, until an administrator has it tried again', async () => {
    const { db, organizationId, table, first, done } = await taskReminders();
    const allow = await refuse(db, table, first);
    await drain(db, 'remind');
    await makeDue(db, organizationId, 4 * DAY);
    expect(await drain(db, 'remind')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('it was given up') }),
    ]);
    await allow();
    expect(await drain(db, 'remind')).toEqual([]);
    expect(await done(first)).toBe(0);
    const { registry } = openMetrics({ db, lifecycle: newLifecycle() });
    expect(await registry.metrics()).toContain('docgraph_jobs{queue="remind",state="failed"} 1');
    const context = await jobContext(db);
    const listed = await COMMANDS['failed-work']?.run(context, {});
    expect(listed).toContain(`remind ${first} of ${organizationId}: 2 attempts, given up: `);
    expect(await COMMANDS['retry-failed-work']?.run(context, {})).toBe('Work on 1 rows is tried again.');
    await drain(db, 'remind');
    expect(await done(first)).toBe(1);
    expect(await COMMANDS['failed-work']?.run(context, {})).toBe('No background work has failed.');
  });
});

/** Sweeps, whenever that was done last. */
async function sweep(db: Database): Promise<boolean> {
  await db.prisma.recurringWork.updateMany({ data: { begunAt: new Date(0) } });
  return handlers.sweep(await jobContext(db));
}

describe('the sweep', () => {
  it('forgets the failure of a row on which nothing is due any more', async () => {
    const { db, organizationId, table, first } = await taskReminders();
    await refuse(db, table, first);
    await drain(db, 'remind');
    await db.prisma.task.update({ where: { id: first }, data: { nextReminderAt: null } });
    await sweep(db);
    expect(await failuresOf(db, organizationId)).toHaveLength(1);
    await db.query(sql`UPDATE failed_work SET next_at = now() - interval '2 days'
      WHERE organization_id = ${organizationId}`);
    await sweep(db);
    expect(await failuresOf(db, organizationId)).toEqual([]);
  });

  /** Documents and projects to purge, and a mail that is old. */
  async function setUp() {
    const { db, owner, organization, project } = await newWorld();
    const organizationId = organization.id;
    const ctx = await owner.context();
    const documents = await newDocuments(ctx, project.id, [{ name: 'one' }, { name: 'two' }]);
    const documentIds = documents.map(({ id }) => id);
    await recycleDocuments(ctx, { documentIds });
    await db.prisma.document.updateMany({
      where: { id: { in: documentIds } },
      data: { purgeAt: new Date(1) },
    });
    const mail = { kind: 'DIGEST', priority: 3, toEmail: 'a@example.test', state: 'SENT' as const };
    const old = { organizationId, expiresAt: new Date(1), endedAt: new Date(1), nextAt: null };
    await db.prisma.mail.create({ data: { id: `mal_${organizationId.slice(4)}`, ...mail, ...old } });
    const left = async () => ({
      documents: (await db.prisma.document.findMany({ where: { organizationId } })).map(({ id }) => id),
      mails: await db.prisma.mail.count({ where: { organizationId } }),
    });
    return { db, organizationId, documentIds, left };
  }

  it('purges what it can, and does the rest of its work, when one document cannot be purged', async () => {
    const { db, organizationId, documentIds, left } = await setUp();
    const [failing] = documentIds as [string];
    const allow = await refuse(db, 'events', failing);
    await expect(sweep(db)).rejects.toBeInstanceOf(AggregateError);
    expect(await left()).toEqual({ documents: [failing], mails: 0 });
    expect(await failuresOf(db, organizationId)).toMatchObject([{ work: 'purgeDocument', rowId: failing }]);
    await sweep(db);
    await allow();
    await makeDue(db, organizationId);
    await sweep(db);
    expect(await left()).toEqual({ documents: [], mails: 0 });
  });
});
