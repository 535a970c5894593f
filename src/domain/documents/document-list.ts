import { type Sql, sql } from '../../db/sql/sql.ts';
import {
  seesAllContent,
  visibleDocumentsOf,
  visibleDocumentsOfMany,
  visibleProjects,
} from '../access/access.ts';
import {
  involvedDocumentIds,
  partialOrganizations,
  visibleDocumentsOfPartialProjects,
  visibleProjectRows,
} from '../access/access-involved.ts';
import { projectListing, rowsById } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, organizationsWith } from '../kernel/viewer.ts';
import { storedCountOfProject, storedCountOfViewer } from '../projects/project-totals.ts';
import type { Document } from './document.ts';
import {
  candidateIds,
  type DocumentFilter,
  type DocumentOrder,
  hasConditions,
  indexedConditions,
  inState,
  matches,
  orderOf,
  sorts,
} from './document-filter.ts';

type DocumentListing = Listing<Document, DocumentFilter, DocumentOrder>;

const row = tables.documents;

const common = { sorts, orderOf, select: () => sql`${row}.*`, from: row.from };

const ofIds = (ids: Sql): Sql => rowsById(row, ids);

/** A list of documents below a parent in `parentTable`; `level` is a condition on documents. */
function listing(name: string, parentTable: Sql, projectId: Sql, level: Sql): DocumentListing {
  const inScope = (row: Sql) =>
    sql`${row}.organization_id = k.organization_id AND ${row}.project_id = ${projectId}`;
  return projectListing(
    { ...common, name, parentTable },
    {
      ...{ rows: row, projectId, matches, indexCondition: indexedConditions },
      parentCondition: sql`${inScope(row)} AND ${level}`,
      visible: (viewer, rows) => visibleDocumentsOf(viewer, rows, sql`k.organization_id`, projectId),
      involvedIds: (viewer, filter) =>
        involvedDocumentIds(viewer, sql`k.organization_id`, () => inState(filter)),
      candidateIds: (filter) => candidateIds(filter, inScope),
    },
  );
}

/** The documents of a project, in all of its folders. */
export const documentsOfProject: DocumentListing = {
  ...listing('documentsOfProject', sql`projects`, sql`k.id`, sql`true`),
  storedCount: ({ viewer }, filter) =>
    hasConditions(filter) ? undefined : storedCountOfProject(viewer, filter.state ?? 'ACTIVE'),
};

/** The documents directly in a folder. */
export const documentsOfFolder = listing(
  'documentsOfFolder',
  sql`folders`,
  sql`(SELECT f.project_id FROM folders f WHERE f.id = k.id)`,
  sql`${row}.folder_id = k.id`,
);

const ofViewer: Omit<DocumentListing, 'name' | 'where'> = {
  ...common,
  storedCount: ({ viewer }, filter) =>
    hasConditions(filter)
      ? undefined
      : storedCountOfViewer(viewer, filter.state ?? 'ACTIVE', inState(filter)),
};

/** The organizations of the viewer. */
const viewerOrganizations = ({ viewer }: Context): Sql =>
  sql`unnest(${sql.texts(organizationsOf(viewer))}) AS o(id)`;

/** By the candidate ids of the filter. */
const documentsByCandidates = (ctx: Context, ids: Sql): DocumentListing => ({
  ...ofViewer,
  name: 'documentsNamed',
  from: sql`${viewerOrganizations(ctx)} CROSS JOIN ${ofIds(ids)}`,
  where: ({ viewer }, filter) =>
    sql`${matches(filter)} AND ${visibleDocumentsOfMany(viewer, tables.documents)}`,
});

/** Documents that involve the viewer, in projects that they see in part. */
const involvedDocuments = ({ viewer }: Context, filter: DocumentFilter): DocumentListing => ({
  ...ofViewer,
  name: 'ownDocuments',
  from: sql`unnest(${sql.texts(partialOrganizations(viewer))}) AS o(id)
    CROSS JOIN ${ofIds(involvedDocumentIds(viewer, sql`o.id`, () => inState(filter)))}`,
  where: (_, filter) =>
    sql`${matches(filter)} AND ${visibleDocumentsOfPartialProjects(viewer, tables.documents)}`,
});

/** The documents of projects seen in full, one part each, and those that involve the viewer. */
const documentsInProjects = (ctx: Context, filter: DocumentFilter): DocumentListing => ({
  ...ofViewer,
  name: 'documentsInProjects',
  parts: {
    from: ({ viewer }) => sql`(SELECT p.organization_id, p.id FROM ${visibleProjectRows(viewer)}
      WHERE ${visibleProjects(viewer, tables.projects)} AND ${seesAllContent(viewer, tables.projects)}) p`,
    row,
  },
  where: (_, filter) =>
    sql`${row}.organization_id = p.organization_id AND ${row}.project_id = p.id AND ${matches(filter)}`,
  union: { listing: involvedDocuments(ctx, filter), row },
});

/** True of all documents of an organization; the partial indexes by organization require the condition on revisions. */
const inOrganization = sql`${row}.organization_id = o.id AND ${row}.revision_number > 0`;

/** One part per organization, each of which an index has in every order. */
const documentsInOrganizations: DocumentListing = {
  ...ofViewer,
  name: 'documentsInOrganizations',
  parts: { from: viewerOrganizations, row },
  where: ({ viewer }, filter) =>
    sql`${inOrganization} AND ${matches(filter)} AND ${visibleDocumentsOfMany(viewer, tables.documents)}`,
};

/** All visible documents of all organizations. Members see most documents, so a scan is tried; guests see few. */
export function documentsOfViewer(ctx: Context, filter: DocumentFilter): DocumentListing {
  const ids = candidateIds(filter, (row) => sql`${row}.organization_id = o.id`);
  const fallback = () => (ids ? documentsByCandidates(ctx, ids) : documentsInProjects(ctx, filter));
  if (organizationsWith(ctx.viewer, 'GUEST').length > 0) return fallback();
  if (!ids && partialOrganizations(ctx.viewer).length === 0) return documentsInOrganizations;
  const sparse: DocumentListing['sparse'] = () => ({
    firstAttempt: {
      row,
      indexCondition: (order) => sql`${inOrganization} AND ${indexedConditions(filter, order)}`,
      rowCondition: sql`${matches(filter)} AND ${visibleDocumentsOfMany(ctx.viewer, tables.documents)}`,
    },
    fallback,
  });
  return { ...documentsInOrganizations, sparse };
}
