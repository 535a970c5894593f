import { type Sql, sql } from '../../db/sql/sql.ts';
import {
  guestOrganizations,
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
import { organizationsOf } from '../kernel/viewer.ts';
import { keptNumber, keptNumberOfAll } from '../projects/project-totals.ts';
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

const row = sql`d`;

const common = { sorts, orderOf, select: () => sql`d.*`, from: sql`documents d` };

const ofIds = (ids: Sql): Sql => rowsById(sql`documents`, row, ids);

/** The documents in a project, or in a folder of it, as `level` says. */
function listing(name: string, home: Sql, projectId: Sql, level: Sql): DocumentListing {
  const place = (row: Sql) =>
    sql`${row}.organization_id = k.organization_id AND ${row}.project_id = ${projectId}`;
  return projectListing(
    { ...common, name, parentTable: home },
    {
      ...{ table: sql`documents`, row, projectId, matches, indexCondition: indexedConditions },
      parentCondition: sql`${place(row)} AND ${level}`,
      visible: (viewer) => visibleDocumentsOf(viewer, sql`k.organization_id`, projectId),
      involvedIds: (viewer, filter) => involvedDocumentIds(viewer, sql`k.organization_id`, inState(filter)),
      candidateIds: (filter) => candidateIds(filter, place),
    },
  );
}

/** The documents of a project, in whatever folder unless the filter says. */
export const documentsOfProject: DocumentListing = {
  ...listing('documentsOfProject', sql`projects`, sql`k.id`, sql`true`),
  storedCount: ({ viewer }, filter) =>
    hasConditions(filter) ? undefined : keptNumber(viewer, filter.state ?? 'ACTIVE'),
};

/** The documents directly in a folder. */
export const documentsOfFolder = listing(
  'documentsOfFolder',
  sql`folders`,
  sql`(SELECT f.project_id FROM folders f WHERE f.id = k.id)`,
  sql`d.folder_id = k.id`,
);

const ofViewer: Omit<DocumentListing, 'name' | 'where'> = {
  ...common,
  storedCount: ({ viewer }, filter) =>
    hasConditions(filter) ? undefined : keptNumberOfAll(viewer, filter.state ?? 'ACTIVE', inState(filter)),
};

/** The organizations of the viewer. */
const homes = ({ viewer }: Context): Sql => sql`unnest(${organizationsOf(viewer)}::text[]) AS o(id)`;

/** Those that the filter names. */
const documentsNamed = (ctx: Context, ids: Sql): DocumentListing => ({
  ...ofViewer,
  name: 'documentsNamed',
  from: sql`${homes(ctx)} CROSS JOIN ${ofIds(ids)}`,
  where: ({ viewer }, filter) => sql`${matches(filter)} AND ${visibleDocumentsOfMany(viewer)}`,
});

/** What is the viewer's own in projects of which they do not see all. */
const ownDocuments = ({ viewer }: Context, filter: DocumentFilter): DocumentListing => ({
  ...ofViewer,
  name: 'ownDocuments',
  from: sql`unnest(${partialOrganizations(viewer)}::text[]) AS o(id)
    CROSS JOIN ${ofIds(involvedDocumentIds(viewer, sql`o.id`, inState(filter)))}`,
  where: (_, filter) => sql`${matches(filter)} AND ${visibleDocumentsOfPartialProjects(viewer)}`,
});

/** Those of each project of which the viewer sees all, and their own. */
const documentsInProjects = (ctx: Context, filter: DocumentFilter): DocumentListing => ({
  ...ofViewer,
  name: 'documentsInProjects',
  parts: {
    from: ({ viewer }) => sql`(SELECT p.organization_id, p.id FROM ${visibleProjectRows(viewer)}
      WHERE ${visibleProjects(viewer)} AND ${seesAllContent(viewer)}) p`,
    row,
  },
  where: (_, filter) =>
    sql`d.organization_id = p.organization_id AND d.project_id = p.id AND ${matches(filter)}`,
  union: { listing: ownDocuments(ctx, filter), row },
});

/** The indexes of whole organizations are for those who say that a document has a revision, as every one has. */
const inOrganization = sql`d.organization_id = o.id AND d.revision_number > 0`;

/** An index has those of each organization in each order. */
const documentsInOrganizations: DocumentListing = {
  ...ofViewer,
  name: 'documentsInOrganizations',
  parts: { from: homes, row },
  where: ({ viewer }, filter) =>
    sql`${inOrganization} AND ${matches(filter)} AND ${visibleDocumentsOfMany(viewer)}`,
};

/** All documents that the viewer sees, in whatever organization: members see most of what is there, and guests little. */
export function documentsOfViewer(ctx: Context, filter: DocumentFilter): DocumentListing {
  const ids = candidateIds(filter, (row) => sql`${row}.organization_id = o.id`);
  const others = () => (ids ? documentsNamed(ctx, ids) : documentsInProjects(ctx, filter));
  if (guestOrganizations(ctx.viewer).length > 0) return others();
  if (!ids && partialOrganizations(ctx.viewer).length === 0) return documentsInOrganizations;
  const rare: DocumentListing['sparse'] = () => ({
    firstAttempt: {
      row,
      indexCondition: (order) => sql`${inOrganization} AND ${indexedConditions(filter, order)}`,
      rowCondition: sql`${matches(filter)} AND ${visibleDocumentsOfMany(ctx.viewer)}`,
    },
    fallback: others,
  });
  return { ...documentsInOrganizations, sparse: rare };
}
