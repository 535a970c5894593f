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

/** Of tasks without a due time: after every due time allowed in input. */
const NEVER = sql`timestamptz '9999-12-31 23:59:59.999+00'`;

/** Indexes have this expression. */
export const dueKey = sql`coalesce(${row}.due_at, ${NEVER})`;

/** In ranges of indexes that are ordered by the name, and by the due time; undefined without such members. */
const inNames = ({ namePrefix }: TaskFilter): Sql | undefined =>
  namePrefix ? startsWith(sql`${row}.name_key`, normalizedKey(namePrefix)) : undefined;

const inDueTimes = ({ dueAfter, dueBefore, overdue }: TaskFilter): Sql | undefined =>
  dueAfter || dueBefore || overdue
    ? sql.all([
        sql`${dueKey} < ${NEVER}`,
        dueAfter && sql`${dueKey} >= ${dueAfter}`,
        dueBefore && sql`${dueKey} < ${dueBefore}`,
        overdue && sql`${row}.state = 'OPEN' AND ${dueKey} <= now()`,
      ])
    : undefined;

/** The part of `matches` that the index of this order answers. */
export const indexedConditions = (filter: TaskFilter, order: string): Sql =>
  sql.all([order === 'NAME' && inNames(filter), order === 'DUE_AT' && inDueTimes(filter)]);

const assignedTo = (email: string): Sql => sql`${row}.assignee_email = ${foldEmail(email)}`;

/** The conditions of the members that are present, on tasks. */
export function matches(filter: TaskFilter): Sql {
  const { assigneeEmail, overdue, tag, stakeholderId } = filter;
  return sql.all([
    inStates(filter),
    assigneeEmail != null && assignedTo(assigneeEmail),
    filter.unassigned && sql`${row}.assignee_email IS NULL`,
    overdue === false && sql`NOT ${isOverdue(row)}`,
    inDueTimes(filter),
    filter.createdById && sql`${row}.created_by_id = ${filter.createdById}`,
    inNames(filter),
    tag &&
      sql`EXISTS (SELECT FROM task_tags x JOIN ${tables.tags.from} ON c.organization_id = x.organization_id AND c.id = x.tag_id
        WHERE x.organization_id = ${row}.organization_id AND x.task_id = ${row}.id AND c.text_key = ${normalizedKey(tag)})`,
    stakeholderId &&
      sql`EXISTS (SELECT FROM task_stakeholders s
        WHERE s.organization_id = ${row}.organization_id AND s.task_id = ${row}.id AND s.user_id = ${stakeholderId})`,
  ]);
}

/** In the project `k`, the ids of all tasks that match the most selective member of the filter; undefined if it has none. */
export function candidateIds(filter: TaskFilter): Sql | undefined {
  const { assigneeEmail, createdById, tag, stakeholderId } = filter;
  const ids = sql`SELECT t.id FROM ${tables.tasks.from} WHERE t.organization_id = k.organization_id`;
  if (tag)
    return sql`SELECT x.task_id AS id FROM ${tables.tags.from}
      JOIN task_tags x ON x.organization_id = c.organization_id AND x.tag_id = c.id
      WHERE c.organization_id = k.organization_id AND c.project_id = k.id AND c.text_key = ${normalizedKey(tag)}`;
  if (stakeholderId)
    return sql`SELECT s.task_id AS id FROM task_stakeholders s
      WHERE s.organization_id = k.organization_id AND s.user_id = ${stakeholderId}`;
  if (assigneeEmail != null) return sql`${ids} AND ${assignedTo(assigneeEmail)}`;
  const range = createdById ? sql`t.created_by_id = ${createdById}` : (inNames(filter) ?? inDueTimes(filter));
  return range && sql`${ids} AND t.project_id = k.id AND ${range}`;
}
