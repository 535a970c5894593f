import { type Sql, sql } from '../db/sql.ts';
import type { DocumentState } from '../generated/prisma/client.ts';
import { seesAllContent, visibleDocuments, visibleDocumentsOfProject, visibleProjects } from './access.ts';
import type { Context } from './context.ts';
import { organizationsOf, type Viewer } from './viewer.ts';

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
 * The same of all projects that the viewer sees. Those of which they do not see all have their documents counted: `inState`
 * is a condition on documents as `d`.
 */
export const keptNumberOfAll = (viewer: Viewer, state: DocumentState, inState: Sql): Sql => sql`(
  SELECT coalesce(sum(CASE WHEN ${seesAllContent(viewer)} THEN ${sumOf(totalOf(state))} ELSE (
    SELECT count(*) FROM documents d WHERE d.organization_id = p.organization_id AND d.project_id = p.id
    AND ${inState} AND ${visibleDocumentsOfProject(viewer)}) END), 0)::bigint
  FROM projects p WHERE p.organization_id = ANY(${organizationsOf(viewer)}) AND ${visibleProjects(viewer)})`;

/** How many pages the documents in use of these projects have, as far as that is known; those that the viewer sees. */
export const countPages = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<{ id: string; pages: bigint }>(sql`SELECT k.id, coalesce(${kept(viewer, 'pages')}, (
    SELECT sum(d.page_count) FROM documents d WHERE d.organization_id = k.organization_id AND d.project_id = k.id
    AND d.state = 'ACTIVE' AND ${visibleDocuments(viewer)}), 0)::bigint AS pages
    FROM projects k WHERE k.id = ANY(${projectIds})`);
