import type { Reader } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type {
  Blob,
  Document as DocumentRow,
  DocumentState,
  Revision as RevisionRow,
} from '../generated/prisma/client.ts';
import { guestOf, visibleDocuments, visibleDocumentsOfProject, visibleProjects } from './access.ts';
import type { Context } from './context.ts';
import { keyOf } from './input.ts';
import { type Listing, type Sort, sortBy } from './page.ts';
import { keptNumber, keptNumberOfAll } from './project-totals.ts';
import { organizationsOf } from './viewer.ts';

export type Document = DocumentRow;
export type Revision = RevisionRow;

export interface DocumentFilter {
  /** ACTIVE unless given. */
  state?: DocumentState | null;
  /** Directly in this folder. */
  folderId?: string | null;
  /** In this folder, or in one below it. */
  belowFolderId?: string | null;
  /** In no folder. */
  atRoot?: boolean | null;
  /** Made by one submission of a form. */
  groupId?: string | null;
  namePrefix?: string | null;
  contentType?: string | null;
  tag?: string | null;
  createdById?: string | null;
  legalHold?: boolean | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
}

export type DocumentOrder = 'NAME' | 'CREATED_AT' | 'MODIFIED_AT' | 'RECYCLED_AT' | 'SIZE';

const sorts: Record<DocumentOrder, Sort<Document>> = {
  NAME: sortBy(sql`d.id`, sql`d.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`d.id`, sql`d.created_at`, 'timestamptz', (row) => row.createdAt),
  MODIFIED_AT: sortBy(
    sql`d.id`,
    sql`coalesce(d.modified_at, d.created_at)`,
    'timestamptz',
    (row) => row.modifiedAt ?? row.createdAt,
  ),
  RECYCLED_AT: sortBy(
    sql`d.id`,
    sql`coalesce(d.recycled_at, d.created_at)`,
    'timestamptz',
    (row) => row.recycledAt ?? row.createdAt,
  ),
  SIZE: sortBy(sql`d.id`, sql`d.size`, 'bigint', (row) => row.size),
};

/** What is not recycled stands, in that order, where it was created. */
const orderOf = (order: DocumentOrder, { state }: DocumentFilter): DocumentOrder =>
  order === 'RECYCLED_AT' && state !== 'RECYCLED' ? 'CREATED_AT' : order;

/** A condition for each member that is given, beside the state; nothing for one that is not. */
function narrower(filter: DocumentFilter) {
  const { namePrefix, belowFolderId: below } = filter;
  return [
    filter.folderId && sql`d.folder_id = ${filter.folderId}`,
    filter.atRoot && sql`d.folder_id IS NULL`,
    below &&
      sql`d.folder_id IN (SELECT f.id FROM folders f WHERE f.id = ${below} OR f.ancestor_ids @> ARRAY[${below}]::text[])`,
    filter.groupId && sql`d.group_id = ${filter.groupId}`,
    namePrefix && sql`starts_with(d.name_key, ${keyOf(namePrefix)})`,
    filter.contentType && sql`d.content_type = ${filter.contentType}`,
    filter.tag &&
      sql`EXISTS (SELECT FROM document_tags x JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
        WHERE x.organization_id = d.organization_id AND x.document_id = d.id AND t.text_key = ${keyOf(filter.tag)})`,
    filter.createdById && sql`d.created_by_id = ${filter.createdById}`,
    filter.legalHold != null && sql`d.legal_hold = ${filter.legalHold}`,
    filter.createdAfter && sql`d.created_at >= ${filter.createdAfter}`,
    filter.createdBefore && sql`d.created_at < ${filter.createdBefore}`,
  ];
}

const isNarrowed = (filter: DocumentFilter): boolean => narrower(filter).some(Boolean);

/** The state stands in the text, so that its partial index serves. */
const matches = (filter: DocumentFilter): Sql =>
  sql.all([
    filter.state === 'RECYCLED' ? sql`d.state = 'RECYCLED'` : sql`d.state = 'ACTIVE'`,
    ...narrower(filter),
  ]);

type DocumentListing = Listing<Document, DocumentFilter, DocumentOrder>;

const listing = (name: string, parent: Sql): DocumentListing => ({
  name,
  select: () => sql`d.*`,
  from: sql`documents d`,
  where: ({ viewer }, filter) =>
    sql`d.organization_id = k.organization_id AND ${parent} AND ${matches(filter)} AND ${visibleDocuments(viewer)}`,
  sorts,
  orderOf,
});

const inProject = listing('documentsOfProject', sql`d.project_id = k.id`);

/** The documents of a project, in whatever folder unless the filter says. */
export const documentsOfProject: DocumentListing = {
  ...inProject,
  home: sql`projects`,
  kept: ({ viewer }, filter) =>
    isNarrowed(filter) ? undefined : keptNumber(viewer, filter.state ?? 'ACTIVE'),
};

/** The documents directly in a folder. */
export const documentsOfFolder: DocumentListing = {
  ...listing(
    'documentsOfFolder',
    sql`d.project_id = (SELECT f.project_id FROM folders f WHERE f.id = k.id) AND d.folder_id = k.id`,
  ),
  home: sql`folders`,
};

const ofViewer: DocumentListing = {
  ...inProject,
  kept: ({ viewer }, filter) =>
    isNarrowed(filter) ? undefined : keptNumberOfAll(viewer, filter.state ?? 'ACTIVE', matches(filter)),
};

/** All documents that the viewer sees, in whatever project: an index has those of each project in each order. */
const documentsInProjects: DocumentListing = {
  ...ofViewer,
  name: 'documentsInProjects',
  parts: {
    from: ({ viewer }) => sql`(SELECT p.organization_id, p.id, p.access FROM projects p
      WHERE p.organization_id = ANY(${organizationsOf(viewer)}) AND ${visibleProjects(viewer)}) p`,
    row: sql`d`,
  },
  where: ({ viewer }, filter) => sql`d.organization_id = p.organization_id AND d.project_id = p.id
    AND ${matches(filter)} AND ${visibleDocumentsOfProject(viewer)}`,
};

/** The same; an index has those of each organization by age. */
const documentsInOrganizations: DocumentListing = {
  ...ofViewer,
  name: 'documentsInOrganizations',
  parts: {
    from: ({ viewer }) => sql`unnest(${organizationsOf(viewer)}::text[]) AS o(id)`,
    row: sql`d`,
  },
  where: ({ viewer }, filter) =>
    sql`d.organization_id = o.id AND ${matches(filter)} AND ${visibleDocuments(viewer)}`,
};

/**
 * All documents that the viewer sees, in whatever organization. By age they are read organization by organization, whose
 * members see most of what is there; a guest sees little of it, and is better served project by project.
 */
export const documentsOfViewer = (
  { viewer }: Context,
  { state }: DocumentFilter,
  order: DocumentOrder,
): DocumentListing =>
  orderOf(order, { state }) === 'CREATED_AT' && state !== 'RECYCLED' && guestOf(viewer).length === 0
    ? documentsInOrganizations
    : documentsInProjects;

/** Those of the ids that are visible, in no particular order. */
export const findDocuments = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Document>(
    sql`SELECT d.* FROM documents d WHERE d.id = ANY(${ids}) AND ${visibleDocuments(ctx.viewer)}`,
  );

/** The revisions of a document. */
export const revisionsOfDocument: Listing<Revision, object, 'NUMBER'> = {
  name: 'revisionsOfDocument',
  select: () => sql`r.*`,
  from: sql`revisions r`,
  where: () => sql`r.organization_id = k.organization_id AND r.document_id = k.id`,
  sorts: {
    NUMBER: { ...sortBy(sql`r.id`, sql`r.number`, 'int', (row) => row.number), unique: true },
  },
};

export const findRevisions = (ctx: Context, ids: readonly string[]) =>
  ctx.db.query<Revision>(sql`SELECT r.* FROM revisions r WHERE r.id = ANY(${ids}) AND EXISTS (SELECT FROM documents d
    WHERE d.organization_id = r.organization_id AND d.id = r.document_id AND ${visibleDocuments(ctx.viewer)})`);

/** The newest revision of each of these documents, which the viewer already sees. */
export const findCurrentRevisions = ({ db }: Context, documentIds: readonly string[]) =>
  db.query<Revision>(sql`SELECT r.* FROM unnest(${documentIds}::text[]) AS k(id) JOIN documents d ON d.id = k.id
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number`);

/** The SHA-256 of these blobs, of revisions which the viewer already sees. */
export const findDigests = ({ db }: Context, blobIds: readonly string[]) =>
  db.query<Pick<Blob, 'id' | 'sha256'>>(sql`SELECT b.id, b.sha256 FROM blobs b WHERE b.id = ANY(${blobIds})`);

/** Who each of these documents, which the viewer already sees, is assigned to, and how it is tagged. */
export const findLabels = ({ db }: Context, documentIds: readonly string[]) =>
  db.query<{ id: string; assigneeEmails: string[]; tags: string[] }>(sql`SELECT d.id,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM document_assignments a
      WHERE a.organization_id = d.organization_id AND a.document_id = d.id), '{}') AS assignee_emails,
    coalesce((SELECT array_agg(t.text ORDER BY t.text_key) FROM document_tags x JOIN tags t
      ON t.organization_id = x.organization_id AND t.id = x.tag_id
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id), '{}') AS tags
    FROM documents d WHERE d.id = ANY(${documentIds})`);
