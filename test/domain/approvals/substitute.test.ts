import { beforeEach, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { approveApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { endSubstitute, setSubstitute } from '../../../src/domain/approvals/substitute-change.ts';
import { removeMembers } from '../../../src/domain/membership/member-change.ts';
import { mailedNotifications } from '../../../src/domain/notifications/notification-mail.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { dropJobs } from '../../support/jobs.ts';
import { passTime } from '../../support/passed-time.ts';
import type { Person } from '../../support/world.ts';
import { askedOf, decide, idsOf, memberId, started, stateOf } from './runs.ts';

beforeEach(() => dropJobs());

const inDays = (days: number) => new Date(Date.now() + days * DAY);

async function setUp() {
  const world = await newApprovalWorld();
  const { db, organization } = world;
  const organizationId = organization.id;
  const substitute = async (by: Person, of: Person, to: Person, startsAt?: Date, endsAt = inDays(5)) =>
    setSubstitute(await by.context(), {
      ...{ organizationId, memberId: await memberId(world, of), toMemberId: await memberId(world, to) },
      ...{ startsAt, endsAt },
    });
  const end = async (by: Person, of: Person) =>
    endSubstitute(await by.context(), { organizationId, memberId: await memberId(world, of) });
  const kinds = async () =>
    (await db.prisma.event.findMany({ where: { organizationId }, orderBy: { sequence: 'asc' } }))
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('member.substitute'));
  return { ...world, substitute, end, kinds };
}

it('the substitute gets the vote in place of the member; the event and the notification are theirs', async () => {
  const world = await setUp();
  const { db, ann, bob, cyd, organization } = world;
  await world.substitute(ann, ann, cyd);
  const itemId = await started(world, { rule: 'ALL', approvers: [ann, bob] });
  expect(await askedOf(world, itemId)).toEqual([idsOf(bob, cyd)]);
  const [approval] = await world.approvals(itemId);
  expect(approval?.approvers.find(({ userId }) => userId === cyd.id)?.delegatedFromId).toBe(ann.id);
  const where = { organizationId: organization.id, kind: 'document.processStarted' };
  expect(await db.prisma.event.findFirst({ where })).toMatchObject({
    data: { approverIds: idsOf(bob, cyd), substitutions: [{ approverId: cyd.id, inPlaceOfId: ann.id }] },
  });
  while (await notifyNext(db));
  const notified = await db.prisma.notification.findMany({
    where: { kind: 'APPROVAL_REQUESTED', subjectId: itemId },
  });
  expect(notified.map(({ userId }) => userId).sort()).toEqual(idsOf(bob, cyd));
  const mailed = await Promise.all(
    notified.map(({ id }) => mailedNotifications(db, (rows) => sql`${rows}.id = ${id}`)),
  );
  const { name } = await db.prisma.user.findUniqueOrThrow({ where: { id: ann.id } });
  expect(mailed.flat().map(({ inPlaceOf }) => inPlaceOf)).toEqual(
    notified.map(({ userId }) => (userId === cyd.id ? name : null)),
  );
  await expect(decide(approveApprovals, ann, itemId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await decide(approveApprovals, cyd, itemId);
  await decide(approveApprovals, bob, itemId);
  expect(await stateOf(world, itemId)).toEqual(['APPROVED', 'APPROVED']);
});

it('counts only within its period, and not for approvals that were requested before', async () => {
  const world = await setUp();
  const { db, organization, ann, cyd } = world;
  const before = await started(world, { approvers: [ann] });
  await world.substitute(ann, ann, cyd, inDays(2));
  const early = await started(world, { approvers: [ann] });
  await passTime(db, organization.id, 3 * DAY);
  const within = await started(world, { approvers: [ann] });
  await passTime(db, organization.id, 3 * DAY);
  const late = await started(world, { approvers: [ann] });
  const approvers = await Promise.all([before, early, within, late].map((itemId) => askedOf(world, itemId)));
  expect(approvers).toEqual([ann, ann, cyd, ann].map(({ id }) => [[id]]));
});

it('has no chains, one vote for a person, and none for whom the step excludes or who is no editor', async () => {
  const world = await setUp();
  const { owner, ann, bob, cyd } = world;
  await world.substitute(ann, ann, bob);
  await world.substitute(bob, bob, cyd);
  expect(await askedOf(world, await started(world, { approvers: [ann] }))).toEqual([[bob.id]]);
  expect(await askedOf(world, await started(world, { approvers: [ann, bob] }))).toEqual([idsOf(ann, cyd)]);
  await world.substitute(ann, ann, owner);
  const excluding = await started(world, { approvers: [ann], excludeRequester: true });
  expect(await askedOf(world, excluding)).toEqual([[ann.id]]);
  await world.join(cyd, 'VIEWER');
  expect(await askedOf(world, await started(world, { approvers: [bob] }))).toEqual([[bob.id]]);
  await world.substitute(bob, bob, owner);
  const two = await started(world, { approvers: [ann, bob] });
  expect((await askedOf(world, two))[0]).toHaveLength(2);
});

it('is set and ended by the member and by admins; another member, a guest and another organization may not', async () => {
  const world = await setUp();
  const { owner, ann, bob, cyd } = world;
  const other = await newApprovalWorld();
  await world.substitute(owner, ann, bob);
  await world.substitute(ann, ann, cyd);
  await expect(world.substitute(bob, ann, bob)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(world.end(bob, ann)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(world.substitute(other.owner, ann, bob)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(world.substitute(ann, ann, ann)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(world.substitute(ann, ann, bob, undefined, inDays(-1))).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  await world.end(owner, ann);
  await world.end(ann, ann);
  expect(await world.kinds()).toEqual([
    'member.substituteSet',
    'member.substituteSet',
    'member.substituteEnded',
  ]);
  expect(await askedOf(world, await started(world, { approvers: [ann] }))).toEqual([[ann.id]]);
});

it('is shown on the member, and ends when the substitute leaves the organization', async () => {
  const world = await setUp();
  const { db, owner, organization, ann, bob } = world;
  await world.substitute(ann, ann, bob);
  const QUERY =
    'query ($id: ID!) { node(id: $id) { ... on OrganizationMember { substitute { user { id } } } } }';
  const shown = async () =>
    (await owner.graph(QUERY, { id: await memberId(world, ann) })).data.node.substitute;
  expect(await shown()).toEqual({ user: { id: bob.id } });
  await removeMembers(await owner.context(), {
    ...{ organizationId: organization.id, memberIds: [await memberId(world, bob)] },
  });
  expect(await shown()).toBeNull();
  expect(await db.prisma.substitute.count({ where: { organizationId: organization.id } })).toBe(0);
});
