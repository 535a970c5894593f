import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Task as TaskRow, TaskState } from '../../generated/prisma/client.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { visibleDocuments, visibleTasks, visibleTasksOf } from '../access/access.ts';
import { involvedTaskIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Document } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf } from '../kernel/viewer.ts';

/** completedAt and completedById are set for denied tasks too. isOverdue: as the database's clock said when it was read. */
export type Task = TaskRow & { isOverdue: boolean };

interface TaskFilter {
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
}

type TaskOrder = 'NAME' | 'CREATED_AT' | 'DUE_AT';

/** Sort value of tasks without a due time: after every due time allowed in input. */
const NO_DUE_TIME = new Date('9999-12-31T23:59:59.999Z');

const sorts: Record<TaskOrder, Sort<Task>> = {
  NAME: sortBy(sql`t.id`, sql`t.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`t.id`, sql`t.created_at`, 'timestamptz', (row) => row.createdAt),
  DUE_AT: sortByExpression(
    sql`t.id`,
    sql`coalesce(t.due_at, timestamptz '9999-12-31 23:59:59.999+00')`,
    'timestamptz',
    (row) => row.dueAt ?? NO_DUE_TIME,
  ),
};

/** Literals instead of parameters, so that the index that begins with the state is used. */
const STATES: Record<TaskState, Sql> = {
  OPEN: sql`'OPEN'`,
  COMPLETED: sql`'COMPLETED'`,
  DENIED: sql`'DENIED'`,
};

/** On tasks as `t`: whether the task is open and its due time has passed. */
export const OVERDUE = sql`(t.state = 'OPEN' AND t.due_at IS NOT NULL AND t.due_at <= now())`;

/** The columns of a Task, of tasks as `t`. */
export const TASK_COLUMNS = sql`t.*, ${OVERDUE} AS is_overdue`;

const inStates = ({ states }: TaskFilter): Sql =>
  states?.length === 0 ? sql`false` : states ? sql`t.state IN (${inText(states)})` : sql`true`;

const assignedTo = (email: string): Sql => sql`t.assignee_email = ${foldEmail(email)}`;

/** The conditions of the members that are present. */
function matches(filter: TaskFilter): Sql {
  const { assigneeEmail, overdue, namePrefix } = filter;
  return sql.all([
    inStates(filter),
    assigneeEmail != null && assignedTo(assigneeEmail),
    filter.unassigned && sql`t.assignee_email IS NULL`,
    overdue != null && (overdue ? OVERDUE : sql`NOT ${OVERDUE}`),
    filter.dueAfter && sql`t.due_at >= ${filter.dueAfter}`,
    filter.dueBefore && sql`t.due_at < ${filter.dueBefore}`,
    filter.createdById && sql`t.created_by_id = ${filter.createdById}`,
    namePrefix && startsWith(sql`t.name_key`, normalizedKey(namePrefix)),
  ]);
}

const inText = (states: readonly TaskState[]) => sql.join(states.map((state) => STATES[state]));

type TaskListing = Listing<Task, TaskFilter, TaskOrder>;

const listing = (name: string, parent: (ctx: Context) => Sql): TaskListing => ({
  name,
  select: () => TASK_COLUMNS,
  from: tables.tasks.from,
  where: (ctx, filter) =>
    sql`${parent(ctx)} AND ${matches(filter)} AND ${visibleTasks(ctx.viewer, tables.tasks)}`,
  sorts,
});

/** Ids of the tasks of an assignee or creator in the filter; undefined without one. */
function idsNamedBy({ assigneeEmail, createdById }: TaskFilter): Sql | undefined {
  const ids = sql`SELECT t.id FROM ${tables.tasks.from} WHERE t.organization_id = k.organization_id`;
  if (assigneeEmail != null) return sql`${ids} AND ${assignedTo(assigneeEmail)}`;
  return createdById ? sql`${ids} AND t.created_by_id = ${createdById} AND t.project_id = k.id` : undefined;
}

/** The tasks of a project. */
export const tasksOfProject: TaskListing = projectListing(
  { name: 'tasksOfProject', parentTable: sql`projects`, sorts, select: () => TASK_COLUMNS },
  {
    rows: tables.tasks,
    projectId: sql`k.id`,
    matches,
    indexCondition: inStates,
    candidateIds: idsNamedBy,
    parentCondition: sql`t.organization_id = k.organization_id AND t.project_id = k.id`,
    visible: (viewer, rows) => visibleTasksOf(viewer, rows, sql`k.organization_id`, sql`k.id`),
    involvedIds: (viewer) => involvedTaskIds(viewer, sql`k.organization_id`),
  },
);

/** The tasks directly below a task. */
export const subtasks = listing(
  'subtasks',
  () => sql`t.organization_id = k.organization_id AND t.parent_id = k.id`,
);

/** The tasks a document is linked to. */
export const tasksOfDocument = listing(
  'tasksOfDocument',
  () => sql`t.organization_id = k.organization_id AND t.id IN (
    SELECT l.task_id FROM task_documents l WHERE l.organization_id = k.organization_id AND l.document_id = k.id)`,
);

/** The tasks assigned to the viewer, in all projects; read per organization, as the indexes are ordered. */
export const tasksOfViewer: TaskListing = {
  ...listing(
    'tasksOfViewer',
    ({ viewer }) => sql`t.organization_id = o.id AND t.assignee_email = ${viewer.email}`,
  ),
  parts: {
    from: ({ viewer }) => sql`unnest(${sql.texts(organizationsOf(viewer))}) AS o(id)`,
    row: tables.tasks,
  },
};

/** Finds visible tasks by id. */
export const findTasks = finder<Task>(
  ({ viewer }, are) =>
    sql`SELECT ${TASK_COLUMNS} FROM ${tables.tasks.from} WHERE t.id ${are} AND ${visibleTasks(viewer, tables.tasks)}`,
);

const LINKED = sql`task_documents l JOIN ${tables.documents.from}
  ON d.organization_id = l.organization_id AND d.id = l.document_id AND d.state = 'ACTIVE'`;

/** The active documents linked to a task, in the order of linking. */
export const documentsOfTask: Listing<Document & { position: number }, object, 'LINKED'> = {
  name: 'documentsOfTask',
  select: () => sql`d.*, l.position`,
  from: LINKED,
  where: ({ viewer }) =>
    sql`l.organization_id = k.organization_id AND l.task_id = k.id AND ${visibleDocuments(viewer, tables.documents)}`,
  sorts: {
    LINKED: { ...sortBy(sql`d.id`, sql`l.position`, 'int', (row) => row.position), unique: true },
  },
};

/** Returns the first linked document of each of these tasks that the viewer may see. */
export const findPrimaryDocuments = ({ db, viewer }: Context, taskIds: readonly string[]) =>
  db.query<Document & { taskId: string }>(sql`SELECT DISTINCT ON (l.task_id) d.*, l.task_id FROM ${LINKED}
    WHERE l.task_id = ANY(${taskIds}) AND l.organization_id IN (SELECT t.organization_id FROM ${tables.tasks.from} WHERE t.id ${sql.any(taskIds)})
    AND ${visibleDocuments(viewer, tables.documents)} ORDER BY l.task_id, l.position`);
