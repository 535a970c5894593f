import { tasksOfDocument, tasksOfProject, tasksOfViewer } from '../../../domain/tasks/task.ts';
import {
  findTaskStatistics,
  type TaskStatistics as TaskStatisticsRow,
} from '../../../domain/tasks/task-statistics.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, defaultOrder, PREFETCH } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { newestFirst, TASK_FILTER, TASK_ORDER, TaskOrder } from './list-arguments.ts';
import { Task } from './type.ts';

const dueFirst = defaultOrder({ field: 'DUE_AT', direction: 'ASC' });

builder.objectField(Project, 'tasks', (t) =>
  t.connection(
    {
      type: Task,
      description: 'The tasks of the project.',
      args: { filter: t.arg(TASK_FILTER), orderBy: t.arg(TASK_ORDER) },
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
    args: { filter: t.arg(TASK_FILTER) },
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
      args: { filter: t.arg(TASK_FILTER), orderBy: t.arg(TASK_ORDER) },
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
        filter: t.arg(TASK_FILTER),
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
