import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { OrganizationExport as ExportRow } from '../../generated/prisma/client.ts';
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';
import { readsResults } from '../access/access-credential.ts';
import { visibleOrganizationExports } from '../access/access-export.ts';
import { REDACTED } from '../events/redaction-check.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** How long an archive can be downloaded after it was written, and how long it is listed if it failed. */
export const EXPORT_LIFETIME = DAY;

/** An archive of an organization. `sequence`, `sha256`, `size` and `fileCount` are null unless it was written. */
export type OrganizationExport = Pick<
  ExportRow,
  | 'organizationId'
  | 'id'
  | 'createdById'
  | 'credentialId'
  | 'size'
  | 'fileCount'
  | 'sequence'
  | 'sha256'
  | 'failure'
  | 'createdAt'
  | 'completedAt'
  | 'expiresAt'
> & { state: ExportRow['state'] | 'WITHDRAWN' };

/** Kinds of events after which something that an archive has may exist nowhere any more. */
const REMOVALS = ['document.purged', 'project.purged', 'documents.disposed', REDACTED];

/** An erasure is committed within this time, in ms. */
const ERASURE = MINUTE;

/**
 * On exports whose rows were read: something in it was purged, redacted or erased since. Sequences are given in the order of commits, so
 * that an event with a later one is in no row that was read.
 */
export const isWithdrawn = (ox: Rows<'organization_exports'>): Sql => sql`(EXISTS (SELECT FROM events e
    WHERE e.organization_id = ${ox}.organization_id AND e.sequence > ${ox}.sequence AND e.kind = ANY(${REMOVALS}))
  OR EXISTS (SELECT FROM users u WHERE u.erased_at > ${ox}.read_at - make_interval(secs => ${ERASURE / SECOND})
    AND EXISTS (SELECT FROM events e WHERE e.organization_id = ${ox}.organization_id
      AND (e.actor_id = u.id OR e.subject_id = u.id))))`;

/** On exports: the files of the organization are in an archive that is being written, or can be downloaded. */
export const isExported = (ox: Rows<'organization_exports'>): Sql =>
  sql`(${ox}.state = 'RUNNING' OR (${ox}.state = 'READY' AND ${ox}.expires_at > now() AND NOT ${isWithdrawn(ox)}))`;

const columns = sql`ox.organization_id, ox.id, ox.created_by_id, ox.credential_id, ox.size, ox.file_count, ox.sequence, ox.sha256,
  ox.failure, ox.created_at, ox.completed_at, ox.expires_at,
  CASE WHEN ox.state = 'READY' AND ${isWithdrawn(tables.organizationExports)} THEN 'WITHDRAWN' ELSE ox.state::text END AS state`;

export const exportsOfOrganization: Listing<OrganizationExport, object, 'CREATED_AT'> = {
  name: 'exportsOfOrganization',
  select: () => columns,
  from: tables.organizationExports.from,
  where: ({ viewer }) =>
    sql`ox.organization_id = k.id AND ${visibleOrganizationExports(viewer, tables.organizationExports)}`,
  sorts: { CREATED_AT: sortBy(sql`ox.id`, sql`ox.created_at`, 'timestamptz', (row) => row.createdAt) },
};

/** Those of the ids that are visible, in no particular order. */
export const findExports = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<OrganizationExport>(sql`SELECT ${columns} FROM ${tables.organizationExports.from}
    WHERE ox.id ${sql.any(ids)} AND ${visibleOrganizationExports(ctx.viewer, tables.organizationExports)}`);

/**
 * The signed URL of the archive, as long as it is there. Null unless it is READY and the viewer started it, with the same credential or
 * in a browser session: the event of the start says who has it.
 */
export async function archiveUrlOf(
  { viewer, storage }: Context,
  started: OrganizationExport,
): Promise<string | null> {
  const { organizationId, id, state, expiresAt } = started;
  const lifetime = expiresAt.getTime() - storage.signedUrls.now();
  if (state !== 'READY' || !readsResults(viewer, started) || lifetime <= 0) return null;
  return storage.signedUrls.archive({ organizationId, id }, lifetime);
}
