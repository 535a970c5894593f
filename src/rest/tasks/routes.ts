import { notFound } from '../../domain/kernel/errors.ts';
import {
  AssignTaskDocument,
  CompleteTaskDocument,
  CreateTaskCommentsDocument,
  CreateTasksDocument,
  DenyTaskDocument,
  GetTaskDocument,
  LinkTaskDocumentsDocument,
  ListTaskCommentsDocument,
  ListTasksDocument,
  type TaskState,
  UpdateTaskDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { isZeroTime, pageRecord, text } from '../wire/wire.ts';
import { taskCommentRecord, taskDocumentRecord, taskRecord } from './record.ts';

const TASKS = `${PROJECT}/tasks`;
const TASK = `${TASKS}/:taskId`;

const taskIn = (request: RestRequest) => ({ ...projectPath(request), taskId: request.path.taskId as string });

/** An empty text takes a value away; a member that is left out leaves it. */
const orNone = (value: string | undefined) => (value === '' ? null : value);

/**
 * What the caller of a task chooses; the members that the server owns are not read. A parent that the caller may not
 * see reads as empty, so an empty one takes nothing away.
 */
const content = (item: Members) => ({
  description: item.text('Description'),
  descriptionHtml: item.text('DescriptionHtml'),
  descriptionRichText: item.text('DescriptionRichTextJson'),
  assigneeEmail: orNone(item.text('AssignmentUserEmail')),
  dueAt: isZeroTime(item.text('DueOn')) ? null : item.text('DueOn'),
  parentId: item.text('ParentTaskID') || undefined,
});

/** Whole records of documents come in, of which only the id is read; the zero-valued one has none. */
const documentsOf = (item: Members) =>
  [item.member('PrimaryDocument'), ...(item.list('OtherDocuments') ?? [])].flatMap(
    (document) => document?.text('DocumentID') || document?.text('ID') || [],
  );

/** Each flag names a state; with none of them, every task is listed. */
const STATES: Record<string, TaskState> = {
  activeOnly: 'OPEN',
  completedOnly: 'COMPLETED',
  deniedOnly: 'DENIED',
};

function statesIn({ query }: RestRequest): TaskState[] | undefined {
  const named = Object.keys(STATES).filter((flag) => query.flag(flag));
  return named.length > 0 ? named.map((flag) => STATES[flag] as TaskState) : undefined;
}

const closing = ({ body }: RestRequest) => body.optionalObject().text('Result')?.trim() || undefined;

const completeTask = route({
  id: 'completeTask',
  method: 'POST',
  path: `${TASK}/actions/complete`,
  operation: storedOperation(CompleteTaskDocument),
  in: (request) => ({ input: { ...taskIn(request), result: closing(request) } }),
  out: ({ completeTask: { task } }) => taskRecord(task),
});

const denyTask = route({
  ...completeTask,
  operation: storedOperation(DenyTaskDocument),
  in: (request) => ({ input: taskIn(request) }),
  out: ({ denyTask: { task } }) => taskRecord(task),
});

export const taskRoutes: Route[] = [
  route({
    id: 'listTasks',
    method: 'GET',
    path: TASKS,
    operation: storedOperation(ListTasksDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: { states: statesIn(request) },
      ...request.page,
    }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('Tasks', project.tasks, request.page.first, taskRecord);
    },
  }),
  route({
    id: 'createTasks',
    method: 'POST',
    path: TASKS,
    operation: storedOperation(CreateTasksDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        tasks: request.body.array().map((item) => ({
          ...content(item),
          name: item.required('Name'),
          documentIds: documentsOf(item),
        })),
      },
    }),
    out: ({ createTasks: { tasks } }) => tasks.map(taskRecord),
  }),
  route({
    id: 'getTask',
    method: 'GET',
    path: TASK,
    operation: storedOperation(GetTaskDocument),
    in: (request) => ({ taskId: taskIn(request).taskId }),
    out: ({ task }, request) => taskRecord(requireInProject(task, request, 'Task')),
  }),
  route({
    id: 'updateTask',
    method: 'PUT',
    path: TASK,
    operation: storedOperation(UpdateTaskDocument),
    in: (request) => {
      const item = request.body.object();
      return { input: { ...taskIn(request), ...content(item), name: item.text('Name') } };
    },
    out: ({ updateTask: { task } }) => taskRecord(task),
  }),
  route({
    id: 'assignTask',
    method: 'POST',
    path: `${TASK}/actions/assign`,
    operation: storedOperation(AssignTaskDocument),
    in: (request) => ({
      input: {
        ...taskIn(request),
        assigneeEmail: orNone(request.body.object().required('AssignmentUserEmail')),
      },
    }),
    out: ({ assignTask: { task } }) => taskRecord(task),
  }),
  {
    ...completeTask,
    /** The contract has no path to deny a task; its `Result` has the word. */
    run: (request, execute) =>
      (/^denied$/i.test(closing(request) ?? '') ? denyTask : completeTask).run(request, execute),
  },
  route({
    id: 'listTaskComments',
    method: 'GET',
    path: `${TASK}/comments`,
    operation: storedOperation(ListTaskCommentsDocument),
    in: (request) => ({
      taskId: taskIn(request).taskId,
      direction: (request.query.flag('sortDescending') ?? true) ? ('DESC' as const) : ('ASC' as const),
      ...request.page,
    }),
    out: ({ task }, request) => {
      const { id, comments } = requireInProject(task, request, 'Task');
      return {
        ...pageRecord('TaskEvents', comments, request.page.first, taskCommentRecord(id)),
        ReverseCursor: text(comments.pageInfo.startCursor),
      };
    },
  }),
  route({
    id: 'createTaskComments',
    method: 'POST',
    path: `${TASK}/comments`,
    operation: storedOperation(CreateTaskCommentsDocument),
    in: (request) => ({
      input: { ...taskIn(request), texts: request.body.object().texts('Comments') ?? [] },
    }),
    out: ({ createTaskComments: { comments } }, request) =>
      comments.map(taskCommentRecord(taskIn(request).taskId)),
  }),
  route({
    id: 'linkTaskDocuments',
    method: 'POST',
    path: `${TASK}/documents`,
    operation: storedOperation(LinkTaskDocumentsDocument),
    in: (request) => ({
      input: {
        ...taskIn(request),
        documentIds: request.body.isArray()
          ? request.body.array().map((item) => item.required('DocumentID'))
          : (request.body.object().texts('IDs') ?? []),
      },
    }),
    out: ({ linkTaskDocuments: { task, documents } }) => documents.map(taskDocumentRecord(task.id)),
  }),
];
