import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { TextStatus, TextStep } from '../generated/prisma/client.ts';
import { MINUTE } from '../lib/time.ts';
import { cutText, type Piece } from './file-text-pieces.ts';

/** Content whose text is being read. `claim` tells this try from all others; `attempt` counts them since the last retry. */
export interface Claim {
  organizationId: string;
  id: string;
  size: bigint;
  contentType: string;
  attempt: number;
  claim: number;
}

/** How long a claim lasts that nobody renews: what a process that dies had begun is then begun anew. */
const LEASE = MINUTE;
const MOST_ATTEMPTS = 4;

/** Minutes from now, in the database's own time: the processes' clocks may differ. */
const later = (ms: number): Sql => sql`now() + ${ms / 1000} * interval '1 second'`;

/** Takes the content that is due for this step for the longest time; whoever else looks takes another. */
export async function claimText(db: Database, step: TextStep): Promise<Claim | undefined> {
  const [claim] = await db.query<Claim>(sql`
    UPDATE blobs SET text_attempts = text_attempts + 1, text_claims = text_claims + 1, text_next_at = ${later(LEASE)}
    WHERE id = (SELECT id FROM blobs WHERE text_status = 'PENDING' AND text_step = ${step}::text_step
      AND text_next_at <= now() ORDER BY text_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING organization_id, id, size, content_type, text_attempts AS attempt, text_claims AS claim`);
  return claim;
}

/** A condition on blobs that holds as long as nobody else has taken the content since. */
const stillMine = ({ organizationId, id, claim }: Claim): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND text_status = 'PENDING' AND text_claims = ${claim}`;

/** Holds the content for another while. False when it is somebody else's by now. */
export async function renewClaim(db: Database, claim: Claim): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE blobs SET text_next_at = ${later(LEASE)} WHERE ${stillMine(claim)} RETURNING id`,
  );
  return rows.length === 1;
}

/** Writes down how it ended, unless the content is somebody else's by now. */
const end = (claim: Claim, status: TextStatus, error: string | null, recognizedPages = 0): Sql =>
  sql`UPDATE blobs SET text_status = ${status}::text_status, text_error = ${error}, text_recognized = ${recognizedPages}
    WHERE ${stillMine(claim)}`;

/** What was read stays; the pictures of the file are to be recognised as well. */
export async function passText(db: Database, claim: Claim): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query(sql`UPDATE blobs SET text_step = 'RECOGNIZE', text_attempts = 0, text_next_at = now()
      WHERE ${stillMine(claim)}`);
    await tx.enqueue({ queue: 'recognize', data: {} });
  });
}

/** Gives the content back, as if this try had not been begun. */
export const releaseText = (db: Database, claim: Claim): Promise<unknown> =>
  db.query(
    sql`UPDATE blobs SET text_attempts = text_attempts - 1, text_next_at = now() WHERE ${stillMine(claim)}`,
  );

export const endText = (
  db: Database,
  claim: Claim,
  status: Exclude<TextStatus, 'PENDING'>,
  error: string | null,
): Promise<unknown> => db.query(end(claim, status, error));

/** A try that failed and may not fail again: the next one is in a minute, then in four, then in sixteen. */
export async function postponeText(db: Database, claim: Claim, error: string): Promise<void> {
  if (claim.attempt >= MOST_ATTEMPTS) await endText(db, claim, 'FAILED', error);
  else
    await db.query(sql`UPDATE blobs SET text_error = ${error},
      text_next_at = ${later(MINUTE * 4 ** (claim.attempt - 1))} WHERE ${stillMine(claim)}`);
}

const BATCH = 8;

/**
 * Keeps the text of a file, some pieces at a time: a long one would hold up an embedded database. With `open`, it is
 * found from now on, but is not all there is.
 */
export async function keepText(
  db: Database,
  claim: Claim,
  {
    pages,
    paged,
    note,
    recognizedPages,
  }: { pages: string[]; paged: boolean; note?: string; recognizedPages?: number },
  open = false,
): Promise<void> {
  const pieces = cutText(pages);
  for (let at = 0; at < pieces.length; at += BATCH) {
    await db.query(insert(claim, pieces.slice(at, at + BATCH), at, paged));
    if (!(await renewClaim(db, claim))) return;
  }
  await inTransaction(db, async (tx) => {
    await tx.query(sql`DELETE FROM search_texts
      WHERE organization_id = ${claim.organizationId} AND blob_id = ${claim.id} AND number >= ${pieces.length}`);
    if (!open) await tx.query(end(claim, 'READY', note ?? null, recognizedPages));
  });
}

const insert = ({ organizationId, id }: Claim, pieces: Piece[], from: number, paged: boolean): Sql =>
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
