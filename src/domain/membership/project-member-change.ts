import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type OrganizationRole, ProjectRole } from '../../generated/prisma/enums.ts';
import { visibleProjectMembers } from '../access/access.ts';
import { requireManagedByApplications } from '../access/access-application.ts';
import { roleRefusal, roleSuffices } from '../access/project-action.ts';
import { hasImplicitAccess } from '../access/role.ts';
import { findGroupsOfMember } from '../groups/project-group.ts';
import { recordEvents } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { type Project, requireProject } from '../projects/project.ts';
import { lockAuthorization } from './authorization-lock.ts';
import { findProjectMembers, type ProjectMember } from './project-member.ts';
import { settleWithEffects } from './settled-effects.ts';

const update = z.strictObject({
  memberId: z.string(),
  ...projectPath,
  role: z.enum(ProjectRole),
});

/**
 * Changes somebody's own role in a project; a higher role of their groups counts on. A VIEWER stops being an approver. Requires the
 * role ADMIN. Throws NOT_FOUND, CONFLICT for a guest.
 */
export function updateProjectMember(ctx: Context, input: z.input<typeof update>): Promise<ProjectMember> {
  const { memberId, organizationId, projectId, role } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const [before] = await lockProjectMembers(ctx, tx, [memberId]);
    if (!before || (projectId && projectId !== before.projectId)) throw notFound('Member');
    const project = await requireProject(ctx, tx, before.projectId, 'changeProjectMembers', organizationId);
    await requireChangeable(ctx, tx, project, [before], () => 'memberId');
    requireRoleForGuest(before.organizationRole, role, 'role');
    const pair = { projectId: before.projectId, userId: before.userId, own: role };
    await recordEvents(ctx, tx, await settleWithEffects(ctx, tx, project.organizationId, [pair], 'memberId'));
    const [member] = await findProjectMembers(ctx, [memberId], tx);
    return member ?? { ...before, role, ownRole: role };
  });
}

const removal = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  memberIds: z.array(z.string()),
});

/**
 * Takes the own roles of people in a project, all or nothing, and returns the ids: who has no group there leaves it; if they lose
 * access, their assignments and pending approvals end. Requires the role ADMIN, or leaving oneself; not where members have access
 * anyway, since a VIEWER would gain a role by leaving. Throws NOT_FOUND, FORBIDDEN, CONFLICT for who is in by groups only.
 */
export function removeProjectMembers(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { projectId, organizationId: pathOrganizationId, memberIds } = parse(removal, input);
  requireBatchSize(memberIds, ctx.limits.batchMax, 'memberIds');
  const ids = [...new Set(memberIds)];
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'leaveProject', pathOrganizationId);
    const members = (await lockProjectMembers(ctx, tx, ids)).filter((each) => each.projectId === projectId);
    const pathOf = positionIn('memberIds', memberIds);
    requireFound('Member', ids, members, pathOf);
    requireMayRemove(ctx, project, members, pathOf);
    await requireChangeable(ctx, tx, project, members, pathOf);
    await requireOwnRoles(ctx, tx, members, pathOf);
    const pairs = members.map(({ userId }) => ({ projectId, userId, own: null }));
    const events = await settleWithEffects(ctx, tx, project.organizationId, pairs, 'memberIds');
    await recordEvents(ctx, tx, events);
    return ids;
  });
}

/** Throws CONFLICT for a member who is in by groups only, with the names of those that the viewer sees. */
async function requireOwnRoles(
  ctx: Context,
  tx: Transaction,
  members: readonly ProjectMember[],
  pathOf: PathOf,
): Promise<void> {
  const grouped = members.find(({ ownRole }) => ownRole === null);
  if (!grouped) return;
  const names = (await findGroupsOfMember(ctx, grouped, tx)).map(({ name }) => `“${name}”`);
  const by = names.length === 0 ? 'a group' : `the group ${names.join(', ')}`;
  throw conflict(
    `${grouped.email} is in the project by ${by}. Remove them from the group, or the group from the project.`,
    pathOf(grouped.id),
  );
}

/** Locks the authorization of an application. Throws FORBIDDEN for members that none changes. */
async function requireChangeable(
  { viewer }: Context,
  tx: Transaction,
  { organizationId }: Project,
  members: readonly ProjectMember[],
  pathOf: PathOf,
): Promise<void> {
  await lockAuthorization(viewer, tx, organizationId);
  const people = members.map(({ userId, organizationRole: role }) => ({ userId, role }));
  requireManagedByApplications(viewer, people, (index) => pathOf(members[index]?.id as string));
}

/** Throws FORBIDDEN unless the viewer may remove these members. */
function requireMayRemove(
  { viewer }: Context,
  project: Project,
  members: ProjectMember[],
  pathOf: PathOf,
): void {
  if (roleSuffices(project.viewerRole, 'changeProjectMembers')) return;
  const other = members.find(({ userId }) => userId !== viewer.userId);
  if (other) throw roleRefusal('changeProjectMembers', `; yours is ${project.viewerRole}.`, pathOf(other.id));
  const implicit = members.find((each) => hasImplicitAccess(each.organizationRole, project.access));
  if (implicit)
    throw forbidden('Every member of the organization takes part in an open project.', pathOf(implicit.id));
}

/** Throws CONFLICT for a guest of the organization with another role than VIEWER. */
export function requireRoleForGuest(organizationRole: OrganizationRole, role: ProjectRole, at: string): void {
  if (organizationRole === 'GUEST' && role !== 'VIEWER') throw conflict('A guest can only be a VIEWER.', at);
}

/** Returns the visible project members, their memberships locked: no change of role and no new approval meanwhile. */
async function lockProjectMembers(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
): Promise<ProjectMember[]> {
  await tx.query(sql`SELECT m.id FROM memberships m WHERE EXISTS (SELECT FROM ${tables.projectMembers.from}
    WHERE q.organization_id = m.organization_id AND q.user_id = m.user_id AND q.id ${sql.any(ids)}
    AND ${visibleProjectMembers(ctx.viewer, tables.projectMembers)})
    ORDER BY m.id FOR NO KEY UPDATE OF m`);
  return findProjectMembers(ctx, ids, tx);
}
