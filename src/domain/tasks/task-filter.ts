import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { TaskState } from '../../generated/prisma/client.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { normalizedKey } from '../kernel/input.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export interface TaskFilter {
  /** In one of these states; none for an empty list. */
  states?: readonly TaskState[] | null;
  assigneeEmail?: string | null;
  unassigned?: boolean | null;
  /** true: open and past its due time; false: all others. */
  overdue?: boolean | null;
  dueAfter?: Date | null;
  dueBefore?: Date | null;
  createdById?: string | null;
  namePrefix?: string | null;
  /** With this tag, ignoring case. */
  tag?: string | null;
  stakeholderId?: string | null;
}

/** Literals instead of parameters, so that the index that begins with the state is used. */
const STATES: Record<TaskState, Sql> = {
  OPEN: sql`'OPEN'`,
  COMPLETED: sql`'COMPLETED'`,
  DENIED: sql`'DENIED'`,
};

const inText = (states: readonly TaskState[]) => sql.join(states.map((state) => STATES[state]));

/** On tasks: whether the task is open and its due time has passed. */
export const isOverdue = (tasks: Rows<'tasks'>): Sql =>
  sql`(${tasks}.state = 'OPEN' AND ${tasks}.due_at IS NOT NULL AND ${tasks}.due_at <= now())`;

const row = tables.tasks;

export const inStates = ({ states }: TaskFilter): Sql =>
  states?.length === 0 ? sql`false` : states ? sql`${row}.state IN (${inText(states)})` : sql`true`;

const assignedTo = (email: string): Sql => sql`${row}.assignee_email = ${foldEmail(email)}`;

/** The conditions of the members that are present, on tasks. */
export function matches(filter: TaskFilter): Sql {
  const { assigneeEmail, overdue, namePrefix, tag, stakeholderId } = filter;
  return sql.all([
    inStates(filter),
    assigneeEmail != null && assignedTo(assigneeEmail),
    filter.unassigned && sql`${row}.assignee_email IS NULL`,
    overdue != null && (overdue ? isOverdue(row) : sql`NOT ${isOverdue(row)}`),
    filter.dueAfter && sql`${row}.due_at >= ${filter.dueAfter}`,
    filter.dueBefore && sql`${row}.due_at < ${filter.dueBefore}`,
    filter.createdById && sql`${row}.created_by_id = ${filter.createdById}`,
    namePrefix && startsWith(sql`${row}.name_key`, normalizedKey(namePrefix)),
    tag &&
      sql`EXISTS (SELECT FROM task_tags x JOIN ${tables.tags.from} ON c.organization_id = x.organization_id AND c.id = x.tag_id
        WHERE x.organization_id = ${row}.organization_id AND x.task_id = ${row}.id AND c.text_key = ${normalizedKey(tag)})`,
    stakeholderId &&
      sql`EXISTS (SELECT FROM task_stakeholders s
        WHERE s.organization_id = ${row}.organization_id AND s.task_id = ${row}.id AND s.user_id = ${stakeholderId})`,
  ]);
}

/** In the project `k`, the ids of all tasks that match the most selective member of the filter; undefined if it has none. */
export function candidateIds({
  assigneeEmail,
  createdById,
  tag,
  stakeholderId,
}: TaskFilter): Sql | undefined {
  const ids = sql`SELECT t.id FROM ${tables.tasks.from} WHERE t.organization_id = k.organization_id`;
  if (tag)
    return sql`SELECT x.task_id AS id FROM ${tables.tags.from}
      JOIN task_tags x ON x.organization_id = c.organization_id AND x.tag_id = c.id
      WHERE c.organization_id = k.organization_id AND c.project_id = k.id AND c.text_key = ${normalizedKey(tag)}`;
  if (stakeholderId)
    return sql`SELECT s.task_id AS id FROM task_stakeholders s
      WHERE s.organization_id = k.organization_id AND s.user_id = ${stakeholderId}`;
  if (assigneeEmail != null) return sql`${ids} AND ${assignedTo(assigneeEmail)}`;
  return createdById ? sql`${ids} AND t.created_by_id = ${createdById} AND t.project_id = k.id` : undefined;
}
