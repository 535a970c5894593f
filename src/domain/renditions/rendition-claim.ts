import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { shorten } from '../../lib/text/shorten.js';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';

/** A lease on a rendition that is being made. `attempts` starts at 1; `blobId` is the key for its output. */
export interface RenditionClaim {
  organizationId: string;
  revisionId: string;
  blobId: string;
  attempts: number;
  /** The file of the revision. */
  sourceId: string;
  size: bigint;
  contentType: string;
}

/** Milliseconds until a claim expires. An attempt takes one at most, beside the time in which files are read and written. */
const LEASE = 5 * MINUTE;

/** Attempts of one rendition, those of processes that crashed included. */
export const MAX_ATTEMPTS = 4;

/** Milliseconds to wait after each failed attempt. */
const BACK_OFF = [10 * SECOND, MINUTE, 5 * MINUTE];

/** Claims the rendition that has been due longest, taking turns between organizations; undefined if none is due. */
export const claimRendition = (db: Database): Promise<RenditionClaim | undefined> =>
  claimRoundRobin(db, 'render', async (condition) => {
    const [claim] = await db.query<RenditionClaim>(sql`UPDATE renditions x
      SET attempts = x.attempts + 1, attempt_blob_id = ${newId('Blob')}, next_at = ${nowPlus(LEASE)}
      FROM revisions v WHERE v.organization_id = x.organization_id AND v.id = x.revision_id
      AND (x.organization_id, x.revision_id) = (SELECT d.organization_id, d.revision_id FROM renditions d
        WHERE d.state = 'PENDING' AND d.next_at <= now() AND d.organization_id ${condition}
        ORDER BY d.organization_id, d.next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING x.organization_id, x.revision_id, x.attempt_blob_id AS blob_id, x.attempts, v.blob_id AS source_id, v.size,
        v.content_type`);
    return claim;
  });

/** The PDF that an attempt has stored under the key of its claim. */
interface RenderedFile {
  sha256: Uint8Array<ArrayBuffer>;
  size: number;
  pageCount: number;
}

/** Stores the result. Returns the key of its file: an equal one, where there is one; undefined if another attempt has taken over. */
export const storeRendition = (
  db: Database,
  { organizationId, revisionId, blobId }: RenditionClaim,
  { sha256, size, pageCount }: RenderedFile,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const [claimed] = await tx.query(sql`SELECT x.revision_id FROM renditions x
      WHERE x.organization_id = ${organizationId} AND x.revision_id = ${revisionId}
        AND x.state = 'PENDING' AND x.attempt_blob_id = ${blobId} FOR UPDATE`);
    if (!claimed) return undefined;
    // The update of an equal file locks it against the sweep.
    const [blob] = await tx.query<{ id: string }>(sql`
      INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count)
      VALUES (${organizationId}, ${blobId}, ${sha256}, ${size}, 'application/pdf', ${pageCount})
      ON CONFLICT (organization_id, sha256) DO UPDATE SET size = excluded.size RETURNING id`);
    const key = blob?.id as string;
    await tx.query(sql`UPDATE renditions SET state = 'READY', blob_id = ${key}, sha256 = ${sha256},
      page_count = ${pageCount}, attempt_blob_id = NULL
      WHERE organization_id = ${organizationId} AND revision_id = ${revisionId}`);
    tx.wake('text');
    tx.announce(organizationId);
    return key;
  });

/** Ends an attempt that failed: the next one comes after a pause, unless this was the last of `retries` more or of all. */
export async function failRendition(
  db: Database,
  { organizationId, revisionId, blobId, attempts }: RenditionClaim,
  reason: string,
  retries: number,
): Promise<void> {
  const pause = attempts <= Math.min(retries, MAX_ATTEMPTS - 1) ? (BACK_OFF[attempts - 1] ?? 0) : undefined;
  const isFinal = pause === undefined;
  await db.query(sql`UPDATE renditions SET state = ${isFinal ? 'FAILED' : 'PENDING'}::rendition_state,
      error = ${isFinal ? shorten(reason, 1_000) : null}, attempt_blob_id = NULL, next_at = ${nowPlus(pause ?? 0)}
    WHERE organization_id = ${organizationId} AND revision_id = ${revisionId} AND state = 'PENDING'
      AND attempt_blob_id = ${blobId}`);
  db.notifications.publish(organizationId);
}

/** Releases a claim without counting the attempt, where nothing could convert it now. */
export const releaseRendition = (
  db: Database,
  { organizationId, revisionId, blobId }: RenditionClaim,
  ms: number,
): Promise<unknown> =>
  db.query(sql`UPDATE renditions SET attempts = attempts - 1, attempt_blob_id = NULL, next_at = ${nowPlus(ms)}
    WHERE organization_id = ${organizationId} AND revision_id = ${revisionId} AND state = 'PENDING'
      AND attempt_blob_id = ${blobId}`);
