import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { BulkOperation as BulkOperationRow } from '../../generated/prisma/client.ts';
import { DAY } from '../../lib/time.ts';
import { readsResults, visibleBulkOperations } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** Lines of one operation. */
export const MAX_LINES = 10_000;

/** How long the results of an operation are kept after its end. */
export const RETENTION = 7 * DAY;

/** One mutation that is run with many inputs in the background. `field`: the mutation's name; `mutation`: its text. */
export type BulkOperation = Pick<
  BulkOperationRow,
  | 'organizationId'
  | 'id'
  | 'createdById'
  | 'credentialId'
  | 'mutation'
  | 'field'
  | 'state'
  | 'lineCount'
  | 'doneCount'
  | 'failedCount'
  | 'failure'
  | 'createdAt'
  | 'completedAt'
>;

const columns = sql`b.organization_id, b.id, b.created_by_id, b.credential_id, b.mutation, b.field, b.state::text AS state,
  b.line_count, b.done_count, b.failed_count, b.failure, b.created_at, b.completed_at`;

export const bulkOperationsOfOrganization: Listing<BulkOperation, object, 'CREATED_AT'> = {
  name: 'bulkOperationsOfOrganization',
  select: () => columns,
  from: tables.bulkOperations.from,
  where: ({ viewer }) =>
    sql`b.organization_id = k.id AND ${visibleBulkOperations(viewer, tables.bulkOperations)}`,
  sorts: { CREATED_AT: sortBy(sql`b.id`, sql`b.created_at`, 'timestamptz', (row) => row.createdAt) },
};

/** Those of the ids that are visible, in no particular order. */
export const findBulkOperations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<BulkOperation>(sql`SELECT ${columns} FROM ${tables.bulkOperations.from}
    WHERE b.id ${sql.any(ids)} AND ${visibleBulkOperations(ctx.viewer, tables.bulkOperations)}`);

/**
 * A signed URL of the results so far. Null unless the viewer started the operation and uses the same credential, or signed in: the
 * results show what that credential may read.
 */
export async function resultsUrlOf(
  { viewer, storage, limits }: Context,
  operation: BulkOperation,
): Promise<string | null> {
  return readsResults(viewer, operation) ? storage.signedUrls.bulkResults(operation, limits.signedUrl) : null;
}
