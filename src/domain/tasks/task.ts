import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Task as TaskRow, TaskState } from '../../generated/prisma/client.ts';
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
import { organizationsOf } from '../kernel/viewer.ts';

/** completedAt and completedById also say when, and by whom, it was denied. */
export type Task = TaskRow;

export interface TaskFilter {
  /** In one of these states. */
  states?: readonly TaskState[] | null;
  assigneeEmail?: string | null;
  unassigned?: boolean | null;
  /** Open although its due time has passed; with false, all others. */
  overdue?: boolean | null;
  dueAfter?: Date | null;
  dueBefore?: Date | null;
  createdById?: string | null;
  namePrefix?: string | null;
}

export type TaskOrder = 'NAME' | 'CREATED_AT' | 'DUE_AT';

/** Where a task without a due time stands among the others: behind every due time that input can hold. */
const NEVER = new Date('9999-12-31T23:59:59.999Z');

const sorts: Record<TaskOrder, Sort<Task>> = {
  NAME: sortBy(sql`t.id`, sql`t.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`t.id`, sql`t.created_at`, 'timestamptz', (row) => row.createdAt),
  DUE_AT: sortByExpression(
    sql`t.id`,
    sql`coalesce(t.due_at, timestamptz '9999-12-31 23:59:59.999+00')`,
    'timestamptz',
    (row) => row.dueAt ?? NEVER,
  ),
};

/** The states stand in the text, so that the index which begins with them serves. */
const STATES: Record<TaskState, Sql> = {
  OPEN: sql`'OPEN'`,
  COMPLETED: sql`'COMPLETED'`,
  DENIED: sql`'DENIED'`,
};

const OVERDUE = sql`(t.state = 'OPEN' AND t.due_at IS NOT NULL AND t.due_at < now())`;

export const isOverdue = ({ state, dueAt }: Task): boolean =>
  state === 'OPEN' && dueAt !== null && dueAt < new Date();

const inStates = ({ states }: TaskFilter): Sql =>
  states?.length === 0 ? sql`false` : states ? sql`t.state IN (${inText(states)})` : sql`true`;

const assignedTo = (email: string): Sql => sql`t.assignee_email = ${email.trim().toLowerCase()}`;

/** A condition for each member that is given. */
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
  select: () => sql`t.*`,
  from: sql`tasks t`,
  where: (ctx, filter) => sql`${parent(ctx)} AND ${matches(filter)} AND ${visibleTasks(ctx.viewer)}`,
  sorts,
});

/** The ids of tasks that a member of the filter names; undefined where none does. */
function namedBy({ assigneeEmail, createdById }: TaskFilter): Sql | undefined {
  const found = sql`SELECT t.id FROM tasks t WHERE t.organization_id = k.organization_id`;
  if (assigneeEmail != null) return sql`${found} AND ${assignedTo(assigneeEmail)}`;
  return createdById ? sql`${found} AND t.created_by_id = ${createdById} AND t.project_id = k.id` : undefined;
}

const row = sql`t`;

/** The tasks of a project. */
export const tasksOfProject: TaskListing = projectListing(
  { name: 'tasksOfProject', parentTable: sql`projects`, sorts, select: () => sql`t.*` },
  {
    ...{
      table: sql`tasks`,
      row,
      projectId: sql`k.id`,
      matches,
      indexCondition: inStates,
      candidateIds: namedBy,
    },
    parentCondition: sql`t.organization_id = k.organization_id AND t.project_id = k.id`,
    visible: (viewer) => visibleTasksOf(viewer, sql`k.organization_id`, sql`k.id`),
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

/** What is assigned to the viewer, in every project: an index has those of each organization in each order. */
export const tasksOfViewer: TaskListing = {
  ...listing(
    'tasksOfViewer',
    ({ viewer }) => sql`t.organization_id = o.id AND t.assignee_email = ${viewer.email}`,
  ),
  parts: {
    from: ({ viewer }) => sql`unnest(${organizationsOf(viewer)}::text[]) AS o(id)`,
    row,
  },
};

export const findTasks = finder<Task>(
  ({ viewer }, are) => sql`SELECT t.* FROM tasks t WHERE t.id ${are} AND ${visibleTasks(viewer)}`,
);

const LINKED = sql`task_documents l JOIN documents d
  ON d.organization_id = l.organization_id AND d.id = l.document_id AND d.state = 'ACTIVE'`;

/** The documents linked to a task, in the order they were; what is in the recycle bin is left out until it returns. */
export const documentsOfTask: Listing<Document & { position: number }, object, 'LINKED'> = {
  name: 'documentsOfTask',
  select: () => sql`d.*, l.position`,
  from: LINKED,
  where: ({ viewer }) =>
    sql`l.organization_id = k.organization_id AND l.task_id = k.id AND ${visibleDocuments(viewer)}`,
  sorts: {
    LINKED: { ...sortBy(sql`d.id`, sql`l.position`, 'int', (row) => row.position), unique: true },
  },
};

/** The first linked document that the viewer sees, of each of these tasks. */
export const findPrimaryDocuments = ({ db, viewer }: Context, taskIds: readonly string[]) =>
  db.query<Document & { taskId: string }>(sql`SELECT DISTINCT ON (l.task_id) d.*, l.task_id FROM ${LINKED}
    WHERE l.task_id = ANY(${taskIds}) AND l.organization_id IN (SELECT t.organization_id FROM tasks t WHERE t.id = ANY(${taskIds}))
    AND ${visibleDocuments(viewer)} ORDER BY l.task_id, l.position`);
