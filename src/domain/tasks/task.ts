import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Task as TaskRow } from '../../generated/prisma/client.ts';
import { visibleDocuments, visibleTasks, visibleTasksOf } from '../access/access.ts';
import { involvedTaskIds } from '../access/access-involved.ts';
import { projectListing, rowsById } from '../access/project-listing.ts';
import type { Document } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf } from '../kernel/viewer.ts';
import {
  candidateIds,
  dueKey,
  indexedConditions,
  inStates,
  isOverdue,
  matches,
  type TaskFilter,
} from './task-filter.ts';

/** completedAt and completedById are set for denied tasks too. isOverdue: as the database's clock said when it was read. */
export type Task = TaskRow & { isOverdue: boolean };

type TaskOrder = 'NAME' | 'CREATED_AT' | 'DUE_AT' | 'PRIORITY';

/** Sort value of tasks without a due time: after every due time allowed in input. */
const NO_DUE_TIME = new Date('9999-12-31T23:59:59.999Z');

const sorts: Record<TaskOrder, Sort<Task>> = {
  NAME: sortBy(sql`t.id`, sql`t.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`t.id`, sql`t.created_at`, 'timestamptz', (row) => row.createdAt),
  DUE_AT: sortByExpression(sql`t.id`, dueKey, 'timestamptz', (row) => row.dueAt ?? NO_DUE_TIME),
  PRIORITY: sortBy(sql`t.id`, sql`t.priority`, 'int', (row) => row.priority),
};

/** The columns of a Task. */
export const taskColumns = (tasks: Rows<'tasks'>): Sql => sql`${tasks}.*, ${isOverdue(tasks)} AS is_overdue`;

type TaskListing = Listing<Task, TaskFilter, TaskOrder>;

const listing = (name: string, parent: (ctx: Context) => Sql): TaskListing => ({
  name,
  select: () => taskColumns(tables.tasks),
  from: tables.tasks.from,
  where: (ctx, filter) =>
    sql`${parent(ctx)} AND ${matches(filter)} AND ${visibleTasks(ctx.viewer, tables.tasks)}`,
  sorts,
});

/** The same for tasks that indexes have in each order: with a filter that matches few of them, these are found by the filter. */
const orderedListing = (
  name: string,
  organizationId: Sql,
  among: (ctx: Context) => Sql,
  parts?: TaskListing['parts'],
): TaskListing => {
  const parent = (ctx: Context) => sql`t.organization_id = ${organizationId} AND ${among(ctx)}`;
  const list: TaskListing = { ...listing(name, parent), parts };
  return {
    ...list,
    sparse: (ctx, filter) =>
      Object.values(filter).every((each) => each == null)
        ? undefined
        : {
            firstAttempt: {
              row: tables.tasks,
              indexCondition: (order) => sql`${parent(ctx)} AND ${indexedConditions(filter, order)}`,
              rowCondition: sql`${matches(filter)} AND ${visibleTasks(ctx.viewer, tables.tasks)}`,
            },
            fallback: () => ({
              ...list,
              from: rowsById(
                tables.tasks,
                sql`SELECT t.id FROM ${tables.tasks.from} WHERE t.organization_id = ${organizationId}
                  AND ${filter.createdById ? sql`t.created_by_id = ${filter.createdById}` : sql`${among(ctx)} AND ${matches(filter)}`}`,
              ),
            }),
          },
  };
};

/** The tasks of a project. */
export const tasksOfProject: TaskListing = projectListing(
  { name: 'tasksOfProject', parentTable: sql`projects`, sorts, select: () => taskColumns(tables.tasks) },
  {
    rows: tables.tasks,
    projectId: sql`k.id`,
    matches,
    indexCondition: (filter, order) => sql`${inStates(filter)} AND ${indexedConditions(filter, order)}`,
    candidateIds,
    parentCondition: sql`t.organization_id = k.organization_id AND t.project_id = k.id`,
    visible: (viewer, rows) => visibleTasksOf(viewer, rows, sql`k.organization_id`, sql`k.id`),
    involvedIds: (viewer) => involvedTaskIds(viewer, sql`k.organization_id`),
  },
);

/** The tasks directly below a task. */
export const subtasks = orderedListing('subtasks', sql`k.organization_id`, () => sql`t.parent_id = k.id`);

/** The tasks a document is linked to. */
export const tasksOfDocument = listing(
  'tasksOfDocument',
  () => sql`t.organization_id = k.organization_id AND t.id IN (
    SELECT l.task_id FROM task_documents l WHERE l.organization_id = k.organization_id AND l.document_id = k.id)`,
);

/** The tasks assigned to the viewer, in all projects; read per organization, as the indexes are ordered. */
export const tasksOfViewer = orderedListing(
  'tasksOfViewer',
  sql`o.id`,
  ({ viewer }) => sql`t.assignee_email = ${viewer.email}`,
  {
    from: ({ viewer }) => sql`unnest(${sql.texts(organizationsOf(viewer))}) AS o(id)`,
    row: tables.tasks,
  },
);

/** Finds visible tasks by id. */
export const findTasks = finder<Task>(
  ({ viewer }, are) =>
    sql`SELECT ${taskColumns(tables.tasks)} FROM ${tables.tasks.from} WHERE t.id ${are} AND ${visibleTasks(viewer, tables.tasks)}`,
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
