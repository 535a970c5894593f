import {
  type TaskFilter as Filter,
  findTasks,
  type TaskOrder as Order,
  subtasks,
  tasksOfDocument,
  tasksOfProject,
  tasksOfViewer,
} from '../../../domain/tasks/task.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput, PREFETCH } from '../kernel/connection.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { Task, TaskState } from './type.ts';

const TaskFilter = builder.inputType('TaskFilter', {
  description: 'Which tasks a list holds; all conditions have to be met.',
  fields: (t) => ({
    states: t.field({ type: [TaskState], description: 'In one of these states.' }),
    assigneeEmail: t.string({ description: 'Assigned to this address.' }),
    unassigned: t.boolean({ description: 'With true: assigned to nobody.' }),
    overdue: t.boolean({ description: 'Open although the due time has passed; with false, all others.' }),
    dueAfter: t.field({ type: 'DateTime', description: 'Due at this time or later.' }),
    dueBefore: t.field({ type: 'DateTime', description: 'Due before this time.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    namePrefix: t.string({ description: 'What the name starts with, whatever the case.' }),
  }),
});

const TaskOrder = orderInput('Task', {
  NAME: { description: 'The name, whatever the case.' },
  CREATED_AT: { description: 'When it was created.' },
  DUE_AT: { description: 'When it is due; tasks without a due time count as due after all others.' },
});

const NEWEST: OrderBy = { field: 'CREATED_AT', direction: 'DESC' };
const FIRST_DUE: OrderBy = { field: 'DUE_AT', direction: 'ASC' };

interface OrderBy {
  field: Order;
  direction: 'ASC' | 'DESC';
}

interface TaskArguments {
  filter?: Filter | null;
  orderBy?: OrderBy | null;
}

const listArguments =
  (defaultOrder: OrderBy) =>
  <Page>({ filter, orderBy, ...page }: TaskArguments & Page) => ({
    ...page,
    filter: filter ?? {},
    orderBy: orderBy ?? defaultOrder,
  });

const newestFirst = listArguments(NEWEST);
const dueFirst = listArguments(FIRST_DUE);

builder.objectField(Project, 'tasks', (t) =>
  t.connection({
    type: Task,
    description: 'The tasks of the project.',
    args: {
      filter: t.arg({ type: TaskFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: TaskOrder,
        description: 'In which order; newest first unless you say otherwise.',
      }),
    },
    extensions: PREFETCH,
    resolve: (project, args, ctx) => connect(ctx, tasksOfProject, project, args, newestFirst),
  }),
);

builder.objectField(Document, 'tasks', (t) =>
  t.connection({
    type: Task,
    description: 'The tasks it is linked to.',
    args: {
      filter: t.arg({ type: TaskFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: TaskOrder,
        description: 'In which order; newest first unless you say otherwise.',
      }),
    },
    resolve: (document, args, ctx) => connect(ctx, tasksOfDocument, document, args, newestFirst),
  }),
);

builder.objectField(Viewer, 'tasks', (t) =>
  t.connection({
    type: Task,
    description: 'What is assigned to you, in every project.',
    args: {
      filter: t.arg({ type: TaskFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: TaskOrder,
        description: 'In which order; what is due first unless you say otherwise.',
      }),
    },
    resolve: ({ id }, args, ctx) => connect(ctx, tasksOfViewer, { organizationId: '', id }, args, dueFirst),
  }),
);

builder.objectFields(Task, (t) => ({
  parent: t.field({
    type: Task,
    nullable: true,
    description: 'The task it is a part of; null when there is none, or none that you see.',
    resolve: ({ parentId }, _, { load }) => (parentId ? load.one(findTasks, parentId) : null),
  }),
  subtasks: t.connection({
    type: Task,
    description: 'The tasks that are a part of it.',
    args: {
      filter: t.arg({ type: TaskFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: TaskOrder,
        description: 'In which order; newest first unless you say otherwise.',
      }),
    },
    resolve: (task, args, ctx) => connect(ctx, subtasks, task, args, newestFirst),
  }),
}));
