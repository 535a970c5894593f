import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { claimRoundRobin } from '../kernel/round-robin.ts';

/** Milliseconds of an attempt, after which another one may begin. */
const LEASE = 2 * MINUTE;

/** Milliseconds to the second attempt; doubled after each failure, about a day in total. */
const FIRST_BACK_OFF = 5 * SECOND;
const MAX_ATTEMPTS = 15;

/** An attempt to file a submission, that is to create its document. */
export interface FilingClaim {
  organizationId: string;
  submissionId: string;
  attempts: number;
}

/** Claims the submission that has been due longest, taking turns between organizations; undefined if none is due. */
export const claimFiling = (db: Database): Promise<FilingClaim | undefined> =>
  claimRoundRobin(db, 'fileForm', async (condition) => {
    const [claim] = await db.query<FilingClaim>(sql`UPDATE form_submissions
      SET filing_attempts = filing_attempts + 1,
        filing_next_at = CASE WHEN filing_attempts + 1 < ${MAX_ATTEMPTS} THEN ${nowPlus(LEASE)} END
      WHERE id = (SELECT s.id FROM form_submissions s
        WHERE s.document_id IS NULL AND s.filing_next_at <= now() AND s.organization_id ${condition}
        ORDER BY s.organization_id, s.filing_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING organization_id, id AS submission_id, filing_attempts AS attempts`);
    return claim;
  });

/** Ends the attempts for a submission: it is filed, or cannot be. */
export const endFiling = (db: Database, { submissionId }: FilingClaim): Promise<unknown> =>
  db.query(sql`UPDATE form_submissions SET filing_next_at = NULL WHERE id = ${submissionId}`);

/** Schedules the next attempt after a failure, unless this was the last. */
export const postponeFiling = (db: Database, { submissionId, attempts }: FilingClaim): Promise<unknown> =>
  db.query(sql`UPDATE form_submissions
    SET filing_next_at = ${attempts < MAX_ATTEMPTS ? nowPlus(FIRST_BACK_OFF * 2 ** (attempts - 1)) : null}
    WHERE id = ${submissionId} AND filing_attempts = ${attempts}`);
