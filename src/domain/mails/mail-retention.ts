import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { DAY } from '../../lib/time.ts';
import { FORGOTTEN_KINDS } from './mail-kind.ts';

/** How long ended mails are listed, and mails in the outbox; of those also no more than this number. */
const RETENTION = 90 * DAY;
const OUTBOX_RETENTION = 7 * DAY;
const MAX_OUTBOX = 1_000;

/** Deletes old mails. Returns how many. */
export async function deleteOldMails(db: Database): Promise<number> {
  const deleted = await db.query(sql`DELETE FROM mails WHERE ended_at IS NOT NULL AND (
    ended_at < ${nowPlus(-RETENTION)} OR (state <> 'OUTBOX' AND kind = ANY(${FORGOTTEN_KINDS})) OR (state = 'OUTBOX' AND (ended_at < ${nowPlus(-OUTBOX_RETENTION)}
      OR ended_at < (SELECT x.ended_at FROM mails x WHERE x.state = 'OUTBOX' ORDER BY x.ended_at DESC
        OFFSET ${MAX_OUTBOX} LIMIT 1)))) RETURNING id`);
  return deleted.length;
}
