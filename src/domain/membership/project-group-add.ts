import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { ProjectRole } from '../../generated/prisma/enums.ts';
import { findGroupsOf } from '../groups/group.ts';
import { lockGroups, requireBounded } from '../groups/group-pairs.ts';
import { findProjectGroups, type ProjectGroup } from '../groups/project-group.ts';
import type { NewEvent } from '../kernel/audit.ts';
import { requireDistinct, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import type { Project } from '../projects/project.ts';

/** A group to add to a project. */
export const groupCandidate = z.strictObject({ groupId: z.string(), role: z.enum(ProjectRole) });

type GroupCandidate = z.output<typeof groupCandidate>;

const pathOfGroup =
  (groups: readonly GroupCandidate[]) =>
  (id: string): string =>
    `groups.${groups.findIndex(({ groupId }) => groupId === id)}.groupId`;

/**
 * Locks groups of the input, and returns those that are not in the project yet. Throws NOT_FOUND, BAD_USER_INPUT for one that is
 * named twice, CONFLICT for one that was added before, unless `keepExisting` is true.
 */
export async function lockNewGroups(
  ctx: Context,
  tx: Transaction,
  project: Project,
  groups: readonly GroupCandidate[],
  keepExisting: boolean,
): Promise<GroupCandidate[]> {
  if (groups.length === 0) return [];
  const ids = groups.map(({ groupId }) => groupId);
  requireDistinct(ids, (index) => `groups.${index}.groupId`, 'is named twice');
  await lockGroups(tx, project.organizationId, ids);
  const pathOf = pathOfGroup(groups);
  requireFound('Group', ids, await findGroupsOf(ctx, tx, project.organizationId, ids), pathOf);
  const earlier = await findProjectGroups(ctx, project, ids, tx);
  if (earlier[0] && !keepExisting)
    throw conflict(`The group ${earlier[0].name} was added before.`, pathOf(earlier[0].groupId));
  return groups.filter((each) => earlier.every(({ groupId }) => groupId !== each.groupId));
}

/** Adds locked groups to a project, and returns the events of these alone. Throws CONFLICT for too many members times projects. */
export async function insertProjectGroups(
  ctx: Context,
  tx: Transaction,
  project: Project,
  groups: readonly GroupCandidate[],
): Promise<NewEvent[]> {
  if (groups.length === 0) return [];
  const { organizationId, id: projectId } = project;
  const ids = groups.map(({ groupId }) => groupId);
  const rows = groups.map((each) => ({ ...each, organizationId, projectId, createdById: ctx.viewer.userId }));
  await tx.prisma.projectGroup.createMany({ data: rows });
  await requireBounded(tx, organizationId, ids, pathOfGroup(groups));
  const added = await findProjectGroups(ctx, project, ids, tx);
  return added.map((each) =>
    projectGroupEvent(each, 'Added', { after: { name: each.name, role: each.role } }),
  );
}

/** An event about a group in a project, which it has as its subject, as the events of members have the person. */
export const projectGroupEvent = (
  {
    organizationId,
    projectId,
    groupId: subjectId,
  }: Pick<ProjectGroup, 'organizationId' | 'projectId' | 'groupId'>,
  verb: 'Added' | 'Changed' | 'Removed',
  data: Prisma.InputJsonObject,
): NewEvent => ({ organizationId, projectId, subjectId, kind: `project.group${verb}`, data });
