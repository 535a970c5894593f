import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inEnabledProject } from '../access/access.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents, serverActor } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import type { Task } from './task.ts';
import { isOverdue } from './task-filter.ts';

type Reminded = Pick<Task, 'organizationId' | 'id' | 'projectId' | 'assigneeId' | 'dueAt' | 'isOverdue'> & {
  isInEnabledProject: boolean;
};

/**
 * Reminds of the open task whose reminder, or due time, passed first, round-robin over the organizations: by an event, of which
 * its assignee is notified, and its creator once it is overdue. False if there is none. Of several times that passed while no server
 * ran, the last one counts. None is sent while the project is disabled or deleted.
 */
export const remindNext = (db: Database): Promise<boolean> => doDueWork(db, reminding);

const reminding: DueWork<DueRow> = {
  work: 'remind',
  async claim(tx, idCondition) {
    const [task] = await tx.query<DueRow>(sql`SELECT t.organization_id, t.id FROM ${tables.tasks.from}
      WHERE t.next_reminder_at <= now() AND t.organization_id ${idCondition} AND ${mayBeTried('remind', tables.tasks)}
      ORDER BY t.organization_id, t.next_reminder_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return task;
  },
  run: remind,
};

async function remind(tx: Transaction, { organizationId, id }: DueRow): Promise<void> {
  const [task] = await tx.query<Reminded>(sql`UPDATE ${tables.tasks.from} SET next_reminder_at = (
      SELECT min(x.at) FROM (VALUES (t.remind7_at), (t.remind3_at), (t.remind1_at), (t.due_at)) x(at) WHERE x.at > now())
    WHERE t.organization_id = ${organizationId} AND t.id = ${id}
    RETURNING t.organization_id, t.id, t.project_id, t.assignee_id, t.due_at, ${isOverdue(tables.tasks)} AS is_overdue,
      ${inEnabledProject(tables.tasks)} AS is_in_enabled_project`);
  if (task?.isInEnabledProject && (task.isOverdue || task.assigneeId)) await recordReminder(tx, task);
}

const recordReminder = (
  tx: Transaction,
  { organizationId, projectId, id: subjectId, assigneeId, dueAt, isOverdue }: Reminded,
) =>
  recordEvents(serverActor('reminder'), tx, [
    {
      ...{ organizationId, projectId, subjectId, kind: isOverdue ? 'task.overdue' : 'task.reminded' },
      data: { assigneeId, dueAt: dueAt?.toISOString() ?? null },
    },
  ]);
