import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { shorten } from '../../lib/text/shorten.js';
import { DAY, SECOND } from '../../lib/time.ts';
import { RETRY_PERIOD, retryDelay } from './retry.ts';

/** Background work on due rows whose failures are stored, by row. */
export type FailableWork =
  | 'remind'
  | 'overdueApproval'
  | 'expireSession'
  | 'remindSigner'
  | 'notify'
  | 'announceAnchor'
  | 'purgeProject'
  | 'purgeDocument';

/** A row on which work is due. */
export interface DueRow {
  organizationId: string;
  id: string;
}

/** Work on a row has failed, and nothing of it is stored but this. `cause`: why. */
export class WorkFailed extends Error {}

type DueTable =
  | Rows<'tasks'>
  | Rows<'approvals'>
  | Rows<'documents'>
  | Rows<'signature_recipients'>
  | Rows<'projects'>
  | Rows<'log_anchors'>;

/** The work on these rows does not wait for a next attempt, and was not given up. */
export const mayBeTried = (
  work: FailableWork,
  rows: DueTable,
): Sql => sql`NOT EXISTS (SELECT FROM failed_work f
  WHERE f.organization_id = ${rows}.organization_id AND f.work = ${work} AND f.row_id = ${rows}.id
    AND (f.next_at IS NULL OR f.next_at > now()))`;

/** Characters of an error that are stored. */
const MAX_ERROR = 1_000;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/**
 * Stores a failed attempt, and when the next one is: after growing pauses, for three days since the first; then the work is
 * given up until an administrator has it tried again. Returns the error to throw.
 */
export async function storeFailure(
  tx: Transaction,
  work: FailableWork,
  { organizationId, id }: DueRow,
  cause: unknown,
): Promise<WorkFailed> {
  const error = shorten(messageOf(cause).toWellFormed().replaceAll('\0', ''), MAX_ERROR);
  const [failed] = await tx.query<{ attempts: number }>(sql`INSERT INTO failed_work AS f
      (organization_id, work, row_id, attempts, error, next_at)
    VALUES (${organizationId}, ${work}, ${id}, 1, ${error}, ${nowPlus(retryDelay(1))})
    ON CONFLICT (organization_id, work, row_id)
    DO UPDATE SET attempts = f.attempts + 1, error = excluded.error, failed_at = now() RETURNING attempts`);
  const attempts = failed?.attempts ?? 1;
  const next = nowPlus(retryDelay(attempts));
  const [stored] = await tx.query<{ nextAt: Date | null }>(sql`UPDATE failed_work SET
      next_at = CASE WHEN ${next} <= first_failed_at + make_interval(secs => ${RETRY_PERIOD / SECOND}) THEN ${next} END
    WHERE organization_id = ${organizationId} AND work = ${work} AND row_id = ${id} RETURNING next_at`);
  const then = stored?.nextAt ? `the next attempt is at ${stored.nextAt.toISOString()}` : 'it was given up';
  return new WorkFailed(`${work} of ${id} failed, attempt ${attempts}; ${then}`, { cause });
}

/** Removes the failures of rows on which the work was done. */
export const removeFailures = (
  tx: Transaction,
  work: FailableWork,
  organizationId: string,
  ids: readonly string[],
): Promise<unknown> =>
  tx.query(sql`DELETE FROM failed_work f
    WHERE f.organization_id = ${organizationId} AND f.work = ${work} AND f.row_id ${sql.any([...ids])}`);

export interface StoredFailure {
  organizationId: string;
  work: string;
  rowId: string;
  attempts: number;
  error: string;
  firstFailedAt: Date;
  /** Null once it was given up. */
  nextAt: Date | null;
}

/** Failures of all organizations, those that were given up first; 1,000 at most. */
export const readFailures = (db: Database): Promise<StoredFailure[]> =>
  db.query<StoredFailure>(sql`SELECT f.organization_id, f.work, f.row_id, f.attempts, f.error, f.first_failed_at, f.next_at
    FROM failed_work f ORDER BY f.next_at NULLS FIRST, f.organization_id, f.work, f.row_id LIMIT 1000`);

/** How long failures are listed. Work that was given up before is tried again, if it is still due. */
const RETENTION = 90 * DAY;

/** A row whose next attempt did not come for so long is not due any more, such as the reminder of a task that was completed. */
const ABANDONED = DAY;

/** Deletes old failures, and those of rows that are not due any more. Events are due until they are tried. Returns how many. */
export async function deleteOldFailures(db: Database): Promise<number> {
  const deleted = await db.query(sql`DELETE FROM failed_work WHERE failed_at < ${nowPlus(-RETENTION)}
    OR (next_at < ${nowPlus(-ABANDONED)} AND work <> 'notify') RETURNING row_id`);
  return deleted.length;
}

/** Makes all work due that has failed or was given up; its three days begin again. Returns how much. */
export const retryFailures = (db: Database): Promise<number> =>
  inTransaction(db, async (tx) => {
    const due = await tx.query(
      sql`UPDATE failed_work SET attempts = 0, first_failed_at = now(), next_at = now() RETURNING row_id`,
    );
    tx.wake('remind');
    tx.wake('notify');
    tx.wake('anchor');
    return due.length;
  });
