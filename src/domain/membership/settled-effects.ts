import type { Transaction } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { requireManagedByApplications } from '../access/access-application.ts';
import { hasImplicitAccess } from '../access/role.ts';
import { type MemberPair, type SettledMember, settleMembers } from '../groups/settle-members.ts';
import { changes, type NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { itemsOf, type WithdrawnAssignments, withdrawFromProjects } from './assignment.ts';
import { declineForFormerApprovers } from './former-approver.ts';

/**
 * Settles memberships of projects, with what follows for who loses one or becomes VIEWER: assignments end, pending votes are
 * declined. Returns the events. Locks as for `settleMembers`. Throws FORBIDDEN at `at` where an application changes whom it does not manage.
 */
export async function settleWithEffects(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  pairs: readonly MemberPair[],
  at: string,
): Promise<NewEvent[]> {
  const members = await settleMembers(ctx, tx, organizationId, pairs);
  const present = members.filter(({ before }) => before !== null);
  const people = present.map(({ userId, organizationRole: role }) => ({ userId, role }));
  requireManagedByApplications(ctx.viewer, people, () => at);
  const excluded = members.filter(
    ({ after, organizationRole, access }) => after === null && !hasImplicitAccess(organizationRole, access),
  );
  const withdrawn = await withdrawFromProjects(ctx, tx, organizationId, excluded);
  const excludedSet = new Set(excluded);
  const unassigned = (each: SettledMember) => (excludedSet.has(each) ? withdrawn(each) : undefined);
  const declined = await declineForLosses(ctx, tx, organizationId, members);
  const groupIds = new Map(pairs.map((pair) => [keyOf(pair), pair.groupIds]));
  return [
    ...members.map((each) => memberEvent(each, unassigned(each), groupIds.get(keyOf(each)))),
    ...declined,
  ];
}

const keyOf = ({ projectId, userId }: MemberPair) => `${projectId} ${userId}`;

/** Only a lower role, or none, takes a vote away; a VIEWER of an open project had more before. */
async function declineForLosses(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  members: readonly SettledMember[],
): Promise<NewEvent[]> {
  const losing = members.filter(({ after }) => after === null || after === 'VIEWER');
  if (losing.length === 0) return [];
  const [projectId, ...others] = new Set(losing.map((each) => each.projectId));
  const userIds = [...new Set(losing.map(({ userId }) => userId))];
  return declineForFormerApprovers(ctx, tx, {
    organizationId,
    userIds,
    ...(others.length === 0 && { projectId }),
  });
}

function memberEvent(
  member: SettledMember,
  unassigned: WithdrawnAssignments | undefined,
  groupIds: string[] | undefined,
): NewEvent {
  const { organizationId, projectId, userId: subjectId, email, before, after } = member;
  const by = groupIds && { groupIds };
  const event = (verb: string, data: Prisma.InputJsonObject): NewEvent => ({
    ...{ organizationId, projectId, subjectId, kind: `projectMember.${verb}`, data: { ...data, ...by } },
  });
  if (after === null)
    return {
      ...event('removed', { before: { role: before, email }, unassigned: { ...unassigned } }),
      ...(unassigned && { touched: itemsOf(unassigned) }),
    };
  return before === null
    ? event('added', { after: { role: after, email } })
    : event('updated', rolesOf(member));
}

/** The roles before and after; the own role only where groups make a difference. */
function rolesOf({ before, after, ownBefore, ownAfter }: SettledMember): Prisma.InputJsonObject {
  const differs = before !== ownBefore || after !== ownAfter;
  return changes(
    { role: before, ...(differs && { ownRole: ownBefore }) },
    { role: after, ...(differs && { ownRole: ownAfter }) },
  );
}
