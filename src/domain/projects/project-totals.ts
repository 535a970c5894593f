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
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The totals of each project's documents that triggers maintain in document_counts. */
type Total = 'active' | 'recycled' | 'pages';

/** The total of the project of alias `p`. */
const sumOf = (
  total: Total,
): Sql => sql`(SELECT coalesce(sum(c.${sql.raw(total)}), 0)::bigint FROM document_counts c
    WHERE c.organization_id = p.organization_id AND c.project_id = p.id)`;

const totalOf = (state: DocumentState): Total => (state === 'RECYCLED' ? 'recycled' : 'active');

/** The total of the project `k`, a value to select; null unless the viewer sees all of its content. */
const storedTotal = (viewer: Viewer, total: Total): Sql => sql`(
  SELECT ${sumOf(total)} FROM ${tables.projects.from} WHERE p.organization_id = k.organization_id AND p.id = k.id
  AND ${visibleProjects(viewer, tables.projects)} AND ${seesAllContent(viewer, tables.projects)})`;

/** The stored number of its documents in this state, or null. */
export const storedCountOfProject = (viewer: Viewer, state: DocumentState): Sql =>
  storedTotal(viewer, totalOf(state));

/**
 * The number of visible documents in this state: stored totals of projects seen in full, and a count of documents that
 * involve the viewer in the others. `inState` is a condition on documents.
 */
export const storedCountOfViewer = (viewer: Viewer, state: DocumentState, inState: Sql): Sql => sql`(
  (SELECT coalesce(sum(c.${sql.raw(totalOf(state))}), 0)::bigint FROM ${visibleProjectRows(viewer)}
    JOIN document_counts c ON c.organization_id = ${tables.projects}.organization_id AND c.project_id = ${tables.projects}.id
    WHERE ${visibleProjects(viewer, tables.projects)} AND ${seesAllContent(viewer, tables.projects)})
  + (SELECT count(*) FROM unnest(${sql.texts(partialOrganizations(viewer))}) o(id)
    CROSS JOIN LATERAL (${involvedDocumentIds(viewer, sql`o.id`, () => inState)}) s(id)
    JOIN ${tables.documents.from} ON d.id = s.id WHERE ${inState} AND ${visibleDocumentsOfPartialProjects(viewer, tables.documents)}))`;

/** Sums the known page counts of the visible active documents of each project. */
export const countPages = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<{ id: string; pages: bigint }>(sql`SELECT k.id, coalesce(${storedTotal(viewer, 'pages')}, (
    SELECT sum(d.page_count) FROM ${tables.documents.from} WHERE d.organization_id = k.organization_id AND d.project_id = k.id
    AND d.state = 'ACTIVE' AND ${visibleDocuments(viewer, tables.documents)}), 0)::bigint AS pages
    FROM projects k WHERE k.id ${sql.any(projectIds)}`);
