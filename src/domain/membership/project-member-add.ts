import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchLimit, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf, type Project, requireProject } from '../projects/project.ts';
import { declineForFormerApprovers } from './former-approver.ts';
import { type Candidate, candidate, lockCandidates } from './project-candidate.ts';
import { groupCandidate, lockGroupCandidates } from './project-group-candidate.ts';
import { findProjectInvitations, type ProjectInvitation } from './project-invitation.ts';
import { findProjectMembers, type ProjectMember } from './project-member.ts';
import { approverScope, recordMembers, requireRoleForGuest } from './project-member-change.ts';

const addition = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  members: z.array(candidate).nullish(),
  groups: z.array(groupCandidate).nullish(),
});

/** Who was added, each list in the order of the input; who comes with a group follows, in the order of the ids. */
export interface AddedToProject {
  members: ProjectMember[];
  invitations: ProjectInvitation[];
}

interface Addition {
  ctx: Context;
  tx: Transaction;
  project: Pick<Project, 'id' | 'organizationId'>;
}

/**
 * Adds members of the organization to a project, all or nothing: people, and the present members of groups who are not in
 * it; later changes of a group do not change the project. A person who is invited to the organization joins the project
 * when they accept. Requires the role ADMIN; NOT_FOUND for anyone else, and for an invitation that the viewer may
 * not see. Throws CONFLICT for people who were added before and for a guest with another role than VIEWER.
 */
export function addProjectMembers(ctx: Context, input: z.input<typeof addition>): Promise<AddedToProject> {
  const { projectId, organizationId: pathOrganizationId, ...named } = parse(addition, input);
  const { members, groups } = { members: named.members ?? [], groups: named.groups ?? [] };
  requireNoApplication(ctx.viewer, 'projectMembers');
  if (groups.length === 0) requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireBatchLimit([...members, ...groups], ctx.limits.batchMax, 'members');
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'ADMIN', pathOrganizationId);
    const candidates = await lockCandidates(ctx, tx, project.organizationId, members);
    for (const { index, role, member, invitation } of candidates)
      requireRoleForGuest((member ?? invitation)?.role ?? 'GUEST', role, `members.${index}.role`);
    const grouped = await lockGroupCandidates(ctx, tx, project, groups, candidates);
    const adding = { ctx, tx, project };
    return {
      members: await addMembers(adding, [...candidates, ...grouped]),
      invitations: await addInvitations(adding, candidates),
    };
  });
}

async function addMembers({ ctx, tx, project }: Addition, candidates: readonly Candidate[]) {
  const rows = candidates.flatMap(({ member, role }) =>
    member ? { ...newRow({ ctx, project }, 'ProjectMember', role), userId: member.userId } : [],
  );
  if (rows.length === 0) return [];
  const { count } = await tx.prisma.projectMember.createMany({ data: rows, skipDuplicates: true });
  const ids = rows.map(({ id }) => id);
  const added = inOrderOf(await findProjectMembers(ctx, ids, tx), rows);
  if (count < rows.length)
    throw await addedBefore(
      tx,
      project.id,
      candidates.filter(({ member }) => member),
      ids,
    );
  const declined = await declineForFormerApprovers(ctx, tx, approverScope(added));
  const data = ({ role, email }: ProjectMember) => ({ after: { role, email } });
  await recordMembers(ctx, tx, added, 'projectMember.added', data, declined);
  return added;
}

async function addInvitations({ ctx, tx, project }: Addition, candidates: readonly Candidate[]) {
  const rows = candidates.flatMap(({ invitation, role }) =>
    invitation ? { ...newRow({ ctx, project }, 'ProjectInvitation', role), invitationId: invitation.id } : [],
  );
  if (rows.length === 0) return [];
  const { count } = await tx.prisma.projectInvitation.createMany({ data: rows, skipDuplicates: true });
  const ids = rows.map(({ id }) => id);
  if (count < rows.length)
    throw await addedBefore(
      tx,
      project.id,
      candidates.filter(({ invitation }) => invitation),
      ids,
    );
  const added = inOrderOf(await findProjectInvitations(ctx, ids, tx), rows);
  const { organizationId, id: projectId } = project;
  const events = added.map(({ invitationId: subjectId, email, role }) => {
    const data = { after: { email, role } };
    return { organizationId, projectId, subjectId, kind: 'projectInvitation.created', data };
  });
  await recordEvents(ctx, tx, events);
  return added;
}

const newRow = <Role>(
  { ctx, project }: Pick<Addition, 'ctx' | 'project'>,
  type: 'ProjectMember' | 'ProjectInvitation',
  role: Role,
) => ({
  organizationId: project.organizationId,
  id: newId(type),
  projectId: project.id,
  role,
  createdById: ctx.viewer.userId,
});

/** CONFLICT that names the first person in the input who was in the project before; `ids` are the rows just created. */
async function addedBefore(
  tx: Transaction,
  projectId: string,
  candidates: readonly Candidate[],
  ids: readonly string[],
) {
  const rows = await tx.query<{ subject: string }>(sql`
    SELECT user_id AS subject FROM project_members WHERE project_id = ${projectId} AND id <> ALL(${ids})
      AND user_id = ANY(${candidates.flatMap(({ member }) => member?.userId ?? [])})
    UNION ALL SELECT invitation_id FROM project_invitations WHERE project_id = ${projectId} AND id <> ALL(${ids})
      AND invitation_id = ANY(${candidates.flatMap(({ invitation }) => invitation?.id ?? [])})`);
  const subjects = new Set(rows.map(({ subject }) => subject));
  const before = candidates.find(({ member, invitation }) =>
    subjects.has(member?.userId ?? invitation?.id ?? ''),
  );
  const { email } = before?.member ?? before?.invitation ?? { email: 'Someone' };
  return conflict(`${email} was added before.`, `members.${before?.index ?? 0}`);
}
