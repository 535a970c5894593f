import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { newId } from '../../lib/id.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { SEALING_LEASE, type SealingAttempt } from './sealing-state.ts';

/** Milliseconds from a seal without a time-stamp to the first attempt. */
export const STAMP_DELAY = MINUTE;

/** Milliseconds from a time-stamp to the first attempt to add validation data: the answers must be newer than the time-stamp. */
export const VALIDATION_DELAY = DAY;

/** Milliseconds from each failed attempt to the next one: within half a month in all. The first is that before all attempts. */
const BACK_OFF = [
  STAMP_DELAY,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  ...Array(15).fill(DAY),
];

/** Milliseconds until the next attempt after this number of failures; undefined after the last. */
export const stampDelay = (attempts: number): number | undefined => BACK_OFF[attempts];

/** Attempts to add something to a sealed file. */
export const MAX_STAMP_ATTEMPTS = BACK_OFF.length;

/** Schedules the next addition to the file of a sealed session, in `delay` ms: a document time-stamp, or validation data. */
export const scheduleStamp = (
  tx: Transaction,
  { organizationId, sessionId }: SealingAttempt,
  delay: number,
): Promise<unknown> =>
  tx.query(sql`UPDATE signature_sessions SET stamp_next_at = ${nowPlus(delay)}, stamp_attempts = 0
    WHERE organization_id = ${organizationId} AND id = ${sessionId}`);

const due = new Rows('signature_sessions', 's');

/** Takes the lease of the session due first, in the organization with the lowest id of those that meet the condition. */
export async function claimStamp(db: Database, idCondition: Sql): Promise<SealingAttempt | undefined> {
  const blobId = newId('Blob');
  const [attempt] = await db.query<Omit<SealingAttempt, 'blobId'>>(sql`UPDATE signature_sessions g
    SET stamp_attempts = g.stamp_attempts + 1, sealing_blob_id = ${blobId}, stamp_next_at = ${nowPlus(SEALING_LEASE)}
    FROM documents d WHERE d.organization_id = g.organization_id AND d.id = g.document_id
    AND g.id = (SELECT ${due}.id FROM ${due.from}
      WHERE ${due}.stamp_next_at <= now() AND ${due}.organization_id ${idCondition}
      ORDER BY ${due}.organization_id, ${due}.stamp_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING g.organization_id, d.project_id, g.document_id, g.id AS session_id, g.stamp_attempts AS attempts`);
  return attempt && { ...attempt, blobId };
}

/**
 * Ends an attempt; false if another one has taken over, or it has ended. The next one is in `delay` ms, or never. `counts`:
 * whether it is one of the attempts that are made.
 */
export async function releaseStamp(
  db: Reader,
  { organizationId, sessionId, blobId }: SealingAttempt,
  delay: number | undefined,
  counts = true,
): Promise<boolean> {
  const released = await db.query(sql`UPDATE signature_sessions SET sealing_blob_id = NULL,
    stamp_attempts = stamp_attempts - ${counts ? 0 : 1}::int, stamp_next_at = ${delay === undefined ? null : nowPlus(delay)}
    WHERE organization_id = ${organizationId} AND id = ${sessionId} AND sealing_blob_id = ${blobId} RETURNING id`);
  return released.length > 0;
}
