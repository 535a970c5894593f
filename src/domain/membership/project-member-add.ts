import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { recordEvents } from '../kernel/audit.ts';
import { idsOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchLimit, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf, type Project, requireProject } from '../projects/project.ts';
import { lockAuthorization } from './authorization-lock.ts';
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
  keepExisting: z.boolean().nullish(),
});

/**
 * Who was added, and with `keepExisting` who was there before; each list in the order of the input; who comes with a group
 * follows, in the order of the ids.
 */
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
 * not see. Throws CONFLICT for a guest with another role than VIEWER. People who were added before are left as they are
 * and returned with `keepExisting`; otherwise throws CONFLICT for them.
 */
export function addProjectMembers(ctx: Context, input: z.input<typeof addition>): Promise<AddedToProject> {
  const { projectId, organizationId, keepExisting, ...named } = parse(addition, input);
  const { members, groups } = { members: named.members ?? [], groups: named.groups ?? [] };
  if (groups.length === 0) requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireBatchLimit([...members, ...groups], ctx.limits.batchMax, 'members');
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'changeProjectMembers', organizationId);
    await lockAuthorization(ctx.viewer, tx, project.organizationId);
    const candidates = await lockCandidates(ctx, tx, project.organizationId, members);
    const grouped = await lockGroupCandidates(ctx, tx, project, groups, candidates);
    const adding = { ctx, tx, project };
    const existing = await findExisting(adding, candidates);
    const earlier = candidates.filter((each) => isAmong(existing, each));
    if (earlier[0] && !keepExisting) throw addedBefore(earlier[0]);
    const added = candidates.filter((each) => !earlier.includes(each));
    for (const { index, role, member, invitation } of added)
      requireRoleForGuest((member ?? invitation)?.role ?? 'GUEST', role, `members.${index}.role`);
    return inInputOrder([...candidates, ...grouped], {
      members: [...existing.members, ...(await addMembers(adding, [...added, ...grouped]))],
      invitations: [...existing.invitations, ...(await addInvitations(adding, added))],
    });
  });
}

/** Those of the candidates who were added before. They are locked, so none is added meanwhile. */
async function findExisting(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
): Promise<AddedToProject> {
  const rows = await tx.query<{ id: string }>(sql`
    SELECT id FROM project_members WHERE project_id = ${project.id}
      AND user_id = ANY(${candidates.flatMap(({ member }) => member?.userId ?? [])})
    UNION ALL SELECT id FROM project_invitations WHERE project_id = ${project.id}
      AND invitation_id = ANY(${candidates.flatMap(({ invitation }) => invitation?.id ?? [])})`);
  return {
    members: await findProjectMembers(ctx, idsOf(rows), tx),
    invitations: await findProjectInvitations(ctx, idsOf(rows), tx),
  };
}

const isMember = ({ userId }: ProjectMember, { member }: Candidate) => userId === member?.userId;
const isInvited = ({ invitationId }: ProjectInvitation, { invitation }: Candidate) =>
  invitationId === invitation?.id;

const isAmong = ({ members, invitations }: AddedToProject, one: Candidate): boolean =>
  members.some((each) => isMember(each, one)) || invitations.some((each) => isInvited(each, one));

const inInputOrder = (
  candidates: readonly Candidate[],
  { members, invitations }: AddedToProject,
): AddedToProject => ({
  members: candidates.flatMap((one) => members.find((each) => isMember(each, one)) ?? []),
  invitations: candidates.flatMap((one) => invitations.find((each) => isInvited(each, one)) ?? []),
});

/** CONFLICT that names the person, who was in the project before. */
const addedBefore = ({ index, member, invitation }: Candidate) =>
  conflict(`${(member ?? invitation)?.email} was added before.`, `members.${index}`);

async function addMembers(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
): Promise<ProjectMember[]> {
  const rows = candidates.flatMap(({ member, role }) =>
    member ? { ...newRow({ ctx, project }, 'ProjectMember', role), userId: member.userId } : [],
  );
  if (rows.length === 0) return [];
  await tx.prisma.projectMember.createMany({ data: rows });
  const added = inOrderOf(await findProjectMembers(ctx, idsOf(rows), tx), rows);
  const declined = await declineForFormerApprovers(ctx, tx, approverScope(added));
  const data = ({ role, email }: ProjectMember) => ({ after: { role, email } });
  await recordMembers(ctx, tx, added, 'projectMember.added', data, declined);
  return added;
}

async function addInvitations(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
): Promise<ProjectInvitation[]> {
  const rows = candidates.flatMap(({ invitation, role }) =>
    invitation
      ? {
          ...newRow({ ctx, project }, 'ProjectInvitation', role),
          ...{ invitationId: invitation.id, clientId: ctx.viewer.clientId ?? null },
        }
      : [],
  );
  if (rows.length === 0) return [];
  await tx.prisma.projectInvitation.createMany({ data: rows });
  const added = inOrderOf(await findProjectInvitations(ctx, idsOf(rows), tx), rows);
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
