import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ProjectRole } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import type { Invitation } from '../organizations/invitation.ts';
import { requireProject } from '../projects/project.ts';
import { lockAuthorization } from './authorization-lock.ts';
import { findProjectInvitations } from './project-invitation.ts';

const removal = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  projectInvitationIds: z.array(z.string()),
});

/**
 * Removes invited people from a project, all or nothing, and returns the ids; their invitations to the organization stay.
 * Requires the role ADMIN. Throws NOT_FOUND, also for what was accepted meanwhile.
 */
export function removeProjectInvitations(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { projectId, organizationId: pathOrganizationId, projectInvitationIds } = parse(removal, input);
  requireBatchSize(projectInvitationIds, ctx.limits.batchMax, 'projectInvitationIds');
  const ids = [...new Set(projectInvitationIds)];
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(
      ctx,
      tx,
      projectId,
      'changeProjectMembers',
      pathOrganizationId,
    );
    await lockAuthorization(ctx.viewer, tx, organizationId);
    const invitations = (await findProjectInvitations(ctx, ids, tx)).filter(
      (each) => each.projectId === projectId,
    );
    requireFound(
      'Project invitation',
      ids,
      invitations,
      positionIn('projectInvitationIds', projectInvitationIds),
    );
    const { count } = await tx.prisma.projectInvitation.deleteMany({
      where: { id: { in: invitations.map(({ id }) => id) } },
    });
    if (count < ids.length) throw notFound('Project invitation', 'projectInvitationIds');
    const events = invitations.map(({ invitationId: subjectId, email, role }) => {
      const data = { before: { email, role } };
      return { organizationId, projectId, subjectId, kind: 'projectInvitation.removed', data };
    });
    await recordEvents(ctx, tx, events);
    return ids;
  });
}

interface JoinedProject {
  projectId: string;
  role: ProjectRole;
  createdById: string;
}

/**
 * Locks an invitation, so that nobody is added to it or removed from it any more, and returns the projects that come with it and
 * are not deleted. To be called before the invitation is deleted.
 */
export async function projectsOfInvitation(
  tx: Transaction,
  { id }: Pick<Invitation, 'id'>,
): Promise<JoinedProject[]> {
  await tx.query(sql`SELECT id FROM invitations WHERE id = ${id} FOR UPDATE`);
  return tx.query<JoinedProject>(sql`SELECT pi.project_id, pi.role, pi.created_by_id FROM project_invitations pi
    JOIN projects p ON p.organization_id = pi.organization_id AND p.id = pi.project_id
    WHERE pi.invitation_id = ${id} AND p.purge_marked_at IS NULL ORDER BY pi.id FOR UPDATE OF pi`);
}

/** Adds the viewer, a new member, who is in no group, to the projects of their invitation. Returns the events. */
export async function joinProjects(
  { viewer: { userId, email } }: Context,
  tx: Transaction,
  { organizationId, id: invitationId }: Pick<Invitation, 'organizationId' | 'id'>,
  projects: readonly JoinedProject[],
): Promise<NewEvent[]> {
  const rows = projects.map((each) => ({
    ...{ ...each, ownRole: each.role, organizationId, userId },
    id: newId('ProjectMember'),
  }));
  if (rows.length > 0) await tx.prisma.projectMember.createMany({ data: rows });
  return projects.map(({ projectId, role }) => ({
    organizationId,
    projectId,
    subjectId: userId,
    kind: 'projectMember.added',
    data: { after: { role, email }, invitationId },
  }));
}
