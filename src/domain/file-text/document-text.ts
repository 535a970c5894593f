import { sql } from '../../db/sql/sql.ts';
import type { Blob, TextStatus } from '../../generated/prisma/client.ts';
import { visibleDocuments } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { pagesOf } from './file-text-pieces.ts';

/** The state of reading the text of a blob. */
export type TextState = Pick<
  Blob,
  'id' | 'textStatus' | 'textError' | 'textAttempts' | 'textNextAt' | 'textRecognized'
>;

/** Reads text states of blobs. The caller has checked that their revisions are visible. */
export const findTextStates = ({ db }: Context, blobIds: readonly string[]) =>
  db.query<TextState>(sql`SELECT b.id, b.text_status, b.text_error, b.text_attempts, b.text_next_at, b.text_recognized
    FROM blobs b WHERE b.id ${sql.any(blobIds)}`);

/** A piece of the text of a file. `firstPage` is null in a file that has no pages. */
export interface TextPiece {
  id: string;
  number: number;
  firstPage: number | null;
  text: string;
}

/** The text of a revision, in pieces. */
export const piecesOfRevision: Listing<TextPiece, object, 'NUMBER'> = {
  name: 'piecesOfRevision',
  select: () => sql`x.blob_id AS id, x.number, x.first_page, x.text`,
  from: sql`search_texts x`,
  where: ({ viewer }) => sql`x.organization_id = k.organization_id AND x.blob_id = (
    SELECT r.blob_id FROM revisions r JOIN ${tables.documents.from} ON d.organization_id = r.organization_id AND d.id = r.document_id
    WHERE r.organization_id = k.organization_id AND r.id = k.id AND ${visibleDocuments(viewer, tables.documents)})`,
  sorts: { NUMBER: sortBy(sql`x.blob_id`, sql`x.number`, 'int', ({ number }) => number) },
};

/** The key of a page of a blob for findPageTexts. */
export const pageKey = (blobId: string, page: number): string => `${blobId}:${page}`;

/** Reads the texts of pages, from 1, by pageKey. The caller has checked that the revisions are visible. */
export async function findPageTexts({ db }: Context, keys: readonly string[]) {
  const requested = keys.map((key) => {
    const [blobId, page] = key.split(':');
    return { key, blobId, page: Number(page) };
  });
  const pieces = await db.query<{ key: string; firstPage: number; text: string }>(sql`
    SELECT w.key, x.first_page, x.text
    FROM unnest(${sql.texts(keys)}, ${sql.texts(requested.map(({ blobId }) => blobId))}, ${requested.map(({ page }) => page)}::int[])
      AS w(key, blob_id, page)
    JOIN blobs b ON b.id = w.blob_id
    JOIN search_texts x ON x.organization_id = b.organization_id AND x.blob_id = b.id AND x.first_page <= w.page
      AND x.number >= coalesce((SELECT max(y.number) FROM search_texts y
        WHERE y.organization_id = b.organization_id AND y.blob_id = b.id AND y.first_page < w.page), 0)
    ORDER BY w.key, x.number`);
  return requested.flatMap(({ key, page }) => {
    const parts = pieces.filter((piece) => piece.key === key).flatMap(pagesOf);
    const matching = parts.filter((part) => part.page === page);
    return matching.length > 0 ? [{ id: key, text: matching.map(({ text }) => text).join('') }] : [];
  });
}

/** The number of documents of a project by text status. */
export type TextProgress = { id: string } & Record<Lowercase<TextStatus>, number>;

/** Counts the visible active documents of these projects by text status. */
export const countTexts = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<TextProgress>(sql`SELECT k.id, n.* FROM unnest(${sql.texts(projectIds)}) AS k(id) CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE b.text_status = 'PENDING')::int AS pending,
      count(*) FILTER (WHERE b.text_status = 'READY')::int AS ready,
      count(*) FILTER (WHERE b.text_status = 'NONE')::int AS none,
      count(*) FILTER (WHERE b.text_status = 'FAILED')::int AS failed,
      count(*) FILTER (WHERE b.text_status = 'SKIPPED')::int AS skipped
    FROM projects q
    JOIN ${tables.documents.from} ON d.organization_id = q.organization_id AND d.project_id = q.id AND d.state = 'ACTIVE'
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE q.id = k.id AND ${visibleDocuments(viewer, tables.documents)}) n`);
