import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type OrganizationRole, type Prisma, ProjectRole } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleProjectMembers } from '../access/access.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { hasImplicitAccess, hasProjectRole } from '../access/role.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { email, parse, requireBatchSize } from '../kernel/input.ts';
import { lockMembersByEmail } from '../organizations/member.ts';
import { inOrderOf, type Project, requireProject } from '../projects/project.ts';
import { requireDistinctEmails } from '../users/person.ts';
import { withdrawAssignments } from './assignment.ts';
import { declineForFormerApprovers } from './former-approver.ts';
import { findProjectMembers, type ProjectMember } from './project-member.ts';

const addition = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  members: z.array(z.strictObject({ email, role: z.enum(ProjectRole) })),
});

/**
 * Adds members of the organization to a project, all or nothing, in the order given. Takes the role ADMIN in it. Who is
 * no member of the organization is NOT_FOUND, with an account or without. CONFLICT for those who were added before.
 */
export function addProjectMembers(ctx: Context, input: z.input<typeof addition>): Promise<ProjectMember[]> {
  const { projectId, organizationId: within, members } = parse(addition, input);
  requireNoApplication(ctx.viewer, 'projectMembers');
  requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireDistinctEmails(members);
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProjectWithin(ctx, tx, projectId, within, 'ADMIN');
    const emails = members.map((each) => each.email);
    const found = await lockMembersByEmail(ctx, tx, organizationId, emails, 'NO KEY UPDATE');
    const byEmail = new Map(found.map((member) => [member.email, member]));
    const rows = members.map(({ email, role }, index) => {
      const member = byEmail.get(email);
      if (!member) throw notFound('Member', `members.${index}.email`);
      requirePossible(member.role, role, `members.${index}.role`);
      const { userId } = member;
      return {
        organizationId,
        id: newId('ProjectMember'),
        projectId,
        userId,
        role,
        createdById: ctx.viewer.userId,
      };
    });
    const { count } = await tx.prisma.projectMember.createMany({ data: rows, skipDuplicates: true });
    if (count < rows.length) throw conflict('Someone was added before.', 'members');
    const ids = rows.map(({ id }) => id);
    const added = inOrderOf(await findProjectMembers(ctx, ids, tx), rows);
    const declined = await declineForFormerApprovers(ctx, tx, circleOf(added));
    await tell(
      ctx,
      tx,
      added,
      'projectMember.added',
      ({ role, email }) => ({ after: { role, email } }),
      declined,
    );
    return added;
  });
}

const update = z.strictObject({
  memberId: z.string(),
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  role: z.enum(ProjectRole),
});

/** Gives someone another role in a project. Takes the role ADMIN in it. A viewer is asked to approve nothing any longer. */
export function updateProjectMember(ctx: Context, input: z.input<typeof update>): Promise<ProjectMember> {
  const { memberId, organizationId, projectId, role } = parse(update, input);
  requireNoApplication(ctx.viewer, 'projectMembers');
  return inTransaction(ctx.db, async (tx) => {
    const [before] = await hold(ctx, tx, [memberId]);
    if (!before || (projectId && projectId !== before.projectId)) throw notFound('Member');
    await requireProjectWithin(ctx, tx, before.projectId, organizationId, 'ADMIN');
    requirePossible(before.organizationRole, role, 'role');
    const { count } = await tx.prisma.projectMember.updateMany({ where: { id: memberId }, data: { role } });
    if (count === 0) throw notFound('Member');
    const said = { before: { role: before.role }, after: { role } };
    const declined = await declineForFormerApprovers(ctx, tx, circleOf([before]));
    await tell(ctx, tx, [before], 'projectMember.updated', () => said, declined);
    return { ...before, role };
  });
}

const removal = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  memberIds: z.array(z.string()),
});

/**
 * Removes people from a project, all or nothing, and, if they see it no longer, what is assigned to them there and what
 * they were still asked to approve; gives the ids. Takes the role ADMIN in it. Anyone may leave a project, but one in which they take part anyway: there, a viewer
 * would rise by leaving.
 */
export function removeProjectMembers(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { projectId, organizationId: within, memberIds } = parse(removal, input);
  requireNoApplication(ctx.viewer, 'projectMembers');
  requireBatchSize(memberIds, ctx.limits.batchMax, 'memberIds');
  const ids = [...new Set(memberIds)];
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProjectWithin(ctx, tx, projectId, within, 'VIEWER');
    const members = (await hold(ctx, tx, ids)).filter((each) => each.projectId === projectId);
    if (members.length < ids.length) throw notFound('Member', 'memberIds');
    requireMayRemove(ctx, project, members);
    const { count } = await tx.prisma.projectMember.deleteMany({ where: { id: { in: ids } } });
    if (count < ids.length) throw notFound('Member', 'memberIds');
    const { organizationId } = project;
    const out = members.filter((each) => !hasImplicitAccess(each.organizationRole, project.access));
    const emails = out.map((each) => each.email);
    const unassigned = await withdrawAssignments(ctx, tx, { organizationId, projectId }, emails);
    const declined = await declineForFormerApprovers(ctx, tx, circleOf(members));
    const said = ({ role, email }: ProjectMember) => ({
      before: { role, email },
      unassigned: { ...unassigned.get(email) },
    });
    await tell(ctx, tx, members, 'projectMember.removed', said, declined);
    return ids;
  });
}

function requireMayRemove({ viewer }: Context, project: Project, members: ProjectMember[]): void {
  if (hasProjectRole(project.viewerRole, 'ADMIN')) return;
  if (members.some(({ userId }) => userId !== viewer.userId))
    throw forbidden(`This takes the role ADMIN in the project; yours is ${project.viewerRole}.`);
  if (members.some(({ organizationRole }) => hasImplicitAccess(organizationRole, project.access)))
    throw forbidden('Every member of the organization takes part in an open project.');
}

async function requireProjectWithin(
  ctx: Context,
  tx: Transaction,
  id: string,
  organizationId: string | null | undefined,
  least: ProjectRole,
): Promise<Project> {
  const project = await requireProject(ctx, tx, id, least);
  if (organizationId && organizationId !== project.organizationId) throw notFound('Project');
  return project;
}

function requirePossible(organizationRole: OrganizationRole, role: ProjectRole, at: string): void {
  if (organizationRole === 'GUEST' && role !== 'VIEWER') throw conflict('A guest can only be a VIEWER.', at);
}

/** The visible ones, while nobody changes what they are in the organization, or asks them to approve something. */
async function hold(ctx: Context, tx: Transaction, ids: readonly string[]): Promise<ProjectMember[]> {
  await tx.query(sql`SELECT m.id FROM memberships m WHERE EXISTS (SELECT FROM project_members q
    WHERE q.organization_id = m.organization_id AND q.user_id = m.user_id AND q.id = ANY(${ids})
    AND ${visibleProjectMembers(ctx.viewer)})
    ORDER BY m.id FOR NO KEY UPDATE OF m`);
  return findProjectMembers(ctx, ids, tx);
}

const circleOf = (members: readonly ProjectMember[]) => ({
  organizationId: members[0]?.organizationId as string,
  projectId: members[0]?.projectId as string,
  userIds: members.map(({ userId }) => userId),
});

const tell = (
  ctx: Context,
  tx: Transaction,
  members: readonly ProjectMember[],
  kind: string,
  data: (each: ProjectMember) => Prisma.InputJsonObject,
  more: readonly NewEvent[] = [],
) =>
  recordEvents(ctx, tx, [
    ...members.map((each) => ({
      organizationId: each.organizationId,
      projectId: each.projectId,
      subjectId: each.userId,
      kind,
      data: data(each),
    })),
    ...more,
  ]);
