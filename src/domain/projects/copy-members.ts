import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectAccess, ProjectRole } from '../../generated/prisma/client.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { lockGroups, pairsOfGroups, requireBounded } from '../groups/group-pairs.ts';
import { type MemberPair, settleMembers } from '../groups/settle-members.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { PathOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { NewProjectCopy } from './copy-run.ts';

/**
 * The access of a copy: that of its source, unless a person chooses another one. An application may choose a narrower one only,
 * since what it opens would stay open after its grant. Throws FORBIDDEN.
 */
export function accessOfCopy(
  viewer: Viewer,
  source: { access: ProjectAccess },
  chosen: ProjectAccess | null | undefined,
): ProjectAccess {
  if (chosen === 'OPEN' && source.access === 'RESTRICTED') requireNoApplication(viewer, 'projectAccess');
  return chosen ?? source.access;
}

/**
 * Puts the members and the groups of each source into its copy, with their roles, and returns the events. Without them, a member of
 * an open source with a lower role could do more in the copy. The sources are locked. Throws CONFLICT for a group with too many
 * members times projects.
 */
export async function copyMembers(
  ctx: Context,
  tx: Transaction,
  copies: readonly NewProjectCopy[],
  pathOf: PathOf,
): Promise<NewEvent[]> {
  const [first] = copies;
  if (!first) return [];
  const { organizationId } = first;
  const sourceIds = [...new Set(copies.map(({ sourceId }) => sourceId))];
  const at = pathOf(first.sourceId);
  const groups = await copyGroups(ctx, tx, copies, at);
  const groupIds = [...new Set(groups.map(({ groupId }) => groupId))];
  await tx.query(sql`SELECT m.id FROM memberships m WHERE m.organization_id = ${organizationId} AND m.user_id IN (
    SELECT q.user_id FROM project_members q WHERE q.organization_id = ${organizationId} AND q.project_id ${sql.any(sourceIds)}
    UNION SELECT gm.user_id FROM group_members gm WHERE gm.organization_id = ${organizationId} AND gm.group_id ${sql.any(groupIds)})
    ORDER BY m.id FOR NO KEY UPDATE OF m`);
  const projectIds = copies.map(({ projectId }) => projectId);
  const pairs = new Map(
    (await pairsOfGroups(tx, organizationId, { groupIds, projectIds }, at)).map((each) => [
      keyOf(each),
      each,
    ]),
  );
  for (const own of await ownRoles(tx, copies, sourceIds))
    pairs.set(keyOf(own), { ...pairs.get(keyOf(own)), ...own });
  const members = await settleMembers(ctx, tx, organizationId, [...pairs.values()]);
  return [
    ...groups.map(({ projectId, groupId: subjectId, name, role }) => {
      return {
        organizationId,
        projectId,
        subjectId,
        kind: 'project.groupAdded',
        data: { after: { name, role } },
      };
    }),
    ...members.map(({ projectId, userId: subjectId, after: role, email }) => {
      return {
        organizationId,
        projectId,
        subjectId,
        kind: 'projectMember.added',
        data: { after: { role, email } },
      };
    }),
  ];
}

const keyOf = ({ projectId, userId }: MemberPair) => `${projectId} ${userId}`;

/** Puts the groups of each source into its copy. They are locked before they are read. */
async function copyGroups(
  { viewer }: Context,
  tx: Transaction,
  copies: readonly NewProjectCopy[],
  at: string,
) {
  const { organizationId } = copies[0] as NewProjectCopy;
  const inSources = sql`pg.organization_id = ${organizationId} AND pg.project_id = ANY(${copies.map(({ sourceId }) => sourceId)})`;
  const concerned = await tx.query<{ groupId: string }>(
    sql`SELECT pg.group_id FROM project_groups pg WHERE ${inSources}`,
  );
  const groupIds = [...new Set(concerned.map(({ groupId }) => groupId))];
  if (groupIds.length === 0) return [];
  await lockGroups(tx, organizationId, groupIds);
  const rows = await tx.query<{ projectId: string; groupId: string; role: ProjectRole; name: string }>(sql`
    SELECT pg.project_id, pg.group_id, pg.role::text AS role, gr.name FROM project_groups pg
    JOIN groups gr ON gr.organization_id = pg.organization_id AND gr.id = pg.group_id
    WHERE ${inSources} AND pg.group_id ${sql.any(groupIds)} ORDER BY gr.name_key`);
  const copied = copies.flatMap(({ projectId, sourceId }) =>
    rows.filter((row) => row.projectId === sourceId).map((row) => ({ ...row, projectId })),
  );
  await tx.prisma.projectGroup.createMany({
    data: copied.map(({ name: _, ...row }) => ({ ...row, organizationId, createdById: viewer.userId })),
  });
  await requireBounded(tx, organizationId, groupIds, () => at);
  return copied;
}

/** The own roles of the members of each source, in its copy. */
async function ownRoles(tx: Transaction, copies: readonly NewProjectCopy[], sourceIds: readonly string[]) {
  const members = await tx.query<{ projectId: string; userId: string; own: ProjectRole }>(sql`
    SELECT q.project_id, q.user_id, q.own_role::text AS own FROM project_members q
    WHERE q.organization_id = ${copies[0]?.organizationId} AND q.project_id = ANY(${sourceIds}) AND q.own_role IS NOT NULL ORDER BY q.id`);
  return copies.flatMap(({ projectId, sourceId }) =>
    members.filter((member) => member.projectId === sourceId).map((member) => ({ ...member, projectId })),
  );
}
