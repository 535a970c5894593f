import { sql } from '../db/sql.ts';
import { visibleDocuments } from './access.ts';
import type { Context } from './context.ts';

/** How many pages the documents in use of these projects have, as far as that is known; those that the viewer sees. */
export const countPages = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<{ id: string; pages: bigint }>(sql`SELECT k.id, coalesce((
    SELECT sum(d.page_count) FROM documents d JOIN projects q ON q.organization_id = d.organization_id AND q.id = d.project_id
    WHERE q.id = k.id AND d.state = 'ACTIVE' AND ${visibleDocuments(viewer)}), 0)::bigint AS pages
    FROM unnest(${projectIds}::text[]) AS k(id)`);
