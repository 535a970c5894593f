import { badValue } from '../../domain/kernel/errors.ts';
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
import type { Members } from '../wire/members.ts';
import { choose, single } from '../wire/operations.ts';
import { directionIn } from '../wire/order.ts';
import { eventPageRecord } from '../wire/pages.ts';
import { projectPath, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { TASKS, taskListRoutes } from './list-routes.ts';
import { INTERVALS, taskCommentRecord, taskDocumentRecord, taskRecord } from './record.ts';

const TASK = `${TASKS}/:taskId`;

const taskIn = (request: RestRequest) => ({ ...projectPath(request), taskId: request.path.taskId as string });

/** An empty text removes a value; an absent member leaves it. */
const nullIfEmpty = (value: string | undefined) => (value === '' ? null : value);

/**
 * The members of a task that a caller may set. A parent that the caller may not see reads as empty, so an empty
 * ParentTaskID leaves the parent as it is.
 */
const contentOf = (item: Members) => ({
  description: item.text('Description'),
  descriptionHtml: item.text('DescriptionHtml'),
  descriptionRichText: item.text('DescriptionRichTextJson'),
  assigneeEmail: nullIfEmpty(item.text('AssignmentUserEmail')),
  dueAt: item.time('DueOn'),
  parentId: item.text('ParentTaskID') || undefined,
  priority: item.integer('Priority'),
  tags: item.texts('Tags'),
  stakeholderIds: item.objects('Stakeholders')?.map((each) => each.required('UserID')),
  duration: durationIn(item),
});

/** A multiplier of 0 removes the duration. Undefined if both members are left out, or empty. */
function durationIn(item: Members) {
  const amount = item.integer('DurationMultiplier');
  const unit = item.term('DurationInterval', INTERVALS);
  if (amount === 0) return null;
  if (amount !== undefined && unit) return { amount, unit };
  if (amount === undefined && !unit) return undefined;
  const [given, missing] = unit
    ? ['DurationInterval', 'DurationMultiplier']
    : ['DurationMultiplier', 'DurationInterval'];
  throw badValue(item.pathOf(given), `needs ${missing}.`);
}

const CONTENT_NAMES = {
  name: 'Name',
  description: 'Description',
  descriptionHtml: 'DescriptionHtml',
  descriptionRichText: 'DescriptionRichTextJson',
  assigneeEmail: 'AssignmentUserEmail',
  dueAt: 'DueOn',
  parentId: 'ParentTaskID',
  priority: 'Priority',
  tags: 'Tags',
  stakeholderIds: 'Stakeholders',
  'duration.amount': 'DurationMultiplier',
  'duration.unit': 'DurationInterval',
};

/** Clients send complete documents, of which only the id is read; the zero-valued document has none. */
const documentsOf = (item: Members) =>
  [item.object('PrimaryDocument'), ...(item.objects('OtherDocuments') ?? [])].flatMap(
    (document) => document?.text('DocumentID') || document?.text('ID') || [],
  );

const resultIn = ({ body }: RestRequest) => body.optionalObject().text('Result')?.trim() || undefined;

export const taskRoutes: Route[] = [
  ...taskListRoutes,
  route({
    id: 'createTasks',
    names: {
      tasks: '',
      documentIds: '',
      'documentIds.0': 'PrimaryDocument|OtherDocuments',
      'documentIds.1': 'OtherDocuments|PrimaryDocument',
      ...CONTENT_NAMES,
    },
    method: 'POST',
    path: TASKS,
    operation: storedMutation(CreateTasksDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        tasks: request.body.array().map((item) => ({
          ...contentOf(item),
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
    names: CONTENT_NAMES,
    method: 'PUT',
    path: TASK,
    operation: storedMutation(UpdateTaskDocument),
    in: (request) => {
      const item = request.body.object();
      return { input: { ...taskIn(request), ...contentOf(item), name: item.text('Name') } };
    },
    out: ({ updateTask: { task } }) => taskRecord(task),
  }),
  route({
    id: 'assignTask',
    names: { assigneeEmail: 'AssignmentUserEmail' },
    method: 'POST',
    path: `${TASK}/actions/assign`,
    operation: storedMutation(AssignTaskDocument),
    in: (request) => ({
      input: {
        ...taskIn(request),
        assigneeEmail: nullIfEmpty(request.body.object().required('AssignmentUserEmail')),
      },
    }),
    out: ({ assignTask: { task } }) => taskRecord(task),
  }),
  {
    id: 'completeTask',
    names: { result: 'Result' },
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
    names: { texts: 'Comments' },
    method: 'POST',
    path: `${TASK}/comments`,
    operation: storedMutation(CreateTaskCommentsDocument),
    in: (request) => ({
      input: { ...taskIn(request), texts: request.body.object().requiredTexts('Comments') },
    }),
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
    out: ({ linkTaskDocuments: { task, documents } }) => documents.map(taskDocumentRecord(task.id)),
  }),
];
