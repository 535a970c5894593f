import { createTaskComments } from '../../../domain/comments/comment.ts';
import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import type { Task as TaskRow } from '../../../domain/tasks/task.ts';
import { assignTask, updateTask } from '../../../domain/tasks/task-change.ts';
import { createTasks } from '../../../domain/tasks/task-create.ts';
import { linkTaskDocuments, unlinkTaskDocuments } from '../../../domain/tasks/task-link.ts';
import { completeTask, denyTask, reopenTask } from '../../../domain/tasks/task-state.ts';
import { CommentsPayload } from '../comments/type.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { Task } from './type.ts';

const NewTask = builder.inputType('NewTask', {
  description: 'One task to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    description: t.string({ description: 'What is to be done, as plain text of up to 20,000 characters.' }),
    descriptionHtml: t.string({ description: 'The same as HTML.' }),
    descriptionRichText: t.string({ description: 'The same as its editor keeps it.' }),
    priority: t.int({ description: 'From 0, which it is unless you say otherwise, to 9.' }),
    assigneeEmail: t.string({ description: 'Who it is assigned to.' }),
    dueAt: t.field({ type: 'DateTime', description: 'When it is due, between 1970 and 9999.' }),
    parentId: t.id({ description: 'The task of the same project that it is a part of.' }),
    documentIds: t.idList({
      description: 'The documents to link to it, at most 100; the first is its primary one.',
    }),
  }),
});

const CreateTasksInput = builder.inputType('CreateTasksInput', {
  description: 'New tasks of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    tasks: t.field({ type: [NewTask], required: true, description: 'The tasks, in order.' }),
  }),
});

const UpdateTaskInput = builder.inputType('UpdateTaskInput', {
  description: 'A change of a task; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    name: t.string({ description: 'The new display name.' }),
    description: t.string({ description: 'What is to be done, as plain text.' }),
    descriptionHtml: t.string({ description: 'The same as HTML.' }),
    descriptionRichText: t.string({ description: 'The same as its editor keeps it.' }),
    priority: t.int({ description: 'From 0 to 9.' }),
    assigneeEmail: t.string({
      description: 'Who it is assigned to; null for nobody. CONFLICT when the task is not open.',
    }),
    dueAt: t.field({ type: 'DateTime', description: 'When it is due; null for no time.' }),
    parentId: t.id({ description: 'The task that it is a part of; null for none.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const AssignTaskInput = builder.inputType('AssignTaskInput', {
  description: 'Who a task is handed to.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    assigneeEmail: t.string({ description: 'To whom; to nobody when left out.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const CloseTaskInput = builder.inputType('CloseTaskInput', {
  description: 'How a task ends.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    result: t.string({ description: 'What came of it, or why, in up to 255 characters.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const ReopenTaskInput = builder.inputType('ReopenTaskInput', {
  description: 'Which task to make open again.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const CreateTaskCommentsInput = builder.inputType('CreateTaskCommentsInput', {
  description: 'What to say on a task.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    texts: t.stringList({ required: true, description: 'One comment each, of up to 10,000 characters.' }),
  }),
});

const TaskDocumentsInput = builder.inputType('TaskDocumentsInput', {
  description: 'A task, and documents of its project.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
  }),
});

const TasksPayload = builder.objectRef<{ tasks: TaskRow[] }>('TasksPayload').implement({
  description: 'The new tasks.',
  fields: (t) => ({
    tasks: t.expose('tasks', { type: [Task], description: 'In the order of the input.' }),
  }),
});

const TaskPayload = builder.objectRef<{ task: TaskRow }>('TaskPayload').implement({
  description: 'The task as it now is.',
  fields: (t) => ({ task: t.expose('task', { type: Task, description: 'The task.' }) }),
});

const TaskDocumentsPayload = builder
  .objectRef<{ task: TaskRow; documents: DocumentRow[] }>('TaskDocumentsPayload')
  .implement({
    description: 'The task as it now is, and the documents of the input.',
    fields: (t) => ({
      task: t.expose('task', { type: Task, description: 'The task.' }),
      documents: t.expose('documents', {
        type: [Document],
        description: 'Those that were named, each once, in the order of the input.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createTasks: t.field({
    type: TasksPayload,
    description: 'Creates tasks. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateTasksInput, required: true, description: 'The tasks.' }) },
    resolve: async (_, { input }, ctx) => ({ tasks: await createTasks(ctx, input) }),
  }),
  updateTask: t.field({
    type: TaskPayload,
    description: 'Changes a task. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateTaskInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ task: await updateTask(ctx, input) }),
  }),
  assignTask: t.field({
    type: TaskPayload,
    description: 'Hands an open task to someone. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: AssignTaskInput, required: true, description: 'To whom.' }) },
    resolve: async (_, { input }, ctx) => ({ task: await assignTask(ctx, input) }),
  }),
  completeTask: t.field({
    type: TaskPayload,
    description: 'Completes an open task; CONFLICT when it has ended. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CloseTaskInput, required: true, description: 'The task.' }) },
    resolve: async (_, { input }, ctx) => ({ task: await completeTask(ctx, input) }),
  }),
  denyTask: t.field({
    type: TaskPayload,
    description: 'Denies an open task; CONFLICT when it has ended. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CloseTaskInput, required: true, description: 'The task.' }) },
    resolve: async (_, { input }, ctx) => ({ task: await denyTask(ctx, input) }),
  }),
  reopenTask: t.field({
    type: TaskPayload,
    description:
      'Makes an ended task open again; CONFLICT when it is open. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: ReopenTaskInput, required: true, description: 'The task.' }) },
    resolve: async (_, { input }, ctx) => ({ task: await reopenTask(ctx, input) }),
  }),
  createTaskComments: t.field({
    type: CommentsPayload,
    description: 'Says something on a task. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateTaskCommentsInput, required: true, description: 'The comments.' }) },
    resolve: async (_, { input }, ctx) => ({ comments: await createTaskComments(ctx, input) }),
  }),
  linkTaskDocuments: t.field({
    type: TaskDocumentsPayload,
    description:
      'Links documents to a task; one that is linked already stays. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: TaskDocumentsInput, required: true, description: 'What to link.' }) },
    resolve: (_, { input }, ctx) => linkTaskDocuments(ctx, input),
  }),
  unlinkTaskDocuments: t.field({
    type: TaskDocumentsPayload,
    description:
      'Takes documents off a task; one that is not linked changes nothing. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: TaskDocumentsInput, required: true, description: 'What to unlink.' }) },
    resolve: (_, { input }, ctx) => unlinkTaskDocuments(ctx, input),
  }),
}));
