import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { findGroups, findGroupsOf, type Group } from '../groups/group.ts';
import { lockPeopleOf, pairsOfGroups, projectsOf } from '../groups/group-pairs.ts';
import type { MemberPair } from '../groups/settle-members.ts';
import { changes, type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { idsOf, type PathOf, pathOfMissing, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { inOrderOf } from '../projects/project.ts';
import { settleWithEffects } from './settled-effects.ts';

const NAME_IN_USE = 'The organization has a group of this name.';

const creation = z.strictObject({
  organizationId: z.string(),
  groups: z.array(z.strictObject({ name })),
});

/** Creates empty groups, all or none, in input order. Requires OWNER or ADMIN. Throws CONFLICT for a name in use. Not for applications. */
export function createGroups(ctx: Context, input: z.input<typeof creation>): Promise<Group[]> {
  const { organizationId, groups } = parse(creation, input);
  requireNoApplication(ctx.viewer, 'groups');
  requireBatchSize(groups, ctx.limits.batchMax, 'groups');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await lockRow(tx, 'organizations', organizationId);
    const rows = groups.map(({ name }) => ({
      ...{ organizationId, id: newId('Group'), name, nameKey: normalizedKey(name) },
      createdById: ctx.viewer.userId,
    }));
    const created = await tx.prisma.group.createManyAndReturn({
      ...{ data: rows, skipDuplicates: true, select: { id: true } },
    });
    const pathOf = (id: string) => `groups.${idsOf(rows).indexOf(id)}.name`;
    const at = pathOfMissing(idsOf(rows), idsOf(created), pathOf);
    if (at !== undefined) throw conflict(NAME_IN_USE, at);
    await recordEvents(
      ctx,
      tx,
      rows.map((row) => groupEvent(row, 'group.created', { after: { name: row.name } })),
    );
    return inOrderOf(await findGroups(ctx, idsOf(rows), tx), rows);
  });
}

const update = z.strictObject({
  groupId: z.string(),
  organizationId: z.string().nullish(),
  name: name.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Renames a group. Requires OWNER or ADMIN. Throws NOT_FOUND, FORBIDDEN, CONFLICT. Not for applications. */
export function updateGroup(ctx: Context, input: z.input<typeof update>): Promise<Group> {
  const { groupId, organizationId, name, expectedVersion } = parse(update, input);
  requireNoApplication(ctx.viewer, 'groups');
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockGroup(ctx, tx, groupId, organizationId);
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name };
    await requireFreeName(tx, before, normalizedKey(after.name));
    await tx.prisma.group.update({
      where: { id: groupId },
      data: { ...after, nameKey: normalizedKey(after.name), ...changedBy(ctx) },
    });
    await recordEvents(ctx, tx, [groupEvent(before, 'group.updated', changes(before, after))]);
    return (await findGroups(ctx, [groupId], tx))[0] as Group;
  });
}

/** Throws CONFLICT for the name of another group. The lock keeps others from taking it until the transaction ends. */
async function requireFreeName(tx: Transaction, { organizationId, id }: Group, nameKey: string) {
  await lockRow(tx, 'organizations', organizationId);
  const other = await tx.prisma.group.findFirst({ where: { organizationId, nameKey, NOT: { id } } });
  if (other) throw conflict(NAME_IN_USE, 'name');
}

const deletion = z.strictObject({ organizationId: z.string(), groupIds: z.array(z.string()) });

/**
 * Deletes groups, all or none, and returns their ids; who was in a project by them alone leaves it. Requires OWNER or ADMIN.
 * Throws CONFLICT for a group that a process names or with which a form is shared. Not for applications.
 */
export function deleteGroups(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { organizationId, groupIds } = parse(deletion, input);
  requireNoApplication(ctx.viewer, 'groups');
  requireBatchSize(groupIds, ctx.limits.batchMax, 'groupIds');
  const ids = [...new Set(groupIds)];
  return inTransaction(ctx.db, async (tx) => {
    await tx.query(sql`SELECT id FROM groups WHERE id ${sql.any(ids)} ORDER BY id FOR UPDATE`);
    const groups = await findGroupsOf(ctx, tx, organizationId, ids);
    requireFound('Group', ids, groups, positionIn('groupIds', groupIds));
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await requireUnused(tx, organizationId, ids, positionIn('groupIds', groupIds));
    const emails = await emailsByGroup(tx, organizationId, ids);
    const pairs = await lockPairs(tx, organizationId, ids);
    await tx.prisma.group.deleteMany({ where: { id: { in: ids } } });
    const data = ({ id, name }: Group) => ({ before: { name, members: emails.get(id) ?? [] } });
    const inOrder = inOrderOf(
      groups,
      ids.map((id) => ({ id })),
    );
    await recordEvents(ctx, tx, [
      ...inOrder.map((each) => groupEvent(each, 'group.deleted', data(each))),
      ...(await settleWithEffects(ctx, tx, organizationId, pairs, 'groupIds')),
    ]);
    return ids;
  });
}

/** Locks all who are in the groups, and returns them with the projects of these. */
async function lockPairs(tx: Transaction, organizationId: string, groupIds: string[]): Promise<MemberPair[]> {
  await lockPeopleOf(tx, organizationId, groupIds);
  const projectIds = await projectsOf(tx, organizationId, groupIds);
  return pairsOfGroups(tx, organizationId, { groupIds, projectIds }, 'groupIds');
}

/** Throws CONFLICT for a group that a step of a process names, or with which a form is shared. */
async function requireUnused(
  tx: Transaction,
  organizationId: string,
  ids: string[],
  pathOf: PathOf,
): Promise<void> {
  const used = await tx.prisma.processStepGroup.findFirst({
    where: { organizationId, groupId: { in: ids } },
  });
  if (used) throw conflict('A process has the group as an approver.', pathOf(used.groupId));
  const escalation = await tx.prisma.processStep.findFirst({
    where: { organizationId, escalateGroupId: { in: ids } },
  });
  if (escalation?.escalateGroupId)
    throw conflict('A process escalates to the group.', pathOf(escalation.escalateGroupId));
  const share = await tx.prisma.formGroupShare.findFirst({
    where: { organizationId, groupId: { in: ids } },
  });
  if (share) throw conflict('A form is shared with the group.', pathOf(share.groupId));
  const policy = await tx.prisma.retentionPolicy.findFirst({
    where: { organizationId, reviewGroupId: { in: ids } },
  });
  if (policy?.reviewGroupId)
    throw conflict('A retention policy has the group as its reviewers.', pathOf(policy.reviewGroupId));
}

/** The addresses of the members of each group. */
async function emailsByGroup(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await tx.query<{ id: string; emails: string[] }>(sql`
    SELECT gm.group_id AS id, array_agg(u.email ORDER BY u.email) AS emails
    FROM group_members gm JOIN users u ON u.id = gm.user_id 
    WHERE gm.organization_id = ${organizationId} AND gm.group_id ${sql.any(ids)} GROUP BY gm.group_id`);
  return new Map(rows.map(({ id, emails }) => [id, emails]));
}

/** Locks and returns a group for a change. Throws NOT_FOUND, FORBIDDEN unless the viewer is OWNER or ADMIN. */
export async function lockGroup(
  ctx: Context,
  tx: Transaction,
  groupId: string,
  organizationId: string | null | undefined,
): Promise<Group> {
  await lockRow(tx, 'groups', groupId);
  const [group] = await findGroups(ctx, [groupId], tx);
  if (!group || (organizationId && organizationId !== group.organizationId)) throw notFound('Group');
  await requireOrganizationAdmin(ctx, tx, group.organizationId);
  return group;
}

export const groupEvent = (
  { organizationId, id }: Pick<Group, 'organizationId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
): NewEvent => subjectEvent({ organizationId, projectId: null, id }, kind, data);
