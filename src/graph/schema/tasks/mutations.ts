import { createTaskComments } from '../../../domain/comments/comment.ts';
import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import type { Task as TaskRow } from '../../../domain/tasks/task.ts';
import { assignTask, updateTask } from '../../../domain/tasks/task-change.ts';
import { createTasks } from '../../../domain/tasks/task-create.ts';
import { linkTaskDocuments, unlinkTaskDocuments } from '../../../domain/tasks/task-link.ts';
import { completeTask, denyTask, reopenTask } from '../../../domain/tasks/task-state.ts';
import { commentsPayload } from '../comments/type.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { DurationUnit, Task } from './type.ts';

const TaskDurationInput = builder.inputType('TaskDurationInput', {
  description: 'The estimated duration of a task.',
  fields: (t) => ({
    amount: t.int({ required: true, description: 'The number of units, from 1 to 10,000.' }),
    unit: t.field({ type: DurationUnit, required: true, description: 'The unit.' }),
  }),
});

const STAKEHOLDERS =
  'The people who are kept informed of it, at most 50: members who see the task, NOT_FOUND for others.';

const NewTask = builder.inputType('NewTask', {
  description: 'One task to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    description: t.string({ description: 'What is to be done, as plain text of up to 20,000 characters.' }),
    descriptionHtml: t.string({ description: 'The description as HTML.' }),
    descriptionRichText: t.string({ description: 'The description in the format of the client.' }),
    priority: t.int({ description: 'From 0 to 9; 0 by default.' }),
    assigneeEmail: t.string({ description: 'The e-mail address of the assignee.' }),
    dueAt: t.field({ type: 'DateTime', description: 'When it is due, between 1970 and 9999.' }),
    duration: t.field({ type: TaskDurationInput, description: 'How long it is estimated to take.' }),
    parentId: t.id({ description: 'The task of the same project that it is a part of.' }),
    tags: t.stringList({ description: 'Its tags, at most 100.' }),
    stakeholderIds: t.idList({ description: STAKEHOLDERS }),
    documentIds: t.idList({
      description: 'The documents to link to it, at most 100; the first is its primary document.',
    }),
  }),
});

const createTasksInput = mutationInput({
  description: 'New tasks of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    tasks: t.field({ type: [NewTask], required: true, description: 'The tasks, in order.' }),
  }),
});

const updateTaskInput = mutationInput({
  description:
    'A change of a task; an omitted member keeps its value. A change to the present values is none: no new version, no event.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    name: t.string({ description: 'The new display name.' }),
    description: t.string({ description: 'What is to be done, as plain text.' }),
    descriptionHtml: t.string({ description: 'The description as HTML.' }),
    descriptionRichText: t.string({ description: 'The description in the format of the client.' }),
    priority: t.int({ description: 'From 0 to 9.' }),
    assigneeEmail: t.string({
      description: 'The e-mail address of the assignee; null for none. CONFLICT if the task is not open.',
    }),
    dueAt: t.field({ type: 'DateTime', description: 'When it is due; null for no due time.' }),
    duration: t.field({
      type: TaskDurationInput,
      description: 'How long it is estimated to take; null for no estimate.',
    }),
    parentId: t.id({ description: 'The task that it is a part of; null for none.' }),
    tags: t.stringList({ description: 'Its tags: replaces the list.' }),
    stakeholderIds: t.idList({
      description: `Replaces the list. ${STAKEHOLDERS} Those named already stay, whether they see it or not.`,
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const assignTaskInput = mutationInput({
  description: 'A task and its new assignee.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    assigneeEmail: t.string({ description: 'The e-mail address of the assignee; none if omitted.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const closeTaskInput = mutationInput({
  description: 'A task to complete or deny.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    result: t.string({ description: 'The result or the reason, up to 255 characters.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const reopenTaskInput = mutationInput({
  description: 'A task to reopen.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const createTaskCommentsInput = mutationInput({
  description: 'New comments on a task: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    texts: t.stringList({
      required: true,
      description: 'The text of each comment, up to 10,000 characters.',
    }),
  }),
});

const taskDocumentsInput = mutationInput({
  description: 'A task and documents of its project.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskId: t.id({ required: true, description: 'Which task.' }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
  }),
});

const tasksPayload = mutationPayload<{ tasks: TaskRow[] }>({
  description: 'The new tasks.',
  fields: (t) => ({
    tasks: t.expose('tasks', { type: [Task], description: 'In the order of the input.' }),
  }),
});

const taskPayload = mutationPayload<{ task: TaskRow }>({
  description: 'The task after the change.',
  fields: (t) => ({ task: t.expose('task', { type: Task, description: 'The task.' }) }),
});

const taskDocumentsPayload = mutationPayload<{ task: TaskRow; documents: DocumentRow[] }>({
  description: 'The task after the change, and the documents of the input.',
  fields: (t) => ({
    task: t.expose('task', { type: Task, description: 'The task.' }),
    documents: t.expose('documents', {
      type: [Document],
      description: 'The documents of the input, each once, in that order.',
    }),
  }),
});

mutation('createTasks', {
  scope: 'tasks:write',
  description: 'Creates tasks. Requires the role EDITOR in the project.',
  argument: 'The tasks.',
  input: createTasksInput,
  payload: tasksPayload,
  batch: { items: 'tasks', empty: { tasks: [] } },
  resolve: async (input, ctx) => ({ tasks: await createTasks(ctx, input) }),
});

mutation('updateTask', {
  scope: 'tasks:write',
  description: 'Changes a task. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateTaskInput,
  payload: taskPayload,
  resolve: async (input, ctx) => ({ task: await updateTask(ctx, input) }),
});

mutation('assignTask', {
  scope: 'tasks:write',
  description: 'Assigns an open task, or removes its assignee. Requires the role EDITOR in the project.',
  argument: 'The task and its assignee.',
  input: assignTaskInput,
  payload: taskPayload,
  resolve: async (input, ctx) => ({ task: await assignTask(ctx, input) }),
});

mutation('completeTask', {
  scope: 'tasks:write',
  description: 'Completes an open task; CONFLICT if it is not open. Requires the role EDITOR in the project.',
  argument: 'The task.',
  input: closeTaskInput,
  payload: taskPayload,
  resolve: async (input, ctx) => ({ task: await completeTask(ctx, input) }),
});

mutation('denyTask', {
  scope: 'tasks:write',
  description: 'Denies an open task; CONFLICT if it is not open. Requires the role EDITOR in the project.',
  argument: 'The task.',
  input: closeTaskInput,
  payload: taskPayload,
  resolve: async (input, ctx) => ({ task: await denyTask(ctx, input) }),
});

mutation('reopenTask', {
  scope: 'tasks:write',
  description:
    'Reopens a completed or denied task; CONFLICT if it is open. Requires the role EDITOR in the project.',
  argument: 'The task.',
  input: reopenTaskInput,
  payload: taskPayload,
  resolve: async (input, ctx) => ({ task: await reopenTask(ctx, input) }),
});

mutation('createTaskComments', {
  scope: 'tasks:write',
  description: 'Creates comments on a task. Requires the role EDITOR in the project.',
  argument: 'The comments.',
  input: createTaskCommentsInput,
  payload: commentsPayload('tasks:read'),
  batch: { items: 'texts', empty: { comments: [] } },
  resolve: async (input, ctx) => ({ comments: await createTaskComments(ctx, input) }),
});

mutation('linkTaskDocuments', {
  scope: 'tasks:write',
  description:
    'Links documents to a task; a document that is already linked stays linked. Requires the role EDITOR in the project.',
  argument: 'The task and the documents.',
  input: taskDocumentsInput,
  payload: taskDocumentsPayload,
  resolve: (input, ctx) => linkTaskDocuments(ctx, input),
});

mutation('unlinkTaskDocuments', {
  scope: 'tasks:write',
  description:
    'Unlinks documents from a task; a document that is not linked is ignored. Requires the role EDITOR in the project.',
  argument: 'The task and the documents.',
  input: taskDocumentsInput,
  payload: taskDocumentsPayload,
  resolve: (input, ctx) => unlinkTaskDocuments(ctx, input),
});
