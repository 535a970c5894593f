import { z } from 'zod';
import { notFound } from '../domain/kernel/errors.ts';
import {
  AgentCommentTaskDocument,
  AgentCompleteTaskDocument,
  AgentCreateTasksDocument,
  AgentGetTaskDocument,
  AgentListTasksDocument,
  AgentListViewerTasksDocument,
} from '../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../graph/http/execute.ts';
import { commentRecord, taskRecord } from './record.ts';
import {
  fromOthers,
  idInput,
  listed,
  pageInput,
  pageOf,
  pageOutput,
  readingTool,
  type Tool,
  writingTool,
} from './tool.ts';
import { commentInput, requestKeyInput } from './writing.ts';

const listTasks = storedOperation(AgentListTasksDocument);
const listViewerTasks = storedOperation(AgentListViewerTasksDocument);
const getTask = storedOperation(AgentGetTaskDocument);
const commentTask = storedMutation(AgentCommentTaskDocument);
const createTasks = storedMutation(AgentCreateTasksDocument);
const completeTask = storedMutation(AgentCompleteTaskDocument);

const MAX_COMMENTS = 20;
const MAX_NEW_TASKS = 20;

const tasksList = readingTool({
  name: 'tasks.list',
  title: 'List tasks',
  description:
    'Lists the tasks of a project; without a project, those of the person for whom you act, in all projects.',
  input: z.strictObject({
    projectId: idInput('project').optional(),
    states: z
      .array(z.enum(['OPEN', 'COMPLETED', 'DENIED']))
      .max(3)
      .optional(),
    ...pageInput(),
  }),
  output: pageOutput(taskRecord),
  operations: [listTasks, listViewerTasks],
  run: async ({ projectId, states, ...page }, execute) => {
    const variables = { filter: { states }, ...pageOf(page) };
    if (!projectId) return listed((await execute(listViewerTasks, variables)).viewer.tasks);
    const { project } = await execute(listTasks, { projectId, ...variables });
    if (!project) throw notFound('Project');
    return listed(project.tasks);
  },
});

const tasksGet = readingTool({
  name: 'tasks.get',
  title: 'Look at a task',
  description: 'A task with its description and its newest comments.',
  input: z.strictObject({ taskId: idInput('task') }),
  output: fromOthers({
    task: taskRecord,
    description: z.string(),
    comments: z.array(commentRecord).max(MAX_COMMENTS),
  }),
  operations: [getTask],
  run: async ({ taskId }, execute) => {
    const { task } = await execute(getTask, { taskId, comments: MAX_COMMENTS });
    if (!task) throw notFound('Task');
    const { description, comments } = task;
    return { untrusted: true as const, task, description, comments: comments.nodes };
  },
});

const tasksComment = writingTool(
  {
    name: 'tasks.comment',
    title: 'Comment on a task',
    description: 'Writes a comment on a task, which everyone who sees the task can read.',
    input: z.strictObject({ taskId: idInput('task'), text: commentInput, requestKey: requestKeyInput }),
    output: z.object({ commentId: z.string() }),
    operations: [commentTask],
    run: async ({ taskId, text }, execute) => {
      const { createTaskComments } = await execute(commentTask, { input: { taskId, texts: [text] } });
      return { commentId: createTaskComments.comments[0]?.id ?? '' };
    },
  },
  { ends: false },
);

/** Without an assignee, whom a mail would tell of it, wherever the address leads. */
const newTask = z.strictObject({
  name: z.string().min(1).max(1_000),
  description: z.string().max(20_000).optional().describe('Plain text.'),
  dueAt: z.string().max(40).optional().describe('ISO 8601, such as 2027-03-31T12:00:00Z.'),
  priority: z.int().optional(),
  tags: z.array(z.string().max(255)).max(50).optional(),
  parentId: idInput('task of which it is a part').optional(),
});

const tasksCreate = writingTool(
  {
    name: 'tasks.create',
    title: 'Create tasks',
    description: 'Creates tasks in a project: all of them, or none. Nobody is assigned.',
    input: z.strictObject({
      projectId: idInput('project'),
      tasks: z.array(newTask).min(1).max(MAX_NEW_TASKS),
      requestKey: requestKeyInput,
    }),
    output: z.object({
      tasks: z.array(z.object({ id: z.string(), name: z.string(), state: z.string() })).max(MAX_NEW_TASKS),
    }),
    operations: [createTasks],
    run: async ({ projectId, tasks }, execute) =>
      (await execute(createTasks, { input: { projectId, tasks } })).createTasks,
  },
  { ends: false },
);

const tasksComplete = writingTool(
  {
    name: 'tasks.complete',
    title: 'Complete a task',
    description: 'Marks an open task as done. This cannot be undone.',
    input: z.strictObject({
      taskId: idInput('task'),
      result: z.string().min(1).max(255).optional().describe('How it ended.'),
      expectedVersion: z.int().optional().describe('The version that was read; refused if it has changed.'),
      requestKey: requestKeyInput,
    }),
    output: z.object({
      task: z.object({
        ...{ id: z.string(), name: z.string(), state: z.string() },
        result: z.string().nullable().optional(),
      }),
    }),
    operations: [completeTask],
    run: async ({ taskId, result, expectedVersion }, execute) =>
      (await execute(completeTask, { input: { taskId, result, expectedVersion } })).completeTask,
  },
  { ends: true },
);

export const taskTools: Tool[] = [tasksComment, tasksComplete, tasksCreate, tasksGet, tasksList];
