import type { Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Blob, Document as DocumentRow, Revision as RevisionRow } from '../generated/prisma/client.ts';
import { visibleDocuments } from './access.ts';
import type { Context } from './context.ts';
import type { Listing } from './listing.ts';
import { sortBy } from './page.ts';

export type Document = DocumentRow;
export type Revision = RevisionRow;

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

type RevisionKey = Pick<Revision, 'organizationId' | 'documentId' | 'number'>;

export const revisionKey = ({ organizationId, documentId, number }: RevisionKey) =>
  `${organizationId} ${documentId} ${number}`;

/** The key of the newest revision of a document. */
export const currentRevisionKey = ({ organizationId, id, revisionNumber }: Document) =>
  revisionKey({ organizationId, documentId: id, number: revisionNumber });

/** The revisions with these keys, of documents which the viewer already sees. */
export function findRevisionsByKey({ db }: Context, keys: readonly string[]) {
  const parts = keys.map((key) => key.split(' '));
  const [organizations, documents, numbers] = [0, 1, 2].map((place) => parts.map((each) => each[place]));
  return db.query<Revision>(sql`
    SELECT r.* FROM unnest(${organizations}::text[], ${documents}::text[], ${numbers}::int[]) AS k(organization_id, document_id, number)
    JOIN revisions r ON r.organization_id = k.organization_id AND r.document_id = k.document_id AND r.number = k.number`);
}

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
