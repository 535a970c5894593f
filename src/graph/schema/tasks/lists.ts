import {
  findTasks,
  subtasks,
  tasksOfDocument,
  tasksOfProject,
  tasksOfViewer,
} from '../../../domain/tasks/task.ts';
import {
  findTaskStatistics,
  type TaskStatistics as TaskStatisticsRow,
} from '../../../domain/tasks/task-statistics.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, defaultOrder, orderInput, PREFETCH } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { Task, TaskState } from './type.ts';

const TaskFilter = builder.inputType('TaskFilter', {
  description: 'Conditions for the tasks of a list; all have to be met.',
  fields: (t) => ({
    states: t.field({ type: [TaskState], description: 'In one of these states.' }),
    assigneeEmail: t.string({ description: 'Assigned to this e-mail address.' }),
    unassigned: t.boolean({ description: 'With true: assigned to nobody.' }),
    overdue: t.boolean({
      description: 'With true: open, and the due time has passed. With false: all others.',
    }),
    dueAfter: t.field({ type: 'DateTime', description: 'Due at this time or later.' }),
    dueBefore: t.field({ type: 'DateTime', description: 'Due before this time.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    tag: t.string({ description: 'With this tag, ignoring case.' }),
    stakeholderId: t.id({ description: 'With this person as a stakeholder.' }),
  }),
});

const TaskOrder = orderInput('Task', {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
  DUE_AT: { description: 'When it is due; tasks without a due time count as later than all others.' },
  PRIORITY: { description: 'The priority; with DESC, the most urgent tasks come first.' },
});

/** Options of the arguments of lists of tasks. */
const FILTER = { type: TaskFilter, description: 'Which tasks; all if omitted.' };
const ORDER = { type: TaskOrder, description: 'The order; newest first by default.' };

const newestFirst = defaultOrder({ field: 'CREATED_AT', direction: 'DESC' });
const dueFirst = defaultOrder({ field: 'DUE_AT', direction: 'ASC' });

builder.objectField(Project, 'tasks', (t) =>
  t.connection(
    {
      type: Task,
      description: 'The tasks of the project.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      extensions: PREFETCH,
      resolve: (project, args, ctx) => connect(ctx, tasksOfProject, project, args, newestFirst),
    },
    connectionOf(Task),
  ),
);

const TaskStatistics = builder.objectRef<TaskStatisticsRow>('TaskStatistics').implement({
  description: 'Numbers of tasks. Each task is on time, past due or unscheduled. Costs 10 points.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'All tasks that match.' }),
    onTime: t.exposeInt('onTime', {
      description: 'Open and not due yet, or completed or denied by the due time.',
    }),
    pastDue: t.exposeInt('pastDue', {
      description: 'Open with a due time that has passed, or completed or denied after it.',
    }),
    unscheduled: t.exposeInt('unscheduled', { description: 'Without a due time.' }),
    durationMinutes: t.expose('durationMinutes', {
      type: 'BigInt',
      description: 'The sum of the estimated durations in minutes; a day has 8 hours, a week 5 days.',
    }),
  }),
});

const ALL = {};

builder.objectField(Project, 'taskStatistics', (t) =>
  t.field({
    scope: 'tasks:read',
    type: TaskStatistics,
    description: 'Numbers of its tasks that are visible to you.',
    args: { filter: t.arg(FILTER) },
    resolve: (project, { filter }, { load }) =>
      load.of(findTaskStatistics, `${project.id} ${JSON.stringify(filter)}`, {
        project,
        filter: filter ?? ALL,
      }),
  }),
);

builder.objectField(Document, 'tasks', (t) =>
  t.connection(
    {
      type: Task,
      description: 'The tasks that it is linked to.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      resolve: (document, args, ctx) => connect(ctx, tasksOfDocument, document, args, newestFirst),
    },
    connectionOf(Task),
  ),
);

builder.objectField(Viewer, 'tasks', (t) =>
  t.connection(
    {
      type: Task,
      description: 'The tasks that are assigned to you, in all projects.',
      args: {
        filter: t.arg(FILTER),
        orderBy: t.arg({
          type: TaskOrder,
          description: 'The order; earliest due time first by default.',
        }),
      },
      resolve: ({ id }, args, ctx) => connect(ctx, tasksOfViewer, { organizationId: '', id }, args, dueFirst),
    },
    connectionOf(Task),
  ),
);

builder.objectFields(Task, (t) => ({
  parent: t.field({
    type: Task,
    nullable: true,
    description: 'The task that it is a part of; null if there is none, or if it is not visible to you.',
    resolve: ({ parentId }, _, { load }) => (parentId ? load.one(findTasks, parentId) : null),
  }),
  subtasks: t.connection(
    {
      type: Task,
      description: 'The tasks that are parts of it.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      resolve: (task, args, ctx) => connect(ctx, subtasks, task, args, newestFirst),
    },
    connectionOf(Task),
  ),
}));
