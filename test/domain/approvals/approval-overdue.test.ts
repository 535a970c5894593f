import { beforeEach, expect, it } from 'vitest';
import { approveApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { noteNextOverdueApproval } from '../../../src/domain/approvals/approval-overdue.ts';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { dropJobs } from '../../support/jobs.ts';
import { passTime } from '../../support/passed-time.ts';

beforeEach(() => dropJobs());

const APPROVAL = 'query ($id: ID!) { approval(id: $id) { dueAt overdue step { dueAfterDays } } }';

async function setUp(rule: 'ONE' | 'ALL' = 'ALL') {
  const world = await newApprovalWorld();
  const { db, organization, ann, bob } = world;
  for (const person of [ann, bob]) await world.join(person, 'EDITOR');
  const itemId = await world.document();
  await world.start(await world.process({ rule, dueAfterDays: 3, approvers: [ann, bob] }), itemId);
  const [approval] = await world.approvals(itemId);
  const id = approval?.id as string;
  const pass = async (ms: number) => {
    await passTime(db, organization.id, ms);
    await Promise.all(Array.from({ length: 8 }, () => noteNextOverdueApproval(db)));
    while (await noteNextOverdueApproval(db));
    while (await notifyNext(db));
  };
  /** Who was notified that it is overdue. */
  const notified = async () => {
    const where = { organizationId: organization.id, kind: 'APPROVAL_OVERDUE' };
    return (await db.prisma.notification.findMany({ where })).map(({ userId }) => userId).sort();
  };
  const shown = async () => (await world.owner.graph(APPROVAL, { id })).data.approval;
  return { ...world, itemId, id, pass, notified, shown };
}

it('an overdue approval notifies the approvers who have not decided, and the requester, once', async () => {
  const { owner, ann, bob, id, pass, notified, shown } = await setUp();
  await approveApprovals(await ann.context(), { ids: [id] });
  expect(await shown()).toMatchObject({ overdue: false, step: { dueAfterDays: 3 } });
  await pass(2 * DAY);
  expect(await notified()).toEqual([]);
  await pass(DAY + HOUR);
  expect(await shown()).toMatchObject({ overdue: true });
  expect(await notified()).toEqual([owner.id, bob.id].sort());
  await pass(10 * DAY);
  expect(await notified()).toHaveLength(2);
});

it('nobody is notified of an approval that was decided, or whose document was recycled or project disabled', async () => {
  const decided = await setUp('ONE');
  await approveApprovals(await decided.ann.context(), { ids: [decided.id] });
  await decided.pass(4 * DAY);
  expect(await decided.notified()).toEqual([]);
  const recycled = await setUp();
  await recycleDocuments(await recycled.owner.context(), { documentIds: [recycled.itemId] });
  await recycled.pass(4 * DAY);
  expect(await recycled.notified()).toEqual([]);
  const disabled = await setUp();
  const where = { id: disabled.project.id };
  await disabled.db.prisma.project.update({ where, data: { disabledAt: new Date() } });
  await disabled.pass(4 * DAY);
  expect(await disabled.notified()).toEqual([]);
});
