import {
  AssignTaskDocument,
  CompleteTaskDocument,
  CreateTaskCommentsDocument,
  CreateTasksDocument,
  DenyTaskDocument,
  GetTaskDocument,
  LinkTaskDocumentsDocument,
  ListTaskCommentsDocument,
  UpdateTaskDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { newComments } from '../comments/input.ts';
import { choose, single } from '../wire/operations.ts';
import { directionIn } from '../wire/order.ts';
import { eventPageRecord } from '../wire/pages.ts';
import { projectPath, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { assignment, completion, newTask, taskChange } from './input.ts';
import { TASKS, taskListRoutes } from './list-routes.ts';
import { taskRecord } from './record.ts';
import { taskCommentRecord, taskDocumentRecord } from './related-record.ts';

const TASK = `${TASKS}/:taskId`;

const taskIn = (request: RestRequest) => ({ ...projectPath(request), taskId: request.path.taskId as string });

const resultIn = ({ body }: RestRequest) => completion(body.optionalObject()).result;

export const taskRoutes: Route[] = [
  ...taskListRoutes,
  route({
    id: 'createTasks',
    names: { tasks: '', ...newTask.names },
    method: 'POST',
    path: TASKS,
    operation: storedMutation(CreateTasksDocument),
    in: (request) => ({ input: { ...projectPath(request), tasks: request.body.array().map(newTask) } }),
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
    names: taskChange.names,
    method: 'PUT',
    path: TASK,
    operation: storedMutation(UpdateTaskDocument),
    in: (request) => ({ input: { ...taskIn(request), ...taskChange(request.body.object()) } }),
    out: ({ updateTask: { task } }) => taskRecord(task),
  }),
  route({
    id: 'assignTask',
    names: assignment.names,
    method: 'POST',
    path: `${TASK}/actions/assign`,
    operation: storedMutation(AssignTaskDocument),
    in: (request) => ({ input: { ...taskIn(request), ...assignment(request.body.object()) } }),
    out: ({ assignTask: { task } }) => taskRecord(task),
  }),
  {
    id: 'completeTask',
    names: completion.names,
    method: 'POST',
    path: `${TASK}/actions/complete`,
    // The contract has no path to deny a task: `Result` decides.
    operations: choose((request) => (/^denied$/i.test(resultIn(request) ?? '') ? 'deny' : 'complete'), {
      complete: single({
        operation: storedMutation(CompleteTaskDocument),
        in: (request) => ({ input: { ...taskIn(request), result: resultIn(request) } }),
        out: ({ completeTask: { task } }) => taskRecord(task),
      }),
      deny: single({
        operation: storedMutation(DenyTaskDocument),
        in: (request) => ({ input: taskIn(request) }),
        out: ({ denyTask: { task } }) => taskRecord(task),
      }),
    }),
  },
  route({
    id: 'listTaskComments',
    method: 'GET',
    path: `${TASK}/comments`,
    operation: storedOperation(ListTaskCommentsDocument),
    in: (request) => ({
      taskId: taskIn(request).taskId,
      direction: directionIn(request.query, true),
      ...request.page,
    }),
    out: ({ task }, request) => {
      const { id, comments } = requireInProject(task, request, 'Task');
      return eventPageRecord('TaskEvents', comments, request.page.first, taskCommentRecord(id));
    },
  }),
  route({
    id: 'createTaskComments',
    names: newComments.names,
    method: 'POST',
    path: `${TASK}/comments`,
    operation: storedMutation(CreateTaskCommentsDocument),
    in: (request) => ({ input: { ...taskIn(request), ...newComments(request.body.object()) } }),
    out: ({ createTaskComments: { comments } }, request) =>
      comments.map(taskCommentRecord(taskIn(request).taskId)),
  }),
  route({
    id: 'linkTaskDocuments',
    names: ({ body }) => ({ documentIds: body.isArray() ? '' : 'IDs' }),
    method: 'POST',
    path: `${TASK}/documents`,
    operation: storedMutation(LinkTaskDocumentsDocument),
    in: (request) => ({
      input: {
        ...taskIn(request),
        documentIds: request.body.isArray()
          ? request.body.array().map((item) => item.required('DocumentID'))
          : (request.body.object().texts('IDs') ?? []),
      },
    }),
    out: ({ linkTaskDocuments: { task, documents } }) =>
      documents.map((document) => taskDocumentRecord({ ...document, taskId: task.id })),
  }),
];
