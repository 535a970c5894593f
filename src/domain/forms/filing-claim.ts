import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { inLiveProject } from '../access/access.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { tables } from '../kernel/tables.ts';

/** Milliseconds of an attempt, after which another one may begin. */
const LEASE = 2 * MINUTE;

/** An attempt to file a submission, that is to create its document. */
export interface FilingClaim {
  organizationId: string;
  submissionId: string;
  attempts: number;
}

/**
 * Claims the submission that has been due longest, taking turns between organizations; undefined if none is due. Those of
 * a deleted project wait until it is restored.
 */
export const claimFiling = (db: Database): Promise<FilingClaim | undefined> =>
  claimRoundRobin(db, 'fileForm', async (condition) => {
    const [claim] = await db.query<FilingClaim>(sql`UPDATE form_submissions
      SET filing_attempts = filing_attempts + 1, filing_next_at = ${nowPlus(LEASE)}
      WHERE id = (SELECT s.id FROM ${tables.formSubmissions.from}
        WHERE s.document_id IS NULL AND s.filing_next_at <= now() AND s.organization_id ${condition}
        AND ${inLiveProject(tables.formSubmissions)}
        ORDER BY s.organization_id, s.filing_next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
      RETURNING organization_id, id AS submission_id, filing_attempts AS attempts`);
    return claim;
  });

/** Releases an attempt for which there was no capacity: it is not counted, and retried after so many seconds. */
export const releaseFiling = (
  db: Database,
  { submissionId, attempts }: FilingClaim,
  retryAfter: number,
): Promise<unknown> =>
  db.query(sql`UPDATE form_submissions
    SET filing_attempts = filing_attempts - 1, filing_next_at = ${nowPlus(retryAfter * SECOND)}
    WHERE id = ${submissionId} AND filing_attempts = ${attempts} AND document_id IS NULL`);
