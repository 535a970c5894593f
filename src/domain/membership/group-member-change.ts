import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { findGroups, type Group } from '../groups/group.ts';
import { projectsOf, requireBounded } from '../groups/group-pairs.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { changedBy } from '../kernel/version.ts';
import { lockNamedMembers, type Member } from '../organizations/member.ts';
import { groupEvent, lockGroup } from './group-change.ts';
import { settleWithEffects } from './settled-effects.ts';

/** The most members of a group, so that a change with all of them remains one small transaction. */
const MAX_MEMBERS = 1_000;

const change = z.strictObject({
  groupId: z.string(),
  organizationId: z.string().nullish(),
  memberIds: z.array(z.string()),
});

type Input = z.input<typeof change>;

/** Writes the change, and returns those who joined or left. */
type Write = (tx: Transaction, group: Group, members: Member[]) => Promise<Member[]>;

/** Adds members of the organization, all or none; those who are in the group stay in it. Throws CONFLICT above 1,000, and above the bound of its projects. */
export const addGroupMembers = (ctx: Context, input: Input): Promise<Group> =>
  changeMembers(ctx, input, insert, 'after');

/** Removes members of the organization, all or none; those who are not in the group are left out. */
export const removeGroupMembers = (ctx: Context, input: Input): Promise<Group> =>
  changeMembers(ctx, input, remove, 'before');

/**
 * Changes who is in a group, and so in its projects, and returns it; events only if that is a change. Requires OWNER or ADMIN. Throws NOT_FOUND,
 * FORBIDDEN. Not for applications.
 */
function changeMembers(ctx: Context, input: Input, write: Write, side: 'before' | 'after'): Promise<Group> {
  const { groupId, organizationId, memberIds } = parse(change, input);
  requireNoApplication(ctx.viewer, 'groups');
  requireBatchSize(memberIds, ctx.limits.batchMax, 'memberIds');
  return inTransaction(ctx.db, async (tx) => {
    const group = await lockGroup(ctx, tx, groupId, organizationId);
    const ids = [...new Set(memberIds)];
    const members = await lockNamedMembers(ctx, tx, group.organizationId, { ids }, 'NO KEY UPDATE');
    requireFound('Member', ids, members, positionIn('memberIds', memberIds));
    const changed = await write(tx, group, members);
    if (changed.length === 0) return group;
    await tx.prisma.group.update({ where: { id: groupId }, data: changedBy(ctx) });
    const kind = side === 'after' ? 'group.membersAdded' : 'group.membersRemoved';
    const emails = changed.map(({ email }) => email);
    await recordEvents(ctx, tx, [
      groupEvent(group, kind, { [side]: { members: emails } }),
      ...(await settleProjects(ctx, tx, group, changed)),
    ]);
    return (await findGroups(ctx, [groupId], tx))[0] as Group;
  });
}

/** Settles the memberships of these people in the projects of the group, and returns the events. */
async function settleProjects(
  ctx: Context,
  tx: Transaction,
  { organizationId, id }: Group,
  changed: readonly Member[],
): Promise<NewEvent[]> {
  await requireBounded(tx, organizationId, [id], () => 'memberIds');
  const projectIds = await projectsOf(tx, organizationId, [id]);
  const pairs = projectIds.flatMap((projectId) =>
    changed.map(({ userId }) => ({ projectId, userId, groupIds: [id] })),
  );
  return settleWithEffects(ctx, tx, organizationId, pairs, 'memberIds');
}

/** The members of the group among these. */
async function present(
  tx: Transaction,
  { organizationId, id: groupId }: Group,
  members: Member[],
): Promise<Member[]> {
  const userIds = members.map(({ userId }) => userId);
  const where = { organizationId, groupId, userId: { in: userIds } };
  const rows = await tx.prisma.groupMember.findMany({ where });
  const found = new Set(rows.map(({ userId }) => userId));
  return members.filter(({ userId }) => found.has(userId));
}

const insert: Write = async (tx, group, members) => {
  const { organizationId, id: groupId } = group;
  const before = new Set(await present(tx, group, members));
  const added = members.filter((each) => !before.has(each));
  if (
    (await tx.prisma.groupMember.count({ where: { organizationId, groupId } })) + added.length >
    MAX_MEMBERS
  )
    throw conflict('A group has at most 1,000 members.', 'memberIds');
  await tx.prisma.groupMember.createMany({
    data: added.map(({ userId }) => ({ organizationId, groupId, userId })),
  });
  return added;
};

const remove: Write = async (tx, group, members) => {
  const removed = await present(tx, group, members);
  const userIds = removed.map(({ userId }) => userId);
  await tx.prisma.groupMember.deleteMany({
    where: { organizationId: group.organizationId, groupId: group.id, userId: { in: userIds } },
  });
  return removed;
};
