import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectCopy as ProjectCopyRow } from '../../generated/prisma/client.ts';
import { visibleProjects } from '../access/access.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { PathOf } from '../kernel/batch.ts';
import { conflict } from '../kernel/errors.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';
import type { CopyRun } from './copy-items.ts';

/** The progress of the copy into a project, with that project's id. */
export type ProjectCopy = Pick<ProjectCopyRow, 'state' | 'copied' | 'total' | 'error'> & { id: string };

/** Finds the copies by the ids of the projects they fill. */
export const findProjectCopies = finder<ProjectCopy>(
  (
    { viewer },
    idCondition,
  ) => sql`SELECT p.id, c.state::text AS state, c.copied, c.total, c.error FROM project_copies c
    JOIN ${tables.projects.from} ON p.organization_id = c.organization_id AND p.id = c.project_id
    WHERE p.id ${idCondition} AND ${visibleProjects(viewer, tables.projects)}`,
);

/** Throws CONFLICT with its path if one of the projects is still being filled by a copy. */
export async function requireNotCopying(
  tx: Transaction,
  projectIds: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  const running = await tx.query<{ projectId: string }>(
    sql`SELECT c.project_id FROM project_copies c WHERE c.project_id = ANY(${projectIds}) AND c.state = 'RUNNING'`,
  );
  const ids = new Set(running.map(({ projectId }) => projectId));
  const copying = projectIds.find((id) => ids.has(id));
  if (copying !== undefined) throw conflict('The project is still being copied.', pathOf(copying));
}

type Ended = Pick<CopyRun, 'tx' | 'organizationId' | 'projectId'>;

/** Ends a copy, and enables the project if it was disabled for that time; returns the event. */
export async function completeCopy(run: Ended & Pick<CopyRun, 'sourceId'>): Promise<NewEvent> {
  const { tx, organizationId, projectId, sourceId } = run;
  const [ended] = await tx.query<{ copied: number; nextAt: Date | null }>(sql`UPDATE project_copies c
    SET state = 'COMPLETED', total = c.copied, next_at = NULL FROM project_copies before
    WHERE c.organization_id = ${organizationId} AND c.project_id = ${projectId}
    AND before.organization_id = c.organization_id AND before.project_id = c.project_id
    RETURNING c.copied, before.next_at`);
  if (ended?.nextAt)
    await tx.query(
      sql`UPDATE projects SET disabled_at = NULL, version = version + 1 WHERE id = ${projectId}`,
    );
  await deleteItems(run);
  return copyEvent(run, 'project.copied', { sourceId, copied: ended?.copied ?? 0 });
}

/** Ends a copy that cannot be completed. What was copied stays, and the project stays disabled. Returns the event. */
export async function failCopy(run: Ended, error: string): Promise<NewEvent> {
  await run.tx.query(sql`UPDATE project_copies SET state = 'FAILED', error = ${error}, next_at = NULL
    WHERE organization_id = ${run.organizationId} AND project_id = ${run.projectId}`);
  await deleteItems(run);
  return copyEvent(run, 'project.copyFailed', { error });
}

const deleteItems = ({ tx, organizationId, projectId }: Ended): Promise<unknown> =>
  tx.query(
    sql`DELETE FROM project_copy_items WHERE organization_id = ${organizationId} AND project_id = ${projectId}`,
  );

const copyEvent = (
  { organizationId, projectId }: Ended,
  kind: string,
  after: { sourceId?: string; copied?: number; error?: string },
): NewEvent => ({ organizationId, projectId, subjectId: projectId, kind, data: { after } });
