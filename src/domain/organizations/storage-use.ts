import { sql } from '../../db/sql/sql.ts';
import { adminOrganizations } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

/** What the documents of an organization take. Equal files are stored once, and count once. */
export interface StorageUse {
  id: string;
  documents: number;
  /** Those in recycle bins, which are purged later. */
  recycled: number;
  revisions: number;
  files: number;
  bytes: bigint;
  /** Of the files whose pages are counted. */
  pages: bigint;
}

/** What is stored for the organizations among the ids that the viewer manages. */
export const findStorageUse = ({ db, viewer }: Context, ids: readonly string[]): Promise<StorageUse[]> =>
  db.query<StorageUse>(sql`SELECT o.id, d.documents, d.recycled, r.revisions, b.files, b.bytes, b.pages
    FROM ${tables.organizations.from}
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE d.state = 'ACTIVE')::int AS documents,
      count(*) FILTER (WHERE d.state = 'RECYCLED')::int AS recycled
      FROM ${tables.documents.from} WHERE d.organization_id = o.id) d
    CROSS JOIN LATERAL (SELECT count(*)::int AS revisions FROM revisions r WHERE r.organization_id = o.id) r
    CROSS JOIN LATERAL (SELECT count(*)::int AS files, coalesce(sum(b.size), 0)::bigint AS bytes,
      coalesce(sum(b.page_count), 0)::bigint AS pages FROM blobs b WHERE b.organization_id = o.id) b
    WHERE o.id ${sql.any(ids)} AND o.id = ANY(${adminOrganizations(viewer)})`);
