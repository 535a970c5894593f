import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ProjectRole } from '../../generated/prisma/enums.ts';
import { lockGroups, lockPeopleOf, pairsOfGroups } from '../groups/group-pairs.ts';
import { findProjectGroups, type ProjectGroup } from '../groups/project-group.ts';
import { changes, type NewEvent, recordEvents } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { type Project, requireProject } from '../projects/project.ts';
import { lockAuthorization } from './authorization-lock.ts';
import { projectGroupEvent } from './project-group-add.ts';
import { settleWithEffects } from './settled-effects.ts';

const update = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  groupId: z.string(),
  role: z.enum(ProjectRole),
});

/**
 * Changes the role of a group in a project, and so of those of its members who have no higher one there. Requires the role ADMIN.
 * Throws NOT_FOUND, FORBIDDEN.
 */
export function updateProjectGroup(ctx: Context, input: z.input<typeof update>): Promise<ProjectGroup> {
  const { projectId, organizationId, groupId, role } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'changeProjectMembers', organizationId);
    const [before] = (await lockProjectGroups(ctx, tx, project, [groupId], () => 'groupId')) as [
      ProjectGroup,
    ];
    const where = { organizationId: project.organizationId, projectId, groupId };
    await tx.prisma.projectGroup.updateMany({ where, data: { role } });
    const pairs = await pairsOf(tx, project, [groupId], 'groupId');
    await recordEvents(ctx, tx, [
      ...groupChanged(before, role),
      ...(await settleWithEffects(ctx, tx, project.organizationId, pairs, 'groupId')),
    ]);
    return { ...before, role };
  });
}

const groupChanged = (before: ProjectGroup, role: ProjectRole): NewEvent[] =>
  before.role === role ? [] : [projectGroupEvent(before, 'Changed', changes(before, { role }))];

const removal = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  groupIds: z.array(z.string()),
});

/**
 * Removes groups from a project, all or none, and returns their ids: who was in by them alone leaves it, as when they are removed
 * themselves. Requires the role ADMIN. Throws NOT_FOUND, FORBIDDEN.
 */
export function removeProjectGroups(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { projectId, organizationId, groupIds } = parse(removal, input);
  requireBatchSize(groupIds, ctx.limits.batchMax, 'groupIds');
  const ids = [...new Set(groupIds)];
  return inTransaction(ctx.db, async (tx) => {
    const project = await requireProject(ctx, tx, projectId, 'changeProjectMembers', organizationId);
    const groups = await lockProjectGroups(ctx, tx, project, ids, positionIn('groupIds', groupIds));
    const pairs = await pairsOf(tx, project, ids, 'groupIds');
    const where = { organizationId: project.organizationId, projectId, groupId: { in: ids } };
    await tx.prisma.projectGroup.deleteMany({ where });
    await recordEvents(ctx, tx, [
      ...groups.map((each) => {
        const { name, role } = each;
        return projectGroupEvent(each, 'Removed', { before: { name, role } });
      }),
      ...(await settleWithEffects(ctx, tx, project.organizationId, pairs, 'groupIds')),
    ]);
    return ids;
  });
}

/** Locks the groups, the authorization of an application, and all who are in the groups, in this order. Throws NOT_FOUND. */
async function lockProjectGroups(
  ctx: Context,
  tx: Transaction,
  project: Project,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<ProjectGroup[]> {
  const { organizationId } = project;
  await lockGroups(tx, organizationId, ids);
  const groups = await findProjectGroups(ctx, project, ids, tx);
  requireFound(
    'Group',
    ids,
    groups.map(({ groupId: id }) => ({ id })),
    pathOf,
  );
  await lockAuthorization(ctx.viewer, tx, organizationId);
  await lockPeopleOf(tx, organizationId, ids);
  return ids.flatMap((id) => groups.find(({ groupId }) => groupId === id) ?? []);
}

const pairsOf = (tx: Transaction, project: Project, groupIds: readonly string[], at: string) =>
  pairsOfGroups(tx, project.organizationId, { groupIds, projectIds: [project.id] }, at);
