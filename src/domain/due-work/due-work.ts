import type { Database, Transaction } from '../../db/database.ts';
import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import type { Sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type DueRow, type FailableWork, removeFailures, storeFailure, WorkFailed } from './failed-work.ts';
import { claimRoundRobin } from './round-robin.ts';

/** Work that is done row by row, each in a transaction of its own. */
export interface DueWork<Row extends DueRow> {
  work: FailableWork;
  /** Locks the row due first in the organization with the lowest id of those that meet the condition; only rows that `mayBeTried`. */
  claim(tx: Transaction, idCondition: Sql): Promise<Row | undefined>;
  run(tx: Transaction, row: Row): Promise<unknown>;
}

/**
 * Does the work on the row that is due first, round-robin over the organizations; false if none is due. If it fails, all of it is
 * undone, the row waits for its next attempt while others go on, and WorkFailed is thrown.
 */
export async function doDueWork<Row extends DueRow>(
  db: Database,
  { work, claim, run }: DueWork<Row>,
): Promise<boolean> {
  let claimed: Row | undefined;
  const attempt = (idCondition: Sql, served: (organizationId: string) => void) =>
    inTransaction(db, async (tx) => {
      claimed = await claim(tx, idCondition);
      if (!claimed) return undefined;
      served(claimed.organizationId);
      await run(tx, claimed);
      await removeFailures(tx, work, claimed.organizationId, [claimed.id]);
      return claimed;
    });
  try {
    return (await claimRoundRobin(db, work, attempt)) !== undefined;
  } catch (error) {
    const row = claimed;
    if (!row || isDatabaseUnreachable(error)) throw error;
    throw await inTransaction(db, (tx) => storeFailure(tx, work, row, error));
  }
}

/** Does the work on all rows that are due. Returns how many; throws an AggregateError in the end if some have failed. */
export async function doAllDueWork<Row extends DueRow>(db: Database, due: DueWork<Row>): Promise<number> {
  const failures: WorkFailed[] = [];
  const tryNext = () =>
    doDueWork(db, due).catch((error) => {
      if (!(error instanceof WorkFailed)) throw error;
      failures.push(error);
      return 'failed' as const;
    });
  let count = 0;
  for (let done = await tryNext(); done; done = await tryNext()) if (done === true) count++;
  if (failures.length > 0)
    throw new AggregateError(failures, `${due.work} failed for ${failures.length} rows`);
  return count;
}
