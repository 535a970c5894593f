import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { ProjectRole } from '../../generated/prisma/enums.ts';
import { findGroupsOf } from '../groups/group-change.ts';
import { requireDistinct, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { requireBatchLimit } from '../kernel/input.ts';
import { lockNamedMembers } from '../organizations/member.ts';
import type { Project } from '../projects/project.ts';
import type { Candidate } from './project-candidate.ts';

/** A group whose present members are added to a project. */
export const groupCandidate = z.strictObject({ groupId: z.string(), role: z.enum(ProjectRole) });

type GroupCandidate = z.output<typeof groupCandidate>;

/**
 * Locks and returns those members of the groups who are neither in the project nor among `named`. Who is in several of the
 * groups gets the role of the first of them, a guest VIEWER. Throws NOT_FOUND, BAD_USER_INPUT.
 */
export async function lockGroupCandidates(
  ctx: Context,
  tx: Transaction,
  project: Pick<Project, 'id' | 'organizationId'>,
  groups: readonly GroupCandidate[],
  named: readonly Candidate[],
): Promise<Candidate[]> {
  if (groups.length === 0) return [];
  const ids = groups.map(({ groupId }) => groupId);
  const pathAt = (index: number) => `groups.${index}.groupId`;
  requireDistinct(ids, pathAt, 'is named twice');
  await tx.query(sql`SELECT id FROM groups WHERE id ${sql.any(ids)} ORDER BY id FOR SHARE`);
  const found = await findGroupsOf(ctx, tx, project.organizationId, ids);
  requireFound('Group', ids, found, (id) => pathAt(ids.indexOf(id)));
  const groupOf = await firstGroups(tx, project.organizationId, ids);
  const members = await lockNamedMembers(
    ctx,
    tx,
    project.organizationId,
    { userIds: [...groupOf.keys()] },
    'NO KEY UPDATE',
  );
  const inProject = await addedTo(tx, project.id, [...groupOf.keys()]);
  const others = new Set([...inProject, ...named.map(({ member }) => member?.userId)]);
  const added = members.filter(({ userId }) => !others.has(userId));
  requireBatchLimit([...named, ...added], ctx.limits.batchMax, 'groups');
  return added.map((member) => {
    const index = groupOf.get(member.userId) as number;
    const { role } = groups[index] as GroupCandidate;
    return { index, role: member.role === 'GUEST' ? 'VIEWER' : role, member };
  });
}

/** For each member of the groups the position of the first group that they are in. */
async function firstGroups(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ userId: string; position: number }>(sql`
    SELECT gm.user_id, min(i.position)::int - 1 AS position
    FROM unnest(${sql.texts(ids)}) WITH ORDINALITY i(id, position)
    JOIN group_members gm ON gm.organization_id = ${organizationId} AND gm.group_id = i.id
    GROUP BY gm.user_id`);
  return new Map(rows.map(({ userId, position }) => [userId, position]));
}

/** Who of these is in the project; read after their memberships were locked, so that it does not change any more. */
async function addedTo(tx: Transaction, projectId: string, userIds: string[]): Promise<string[]> {
  const where = { projectId, userId: { in: userIds } };
  const rows = await tx.prisma.projectMember.findMany({ where, select: { userId: true } });
  return rows.map(({ userId }) => userId);
}
