import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Task } from '../../generated/prisma/client.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import { claimRoundRobin } from '../kernel/round-robin.ts';

/** The server reminds. */
const SERVER_ACTOR: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'reminder' };

type Reminded = Pick<Task, 'organizationId' | 'id' | 'projectId' | 'assigneeId' | 'dueAt'>;

/**
 * Reminds of the open task whose reminder has been due longest, round-robin over the organizations: by an event, of which its
 * assignee is told. False if none is due. Of several reminders that became due while no server ran, one is left.
 */
export async function remindNext(db: Database): Promise<boolean> {
  const reminded = await claimRoundRobin(db, 'remind', (condition) =>
    inTransaction(db, async (tx) => {
      const [task] = await tx.query<Reminded>(sql`WITH due AS MATERIALIZED (
          SELECT t.organization_id, t.id FROM tasks t WHERE t.next_reminder_at <= now() AND t.organization_id ${condition}
          ORDER BY t.organization_id, t.next_reminder_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        UPDATE tasks t SET next_reminder_at = (
          SELECT min(x.at) FROM (VALUES (t.remind7_at), (t.remind3_at), (t.remind1_at)) x(at) WHERE x.at > now())
        FROM due WHERE t.organization_id = due.organization_id AND t.id = due.id
        RETURNING t.organization_id, t.id, t.project_id, t.assignee_id, t.due_at`);
      if (task?.assigneeId) await recordReminder(tx, task);
      return task;
    }),
  );
  return reminded !== undefined;
}

const recordReminder = (
  tx: Transaction,
  { organizationId, projectId, id: subjectId, assigneeId, dueAt }: Reminded,
) =>
  recordEvents(SERVER_ACTOR, tx, [
    {
      ...{ organizationId, projectId, subjectId, kind: 'task.reminded' },
      data: { assigneeId, dueAt: dueAt?.toISOString() ?? null },
    },
  ]);
