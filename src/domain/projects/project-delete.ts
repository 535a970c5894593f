import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { visibleDeletedProjects } from '../access/access.ts';
import { requireProjectRole } from '../access/project-action.ts';
import { type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { findProjects, inOrderOf, type Project } from './project.ts';
import { withdrawSessions } from './signature-withdraw.ts';

const projectSelection = z.strictObject({ organizationId: z.string(), projectIds: z.array(z.string()) });

/** A deleted project that can still be restored. */
export type DeletedProject = Pick<Project, 'id' | 'organizationId' | 'name' | 'createdAt'> & {
  purgeMarkedAt: Date;
  purgeMarkedById: string;
};

/** The deleted projects of an organization. */
export const deletedProjectsOfOrganization: Listing<DeletedProject, object, 'DELETED_AT'> = {
  name: 'deletedProjectsOfOrganization',
  select: () => sql`p.*`,
  from: tables.projects.from,
  where: ({ viewer }) => sql`p.organization_id = k.id AND ${visibleDeletedProjects(viewer, tables.projects)}`,
  sorts: {
    DELETED_AT: sortBy(sql`p.id`, sql`p.purge_marked_at`, 'timestamptz', (row) => row.purgeMarkedAt),
  },
};

/**
 * Deletes projects, all or none; returns the ids. They and their content become invisible, and active signature sessions
 * stop. They can be restored for as long as the recycle bin keeps documents. Requires the role ADMIN in each; a project
 * may be disabled.
 */
export function deleteProjects(ctx: Context, input: z.input<typeof projectSelection>): Promise<string[]> {
  const { organizationId, ids } = parseProjectIds(ctx, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockProjects(tx, ids);
    const projects = (await findProjects(ctx, ids, tx)).filter(
      (each) => each.organizationId === organizationId,
    );
    requireFound('Project', ids, projects, positionIn('projectIds', input.projectIds));
    for (const project of projects) requireProjectRole({ ...project, disabledAt: null }, 'deleteProject');
    await tx.prisma.project.updateMany({
      where: { id: { in: ids } },
      data: {
        purgeMarkedAt: await databaseTime(tx),
        purgeMarkedById: ctx.viewer.userId,
        version: { increment: 1 },
      },
    });
    const withdrawn = await withdrawSessions(
      ctx,
      tx,
      (documents) => sql`${documents}.project_id = ANY(${ids})`,
    );
    await recordEvents(ctx, tx, [
      ...projects.map((each) => projectEvent(each, 'project.deleted', { before: { name: each.name } })),
      ...withdrawn,
    ]);
    return ids;
  });
}

/** Restores deleted projects, all or none. Requires the role OWNER or ADMIN in the organization. */
export function restoreProjects(ctx: Context, input: z.input<typeof projectSelection>): Promise<Project[]> {
  const { organizationId, ids } = parseProjectIds(ctx, input);
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await lockProjects(tx, ids);
    const projects =
      await tx.query<DeletedProject>(sql`SELECT p.* FROM ${tables.projects.from} WHERE p.id ${sql.any(ids)}
      AND p.organization_id = ${organizationId} AND ${visibleDeletedProjects(ctx.viewer, tables.projects)}`);
    requireFound('Project', ids, projects, positionIn('projectIds', input.projectIds));
    await tx.prisma.project.updateMany({
      where: { id: { in: ids } },
      data: { purgeMarkedAt: null, purgeMarkedById: null, version: { increment: 1 } },
    });
    await recordEvents(
      ctx,
      tx,
      projects.map((each) => projectEvent(each, 'project.restored', { after: { name: each.name } })),
    );
    return inOrderOf(
      await findProjects(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}

function parseProjectIds(
  ctx: Context,
  input: z.input<typeof projectSelection>,
): { organizationId: string; ids: string[] } {
  const { organizationId, projectIds } = parse(projectSelection, input);
  requireBatchSize(projectIds, ctx.limits.batchMax, 'projectIds');
  return { organizationId, ids: [...new Set(projectIds)] };
}

const lockProjects = (tx: Transaction, ids: string[]): Promise<unknown> =>
  tx.query(
    sql`SELECT p.id FROM ${tables.projects.from} WHERE p.id ${sql.any(ids)} ORDER BY p.id FOR NO KEY UPDATE`,
  );

const projectEvent = (
  { organizationId, id }: Pick<Project, 'organizationId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
): NewEvent => subjectEvent({ organizationId, projectId: id, id }, kind, data);
