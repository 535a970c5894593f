import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';

const MOST = 500;

/**
 * Asks again for what waits for its seal although its time has come, whatever became of the job for it. Gives their
 * number; what was asked for already is sealed once all the same.
 */
export function askForOverdue(db: Database): Promise<number> {
  return inTransaction(db, async (tx) => {
    const overdue = await tx.query<{ id: string }>(sql`SELECT g.id FROM signature_sessions g
      WHERE g.sealing = 'PENDING' AND g.sealing_next_at <= ${new Date()}::timestamptz
      ORDER BY g.sealing_next_at LIMIT ${MOST}`);
    for (const { id } of overdue) await tx.enqueue({ queue: 'seal', data: { sessionId: id } });
    return overdue.length;
  });
}
