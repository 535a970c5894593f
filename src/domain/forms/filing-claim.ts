import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { claimRoundRobin } from '../kernel/round-robin.ts';

/** How long a try may take before another one may begin. */
const LEASE = 2 * MINUTE;

/** After each failure twice as long, for a day or so in all. */
const PAUSE = 5 * SECOND;
const MOST_ATTEMPTS = 15;

/** A submission whose document is being made. */
export interface FilingClaim {
  organizationId: string;
  submissionId: string;
  attempts: number;
}

/** Takes the submission that waits for the longest time, of the organizations in turn. Nobody takes it after the last try. */
export const claimFiling = (db: Database): Promise<FilingClaim | undefined> =>
  claimRoundRobin(db, 'fileForm', async (condition) => {
    const [claim] = await db.query<FilingClaim>(sql`UPDATE form_submissions
      SET filing_attempts = filing_attempts + 1,
        filing_next_at = CASE WHEN filing_attempts + 1 < ${MOST_ATTEMPTS} THEN ${nowPlus(LEASE)} END
      WHERE id = (SELECT s.id FROM form_submissions s
        WHERE s.document_id IS NULL AND s.filing_next_at <= now() AND s.organization_id ${condition}
        ORDER BY s.organization_id, s.filing_next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING organization_id, id AS submission_id, filing_attempts AS attempts`);
    return claim;
  });

/** Ends the tries for a submission: its document is made, or there is nothing to make it of. */
export const endFiling = (db: Database, { submissionId }: FilingClaim): Promise<unknown> =>
  db.query(sql`UPDATE form_submissions SET filing_next_at = NULL WHERE id = ${submissionId}`);

/** Has a submission that failed tried again later, unless it was tried often enough. */
export const postponeFiling = (db: Database, { submissionId, attempts }: FilingClaim): Promise<unknown> =>
  db.query(sql`UPDATE form_submissions
    SET filing_next_at = ${attempts < MOST_ATTEMPTS ? nowPlus(PAUSE * 2 ** (attempts - 1)) : null}
    WHERE id = ${submissionId} AND filing_attempts = ${attempts}`);
