import { beforeEach, expect, it } from 'vitest';
import { approveApprovals, declineApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { noteNextOverdueApproval } from '../../../src/domain/approvals/approval-overdue.ts';
import { recycleDocuments, restoreDocuments } from '../../../src/domain/documents/document-bin.ts';
import { deleteGroups } from '../../../src/domain/membership/group-change.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newApprovalWorld, type StepOf } from '../../support/approvals.ts';
import { dropJobs } from '../../support/jobs.ts';
import { passTime } from '../../support/passed-time.ts';
import { askedOf, decide, idsOf, started, stateOf } from './runs.ts';

beforeEach(() => dropJobs());

async function setUp() {
  const world = await newApprovalWorld();
  const { db, organization } = world;
  const overdue = (step: StepOf, ...others: StepOf[]) =>
    started(world, { dueAfterDays: 3, ...step }, ...others);
  const pass = async (ms = 4 * DAY) => {
    await passTime(db, organization.id, ms);
    await Promise.all(Array.from({ length: 6 }, () => noteNextOverdueApproval(db)));
    while (await noteNextOverdueApproval(db));
    while (await notifyNext(db));
  };
  const events = async (...kinds: string[]) =>
    db.prisma.event.findMany({
      where: { organizationId: organization.id, kind: { in: kinds } },
      orderBy: { sequence: 'asc' },
    });
  const notified = async (kind: string) => {
    const where = { organizationId: organization.id, kind };
    return (await db.prisma.notification.findMany({ where })).map(({ userId }) => userId).sort();
  };
  return { ...world, overdue, pass, events, notified };
}

it('an overdue approval that escalates gives further people a vote, once, and notifies them as of a request', async () => {
  const world = await setUp();
  const { ann, bob, cyd, owner, events, notified } = world;
  const itemId = await world.overdue({
    rule: 'ALL',
    approvers: [ann],
    onOverdue: 'ESCALATE',
    escalateTo: [bob, ann],
  });
  await world.pass();
  await world.pass(10 * DAY);
  expect(await askedOf(world, itemId)).toEqual([idsOf(ann, bob)]);
  expect(await notified('APPROVAL_OVERDUE')).toEqual(idsOf(ann, owner));
  expect((await notified('APPROVAL_REQUESTED')).filter((id) => id !== ann.id)).toEqual([bob.id]);
  expect(await events('approval.overdue', 'approval.escalated')).toMatchObject([
    { kind: 'approval.overdue', actorId: null, data: { escalatedToIds: [bob.id] } },
    { kind: 'approval.escalated', actorId: null, data: { approverIds: [bob.id], need: 1 } },
  ]);
  await expect(decide(approveApprovals, cyd, itemId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await decide(approveApprovals, bob, itemId);
  expect(await stateOf(world, itemId)).toEqual(['APPROVED', 'APPROVED']);
});

it('a step that needs all keeps the number of votes that it needed before it escalated', async () => {
  const world = await setUp();
  const { ann, bob, cyd, owner } = world;
  const group = await world.group('Deputies', owner, cyd);
  const itemId = await world.overdue({
    ...{ rule: 'ALL', approvers: [ann, bob] },
    ...{ onOverdue: 'ESCALATE', escalateToGroupId: group },
  });
  await world.pass();
  await decide(declineApprovals, ann, itemId);
  await decide(approveApprovals, cyd, itemId);
  expect(await stateOf(world, itemId)).toEqual(['PENDING', 'PENDING']);
  await decide(approveApprovals, owner, itemId);
  expect(await stateOf(world, itemId)).toEqual(['APPROVED', 'APPROVED']);
  await expect(
    deleteGroups(await owner.context(), { organizationId: world.organization.id, groupIds: [group] }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('neither the requester, if excluded, nor who voted before, nor who is no editor gets a vote: the reminder says so', async () => {
  const world = await setUp();
  const { ann, bob, cyd, owner, events, notified } = world;
  const itemId = await world.overdue(
    { approvers: [bob] },
    {
      ...{ approvers: [ann], dueAfterDays: 2, excludeRequester: true, distinctFromEarlier: true },
      ...{ onOverdue: 'ESCALATE', escalateTo: [owner, bob, cyd] },
    },
  );
  await decide(approveApprovals, bob, itemId);
  await world.join(cyd, 'VIEWER');
  await world.pass();
  expect(await askedOf(world, itemId)).toEqual([[bob.id], [ann.id]]);
  expect(await events('approval.overdue', 'approval.escalated')).toMatchObject([
    { data: { escalatedToIds: [] } },
  ]);
  expect(await notified('APPROVAL_OVERDUE')).toEqual(idsOf(ann, owner));
});

it('an overdue approval that declines ends its run, also partly approved, and withdraws those beside it', async () => {
  const world = await setUp();
  const { ann, bob, owner, events, notified } = world;
  const itemId = await world.overdue(
    { rank: 0, rule: 'ALL', approvers: [ann, bob], onOverdue: 'DECLINE' },
    { rank: 0, approvers: [ann], name: 'Beside' },
    { rank: 1, approvers: [ann], name: 'Later' },
  );
  const [first] = (await world.approvals(itemId)).filter(({ rule }) => rule === 'ALL');
  await approveApprovals(await ann.context(), { ids: [first?.id as string] });
  await world.pass();
  expect((await stateOf(world, itemId)).sort()).toEqual(['DECLINED', 'DECLINED', 'WITHDRAWN']);
  expect(await events('approval.overdue', 'approval.declined', 'document.processEnded')).toMatchObject([
    { kind: 'approval.declined', actorId: null, data: { after: { state: 'DECLINED' } } },
    { kind: 'document.processEnded', actorId: null, data: { result: 'DECLINED' } },
  ]);
  expect(await notified('APPROVAL_DECIDED')).toEqual([owner.id, owner.id]);
  await expect(decide(approveApprovals, bob, itemId)).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('an item in the recycle bin is not declined; it is within a day of its restoration', async () => {
  const world = await setUp();
  const ctx = await world.owner.context();
  const itemId = await world.overdue({ approvers: [world.ann], onOverdue: 'DECLINE' });
  await recycleDocuments(ctx, { documentIds: [itemId] });
  await world.pass();
  expect(await stateOf(world, itemId)).toEqual(['PENDING', 'PENDING']);
  await restoreDocuments(ctx, { documentIds: [itemId] });
  await world.pass(2 * DAY);
  expect(await stateOf(world, itemId)).toEqual(['DECLINED', 'DECLINED']);
});

it('refuses an action that could never act, people without it, and people of another organization', async () => {
  const world = await setUp();
  const { ann, bob } = world;
  const other = await newApprovalWorld();
  const refused = (step: StepOf) =>
    world.process({ approvers: [ann], ...step }).then(
      () => 'created',
      ({ code, at, message }) => `${code} ${at ?? message}`,
    );
  expect(await refused({ onOverdue: 'DECLINE' })).toContain('BAD_USER_INPUT');
  expect(await refused({ onOverdue: 'ESCALATE', dueAfterDays: 3 })).toContain('BAD_USER_INPUT');
  expect(await refused({ escalateTo: [bob], dueAfterDays: 3 })).toContain('BAD_USER_INPUT');
  const escalates = { onOverdue: 'ESCALATE', dueAfterDays: 3 } as const;
  expect(await refused({ ...escalates, escalateTo: [other.ann] })).toContain('NOT_FOUND');
  expect(await refused({ ...escalates, escalateToGroupId: await other.group('Theirs') })).toContain(
    'NOT_FOUND',
  );
});
