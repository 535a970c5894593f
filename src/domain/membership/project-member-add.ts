import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { pairsOfGroups, peopleOf } from '../groups/group-pairs.ts';
import { findProjectGroups, type ProjectGroup } from '../groups/project-group.ts';
import { recordEvents } from '../kernel/audit.ts';
import { idsOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchLimit, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf, type Project, requireProject } from '../projects/project.ts';
import { lockAuthorization } from './authorization-lock.ts';
import { type Candidate, candidate, lockCandidates } from './project-candidate.ts';
import { groupCandidate, insertProjectGroups, lockNewGroups } from './project-group-add.ts';
import { findProjectInvitations, type ProjectInvitation } from './project-invitation.ts';
import { findProjectMembers, type ProjectMember } from './project-member.ts';
import { requireRoleForGuest } from './project-member-change.ts';
import { settleWithEffects } from './settled-effects.ts';

const addition = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  members: z.array(candidate).nullish(),
  groups: z.array(groupCandidate).nullish(),
  keepExisting: z.boolean().nullish(),
});

/** What was added, and with `keepExisting` what was there before; each list in the order of the input. */
export interface AddedToProject extends AddedPeople {
  groups: ProjectGroup[];
}

interface AddedPeople {
  members: ProjectMember[];
  invitations: ProjectInvitation[];
}

interface Addition {
  ctx: Context;
  tx: Transaction;
  project: Project;
}

/**
 * Adds people of the organization to a project, and groups, whose members are members of the project as long as they are in the
 * group; all or nothing. A person who is invited to the organization joins the project when they accept. Requires the role ADMIN;
 * NOT_FOUND for anyone else, and for what the viewer may not see. Throws CONFLICT for a guest with another role than VIEWER. Who
 * and what was added before is left as it is and returned with `keepExisting`; otherwise throws CONFLICT for it.
 */
export function addProjectMembers(ctx: Context, input: z.input<typeof addition>): Promise<AddedToProject> {
  const { projectId, organizationId, keepExisting, ...named } = parse(addition, input);
  const { members, groups } = { members: named.members ?? [], groups: named.groups ?? [] };
  if (groups.length === 0) requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireBatchLimit([...members, ...groups], ctx.limits.batchMax, 'members');
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'changeProjectMembers', organizationId);
    const adding = { ctx, tx, project };
    const newGroups = await lockNewGroups(ctx, tx, project, groups, keepExisting === true);
    await lockAuthorization(ctx.viewer, tx, project.organizationId);
    const newGroupIds = newGroups.map(({ groupId }) => groupId);
    const others = await peopleOf(tx, project.organizationId, newGroupIds);
    const candidates = await lockCandidates(ctx, tx, project.organizationId, members, others);
    const existing = await findExisting(adding, candidates);
    const earlier = candidates.filter((each) => isAmong(existing, each));
    if (earlier[0] && !keepExisting) throw addedBefore(earlier[0]);
    const added = candidates.filter((each) => !earlier.includes(each));
    for (const { index, role, member, invitation } of added)
      requireRoleForGuest((member ?? invitation)?.role ?? 'GUEST', role, `members.${index}.role`);
    await addMembers(adding, added, newGroups);
    const invitations = [...existing.invitations, ...(await addInvitations(adding, added))];
    const present = await findExisting(adding, candidates);
    return {
      ...inInputOrder(candidates, { members: present.members, invitations }),
      groups: await groupsInOrder(adding, groups),
    };
  });
}

/** Those of the candidates who were added themselves, not by a group alone. They are locked, so none is added meanwhile. */
async function findExisting(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
): Promise<AddedPeople> {
  const rows = await tx.query<{ id: string }>(sql`
    SELECT id FROM project_members WHERE project_id = ${project.id} AND own_role IS NOT NULL
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

const isAmong = ({ members, invitations }: AddedPeople, one: Candidate): boolean =>
  members.some((each) => isMember(each, one)) || invitations.some((each) => isInvited(each, one));

const inInputOrder = (
  candidates: readonly Candidate[],
  { members, invitations }: AddedPeople,
): AddedPeople => ({
  members: candidates.flatMap((one) => members.find((each) => isMember(each, one)) ?? []),
  invitations: candidates.flatMap((one) => invitations.find((each) => isInvited(each, one)) ?? []),
});

/** CONFLICT that names the person, who was in the project before. */
const addedBefore = ({ index, member, invitation }: Candidate) =>
  conflict(`${(member ?? invitation)?.email} was added before.`, `members.${index}`);

/** Gives the people their own roles, and adds the groups, in one settlement with its events. */
async function addMembers(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
  groups: readonly z.output<typeof groupCandidate>[],
): Promise<void> {
  const { organizationId, id: projectId } = project;
  const events = await insertProjectGroups(ctx, tx, project, groups);
  const groupIds = groups.map(({ groupId }) => groupId);
  const named = candidates.flatMap(({ member, role }) =>
    member ? { projectId, userId: member.userId, own: role } : [],
  );
  const own = new Map(named.map((each) => [each.userId, each.own]));
  const byGroup = await pairsOfGroups(tx, organizationId, { groupIds, projectIds: [projectId] }, 'groups');
  const grouped = new Set(byGroup.map(({ userId }) => userId));
  const pairs = [
    ...named.filter(({ userId }) => !grouped.has(userId)),
    ...byGroup.map((pair) => ({ ...pair, own: own.get(pair.userId) })),
  ];
  const at = groups.length > 0 ? 'groups' : 'members';
  const settled = await settleWithEffects(ctx, tx, organizationId, pairs, at);
  if (events.length + settled.length > 0) await recordEvents(ctx, tx, [...events, ...settled]);
}

const groupsInOrder = async (
  { ctx, tx, project }: Addition,
  groups: readonly { groupId: string }[],
): Promise<ProjectGroup[]> => {
  const ids = groups.map(({ groupId }) => groupId);
  const found = ids.length > 0 ? await findProjectGroups(ctx, project, ids, tx) : [];
  return ids.flatMap((id) => found.find(({ groupId }) => groupId === id) ?? []);
};

async function addInvitations(
  { ctx, tx, project }: Addition,
  candidates: readonly Candidate[],
): Promise<ProjectInvitation[]> {
  const rows = candidates.flatMap(({ invitation, role }) =>
    invitation
      ? {
          ...{
            id: newId('ProjectInvitation'),
            organizationId: project.organizationId,
            projectId: project.id,
          },
          ...{ role, invitationId: invitation.id, clientId: ctx.viewer.clientId ?? null },
          createdById: ctx.viewer.userId,
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
