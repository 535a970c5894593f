import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TextStatus } from '../../generated/prisma/client.ts';
import { MINUTE } from '../../lib/time.ts';
import { cutText, type Piece } from './file-text-pieces.ts';
import { type Claim, holdsClaim, renewClaim } from './text-claim.ts';

/** Attempts at content during which the process ended each time, before it counts as FAILED. */
export const MAX_ATTEMPTS = 4;

/** Stores the final status, unless the claim was lost. */
const endQuery = (claim: Claim, status: TextStatus, error: string | null, recognizedPages = 0): Sql => sql`
  WITH ended AS (UPDATE blobs SET text_status = ${status}::text_status, text_error = ${error}, text_leased = false,
    text_turns = 0, text_recognized = ${recognizedPages} WHERE ${holdsClaim(claim)} RETURNING organization_id, id)
  DELETE FROM recognized_pages p USING ended e WHERE p.organization_id = e.organization_id AND p.blob_id = e.id`;

/** Queues the pictures of a file for text recognition; the text that was read is kept. */
export async function startRecognition(db: Database, claim: Claim): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query(sql`
      WITH passed AS (UPDATE blobs SET text_step = 'RECOGNIZE', text_attempts = 0, text_turns = 0, text_leased = false,
        text_next_at = now() WHERE ${holdsClaim(claim)} RETURNING organization_id, id)
      DELETE FROM recognized_pages p USING passed b WHERE p.organization_id = b.organization_id AND p.blob_id = b.id`);
    tx.wake('recognize');
  });
}

/** Ends a claim with a final status; `error` is for the user. */
export const endText = (
  db: Database,
  claim: Claim,
  status: Exclude<TextStatus, 'PENDING'>,
  error: string | null,
): Promise<unknown> => db.query(endQuery(claim, status, error));

/** Schedules a retry of a failed attempt after 1, 4 and 16 minutes; without `retries` left, the status becomes FAILED. */
export async function postponeText(
  db: Database,
  claim: Claim,
  error: string,
  retries: number,
): Promise<void> {
  if (claim.attempt > Math.min(retries, MAX_ATTEMPTS - 1)) await endText(db, claim, 'FAILED', error);
  else
    await db.query(sql`UPDATE blobs SET text_error = ${error}, text_leased = false,
      text_next_at = ${nowPlus(MINUTE * 4 ** (claim.attempt - 1))} WHERE ${holdsClaim(claim)}`);
}

const BATCH = 8;

/**
 * Stores the text of a file, BATCH pieces per statement, since a long one would block an embedded database. With
 * `partial`, it is searchable from now on, but more will follow.
 */
export async function storeText(
  db: Database,
  claim: Claim,
  {
    pages,
    paged,
    note,
    recognizedPages,
  }: { pages: string[]; paged: boolean; note?: string; recognizedPages?: number },
  partial = false,
): Promise<void> {
  const pieces = cutText(pages);
  for (let at = 0; at < pieces.length; at += BATCH) {
    await db.query(insertPieces(claim, pieces.slice(at, at + BATCH), at, paged));
    if (!(await renewClaim(db, claim))) return;
  }
  await inTransaction(db, async (tx) => {
    await tx.query(sql`DELETE FROM search_texts
      WHERE organization_id = ${claim.organizationId} AND blob_id = ${claim.id} AND number >= ${pieces.length}`);
    if (!partial) await tx.query(endQuery(claim, 'READY', note ?? null, recognizedPages));
  });
}

const insertPieces = ({ organizationId, id }: Claim, pieces: Piece[], from: number, paged: boolean): Sql =>
  sql`INSERT INTO search_texts (organization_id, blob_id, number, first_page, text)
    SELECT b.organization_id, b.id, x.number, x.first_page, x.text FROM blobs b, (VALUES ${sql.join(
      pieces.map(
        ({ firstPage, text }, index) =>
          sql`(${from + index}::int, ${paged ? firstPage : null}::int, ${text}::text)`,
      ),
    )}) AS x(number, first_page, text)
    WHERE b.organization_id = ${organizationId} AND b.id = ${id}
    ON CONFLICT (organization_id, blob_id, number)
    DO UPDATE SET first_page = excluded.first_page, text = excluded.text`;
