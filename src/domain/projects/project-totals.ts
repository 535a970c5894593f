import { type Sql, sql } from '../../db/sql/sql.ts';
import type { DocumentState } from '../../generated/prisma/client.ts';
import { seesAllContent, visibleDocuments, visibleProjects } from '../access/access.ts';
import {
  involvedDocumentIds,
  partialOrganizations,
  visibleDocumentsOfPartialProjects,
  visibleProjectRows,
} from '../access/access-involved.ts';
import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What the database keeps of each project's documents as they change (document_counts). */
type Total = 'active' | 'recycled' | 'pages';

/** Of the project of alias `p`. */
const sumOf = (
  total: Total,
): Sql => sql`(SELECT coalesce(sum(c.${sql.raw(total)}), 0)::bigint FROM document_counts c
    WHERE c.organization_id = p.organization_id AND c.project_id = p.id)`;

const totalOf = (state: DocumentState): Total => (state === 'RECYCLED' ? 'recycled' : 'active');

/** Of the project of alias `k`: null unless the viewer sees it and all that is in it. A value to select. */
const kept = (viewer: Viewer, total: Total): Sql => sql`(
  SELECT ${sumOf(total)} FROM projects p WHERE p.organization_id = k.organization_id AND p.id = k.id
  AND ${visibleProjects(viewer)} AND ${seesAllContent(viewer)})`;

/** The same for all of its documents in this state. */
export const keptNumber = (viewer: Viewer, state: DocumentState): Sql => kept(viewer, totalOf(state));

/**
 * The same of all projects that the viewer sees; of those of which they do not see all, what is their own is counted.
 * `inState` is a condition on documents as `d`.
 */
export const keptNumberOfAll = (viewer: Viewer, state: DocumentState, inState: Sql): Sql => sql`(
  (SELECT coalesce(sum(c.${sql.raw(totalOf(state))}), 0)::bigint FROM ${visibleProjectRows(viewer)}
    JOIN document_counts c ON c.organization_id = p.organization_id AND c.project_id = p.id
    WHERE ${visibleProjects(viewer)} AND ${seesAllContent(viewer)})
  + (SELECT count(*) FROM unnest(${partialOrganizations(viewer)}::text[]) o(id)
    CROSS JOIN LATERAL (${involvedDocumentIds(viewer, sql`o.id`, inState)}) s(id)
    JOIN documents d ON d.id = s.id WHERE ${inState} AND ${visibleDocumentsOfPartialProjects(viewer)}))`;

/** How many pages the documents in use of these projects have, as far as that is known; those that the viewer sees. */
export const countPages = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<{ id: string; pages: bigint }>(sql`SELECT k.id, coalesce(${kept(viewer, 'pages')}, (
    SELECT sum(d.page_count) FROM documents d WHERE d.organization_id = k.organization_id AND d.project_id = k.id
    AND d.state = 'ACTIVE' AND ${visibleDocuments(viewer)}), 0)::bigint AS pages
    FROM projects k WHERE k.id = ANY(${projectIds})`);
