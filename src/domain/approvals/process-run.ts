import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { ProcessRun as ProcessRunRow } from '../../generated/prisma/client.ts';
import { visibleProcessRuns } from '../access/access.ts';
import { involvedRunIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** A process started on one document or task. */
export type ProcessRun = ProcessRunRow & { itemId: string };

const columns = sql`r.*, coalesce(r.document_id, r.task_id) AS item_id`;

const sorts = {
  CREATED_AT: sortBy<ProcessRun>(sql`r.id`, sql`r.created_at`, 'timestamptz', (row) => row.createdAt),
};

const listing = (name: string, parent: Sql): Listing<ProcessRun, object, 'CREATED_AT'> => ({
  name,
  select: () => columns,
  from: tables.processRuns.from,
  where: ({ viewer }) =>
    sql`r.organization_id = k.organization_id AND ${parent} AND ${visibleProcessRuns(viewer, tables.processRuns)}`,
  sorts,
});

/** The runs of a process. */
export const runsOfProcess = projectListing<ProcessRun, object, 'CREATED_AT', 'process_runs'>(
  { name: 'runsOfProcess', select: () => columns, sorts },
  {
    ...{ rows: tables.processRuns, matches: () => sql`true`, indexCondition: () => sql`true` },
    parentCondition: sql`r.organization_id = k.organization_id AND r.process_id = k.id`,
    projectId: sql`(SELECT c.project_id FROM processes c WHERE c.id = k.id)`,
    visible: visibleProcessRuns,
    involvedIds: (viewer) => involvedRunIds(viewer, sql`k.organization_id`),
  },
);

/** The runs on a document. */
export const runsOfDocument = listing('runsOfDocument', sql`r.document_id = k.id`);

/** Returns the runs with these ids that the viewer may see, in any order. */
export const findProcessRuns = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<ProcessRun>(
    sql`SELECT ${columns} FROM ${tables.processRuns.from} WHERE r.id ${sql.any(ids)} AND ${visibleProcessRuns(ctx.viewer, tables.processRuns)}`,
  );
