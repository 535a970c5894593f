import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Blob, PageStatus } from '../../generated/prisma/client.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, DomainError } from '../kernel/errors.ts';
import type { Document } from './document.ts';

/** A lease on a PDF file whose pages are being counted. `attempt` starts at 1. */
export interface PageClaim {
  organizationId: string;
  id: string;
  size: bigint;
  attempt: number;
}

/** Milliseconds until a claim expires; then another process may start again. */
const LEASE = 2 * MINUTE;

/** Milliseconds to wait after each failed attempt but the last. */
const BACK_OFF = [30 * SECOND, 2 * MINUTE, 8 * MINUTE];
const MAX_ATTEMPTS = BACK_OFF.length + 1;

/**
 * Claims a PDF file that is due: of the organization with the fewest attempts running or failed, the file with the fewest
 * attempts. After MAX_ATTEMPTS, those of crashed processes included, a file becomes COSTLY.
 */
export async function claimPages(db: Database): Promise<PageClaim | undefined> {
  await db.query(sql`UPDATE blobs SET page_status = 'COSTLY'
    WHERE page_status = 'PENDING' AND page_attempts >= ${MAX_ATTEMPTS} AND page_next_at <= now()`);
  const [claim] = await db.query<PageClaim>(sql`
    UPDATE blobs SET page_attempts = page_attempts + 1, page_next_at = ${nowPlus(LEASE)}
    WHERE id = (
      SELECT b.id FROM (
        SELECT DISTINCT ON (p.organization_id) p.organization_id, p.id, p.page_attempts, p.page_next_at FROM blobs p
        WHERE p.page_status = 'PENDING' AND p.page_next_at <= now()
        ORDER BY p.organization_id, p.page_attempts, p.page_next_at) f
      JOIN blobs b ON b.organization_id = f.organization_id AND b.id = f.id
      ORDER BY (SELECT count(*) FROM blobs o WHERE o.organization_id = f.organization_id
        AND o.page_status = 'PENDING' AND o.page_attempts > 0), f.page_attempts, f.page_next_at
      LIMIT 1 FOR UPDATE OF b SKIP LOCKED)
    AND page_status = 'PENDING' AND page_next_at <= now()
    RETURNING organization_id, id, size, page_attempts AS attempt`);
  return claim;
}

/** Stores the result, also in revisions and documents with this content that have no page count yet. */
export async function storePages(
  db: Database,
  { organizationId, id }: Pick<PageClaim, 'organizationId' | 'id'>,
  { pageCount, pageStatus }: Pick<Blob, 'pageCount' | 'pageStatus'>,
): Promise<void> {
  const uncounted = sql`organization_id = ${organizationId} AND page_count IS NULL`;
  const holders = sql`SELECT r.document_id FROM revisions r
    JOIN documents h ON h.organization_id = r.organization_id AND h.id = r.document_id AND h.revision_number = r.number
    WHERE r.organization_id = ${organizationId} AND r.blob_id = ${id}`;
  await inTransaction(db, async (tx) => {
    // In the order in which commands take them: documents, then the content.
    await tx.query(
      sql`SELECT id FROM documents WHERE ${uncounted} AND id IN (${holders}) ORDER BY id FOR NO KEY UPDATE`,
    );
    await tx.query(sql`UPDATE blobs SET page_count = ${pageCount}::int, page_status = ${pageStatus}::page_status
      WHERE organization_id = ${organizationId} AND id = ${id} AND page_status = 'PENDING'`);
    if (pageCount !== null) {
      await tx.query(
        sql`UPDATE revisions SET page_count = ${pageCount}::int WHERE ${uncounted} AND blob_id = ${id}`,
      );
      await tx.query(
        sql`UPDATE documents SET page_count = ${pageCount}::int WHERE ${uncounted} AND id IN (${holders})`,
      );
    }
    tx.announce(organizationId);
  });
}

/** Schedules the next attempt after a failed one; none after the last. */
export const postponePages = (db: Database, { id, attempt }: PageClaim): Promise<unknown> =>
  db.query(sql`UPDATE blobs SET page_next_at = ${nowPlus(BACK_OFF[attempt - 1] ?? 0)}
    WHERE id = ${id} AND page_status = 'PENDING' AND page_attempts = ${attempt}`);

/** Releases a claim without counting the attempt, when no process or storage was available. */
export const releasePages = (db: Database, { id, attempt }: PageClaim, ms: number): Promise<unknown> =>
  db.query(sql`UPDATE blobs SET page_next_at = ${nowPlus(ms)}, page_attempts = page_attempts - 1
    WHERE id = ${id} AND page_status = 'PENDING' AND page_attempts = ${attempt}`);

/** Queues the PDF files without a page count among these blobs to be counted again; returns their number. */
export async function requestPageCount(tx: Transaction, blobIds: readonly string[]): Promise<number> {
  const again =
    await tx.query(sql`UPDATE blobs SET page_status = 'PENDING', page_attempts = 0, page_next_at = now()
    WHERE id = ANY(${blobIds}) AND content_type = 'application/pdf' AND page_count IS NULL RETURNING id`);
  if (again.length > 0) tx.wake('pages');
  return again.length;
}

/** Reads the state of page counting. The caller has checked that the revisions are visible. */
export const findPageStates = ({ db }: Context, blobIds: readonly string[]) =>
  db.query<Pick<Blob, 'id' | 'pageStatus'>>(
    sql`SELECT b.id, b.page_status FROM blobs b WHERE b.id ${sql.any(blobIds)}`,
  );

const REASONS: Record<Exclude<PageStatus, 'PENDING'>, string> = {
  READY: 'the PDF is broken',
  BROKEN: 'the PDF is broken',
  LOCKED: 'the PDF is locked with a password',
  COSTLY: 'the PDF takes too long, or too much memory, to open',
};

/** UNAVAILABLE: the pages of this PDF file are not counted yet. */
export class PagesPending extends DomainError {
  constructor(readonly blob: Pick<PageClaim, 'organizationId' | 'id' | 'size'>) {
    const text = 'The PDF is still being inspected. Try again in some seconds.';
    super('UNAVAILABLE', text, { at: 'documentId', retryAfter: 5 });
  }
}

/**
 * Throws PagesPending while the pages of a PDF file are not counted, and BAD_USER_INPUT with the reason if they cannot
 * be; `consequence` completes that sentence.
 */
export async function requirePageCount(
  tx: Transaction,
  { organizationId, id, revisionNumber, contentType, pageCount }: Document,
  consequence: string,
): Promise<void> {
  if (contentType !== 'application/pdf' || pageCount !== null) return;
  const [blob] = await tx.query<Pick<Blob, 'organizationId' | 'id' | 'size' | 'pageStatus'>>(sql`
    SELECT b.organization_id, b.id, b.size, b.page_status FROM revisions r
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE r.organization_id = ${organizationId} AND r.document_id = ${id} AND r.number = ${revisionNumber}`);
  if (blob?.pageStatus === 'PENDING') throw new PagesPending(blob);
  const status = blob?.pageStatus ?? 'READY';
  throw badValue('documentId', `${REASONS[status]}, so ${consequence}`);
}
