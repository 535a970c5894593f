import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type {
  Blob,
  Document as DocumentRow,
  Revision as RevisionRow,
} from '../../generated/prisma/client.ts';
import { visibleDocuments } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { alignToParents, type Listing, type ParentIndexed } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { finder, relation } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

export type Document = DocumentRow;
export type Revision = RevisionRow;

export const findDocuments = finder<Document>(
  ({ viewer }, are) =>
    sql`SELECT d.* FROM ${tables.documents.from} WHERE d.id ${are} AND ${visibleDocuments(viewer, tables.documents)}`,
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
  ctx.db.query<Revision>(sql`SELECT r.* FROM revisions r WHERE r.id ${sql.any(ids)} AND EXISTS (SELECT FROM ${tables.documents.from}
    WHERE d.organization_id = r.organization_id AND d.id = r.document_id AND ${visibleDocuments(ctx.viewer, tables.documents)})`);

/** The newest revision of a document of alias `item`. */
const newest = sql`SELECT r.* FROM revisions r WHERE r.organization_id = item.organization_id
  AND r.document_id = item.id AND r.number = item.revision_number`;

/** Reads the newest revision of each visible document; null if it was purged meanwhile. */
export async function findCurrentRevisions({ db }: Context, documents: readonly Document[]) {
  const numbers = documents.map(({ revisionNumber }) => revisionNumber);
  const rows = await db.query<Revision & ParentIndexed>(sql`SELECT item.index::int AS parent_index, r.*
    FROM unnest(${sql.texts(documents.map(({ organizationId }) => organizationId))}, ${sql.texts(documents.map(({ id }) => id))},
      ${numbers}::int[]) WITH ORDINALITY AS item(organization_id, id, revision_number, index)
    CROSS JOIN LATERAL (${newest}) r`);
  return alignToParents(documents.length, rows);
}

/** The same as a relation that is joined to documents. */
export const currentRevision = relation('revision', () => newest);

/** Reads the SHA-256 of blobs. The caller has checked that their revisions are visible. */
export const findDigests = ({ db }: Context, blobIds: readonly string[]) =>
  db.query<Pick<Blob, 'id' | 'sha256'>>(
    sql`SELECT b.id, b.sha256 FROM blobs b WHERE b.id ${sql.any(blobIds)}`,
  );

/** Reads assignees and tags. The caller has checked that the documents are visible. */
export const findLabels = ({ db }: Context, documentIds: readonly string[], reader: Reader = db) =>
  reader.query<{ id: string; assigneeEmails: string[]; tags: string[] }>(sql`SELECT d.id,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM document_assignments a
      WHERE a.organization_id = d.organization_id AND a.document_id = d.id), '{}') AS assignee_emails,
    coalesce((SELECT array_agg(t.text ORDER BY t.text_key) FROM document_tags x JOIN tags t
      ON t.organization_id = x.organization_id AND t.id = x.tag_id
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id), '{}') AS tags
    FROM ${tables.documents.from} WHERE d.id ${sql.any(documentIds)}`);
