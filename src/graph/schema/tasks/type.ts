import { commentsOfTask } from '../../../domain/comments/comment.ts';
import { eventsOfSubject } from '../../../domain/events/event.ts';
import { documentsOfTask, findPrimaryDocuments, findTasks, subtasks } from '../../../domain/tasks/task.ts';
import { type Duration, durationOf } from '../../../domain/tasks/task-content.ts';
import { findTaskAncestors, findTaskDetails } from '../../../domain/tasks/task-details.ts';
import { Comment } from '../comments/type.ts';
import { Document } from '../documents/type.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf, TO_PROJECT } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { author, toAuthor, User } from '../users/type.ts';
import { newestFirst, TASK_FILTER, TASK_ORDER, TaskState } from './list-arguments.ts';

const foundTask = foundRow(findTasks, 'isOverdue', 'Task');

const byAge = fixedOrder('CREATED_AT');
const byLink = fixedOrder('LINKED');

export const DurationUnit = builder.enumType('DurationUnit', {
  description: 'The unit of an estimated duration.',
  values: {
    MINUTE: { description: 'A minute.' },
    HOUR: { description: 'An hour.' },
    DAY: { description: 'A working day, of 8 hours.' },
    WEEK: { description: 'A working week, of 5 days of 8 hours.' },
  } as const,
});

const TaskDuration = builder.objectRef<Duration>('TaskDuration').implement({
  description: 'The estimated duration of a task.',
  fields: (t) => ({
    amount: t.exposeInt('amount', { description: 'The number of units, from 1 to 10,000.' }),
    unit: t.expose('unit', { type: DurationUnit, description: 'The unit.' }),
  }),
});

/** Further fields: follows/type.ts. */
export const Task = builder.prismaObject('Task', {
  scope: 'tasks:read',
  description: 'Something to be done in a project, with an assignee, a due time and documents.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      extensions: TO_PROJECT,
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', { description: 'What is to be done, as plain text.' }),
    descriptionHtml: t.exposeString('descriptionHtml', {
      description: 'The description as HTML, exactly as it was sent: sanitize it before you show it.',
    }),
    descriptionRichText: t.exposeString('descriptionRichText', {
      description: 'The description in the format of the client that wrote it.',
    }),
    state: t.expose('state', { type: TaskState, description: 'Open, completed or denied.' }),
    result: t.exposeString('result', {
      nullable: true,
      description: 'The result, as the person who completed or denied it wrote it.',
    }),
    priority: t.exposeInt('priority', { description: 'From 0 to 9; 9 comes first.' }),
    revisionNumber: t.exposeInt('revisionNumber', {
      description: 'Counts the changes of the task, from 1; linking documents is not counted.',
    }),
    assigneeEmail: t.exposeString('assigneeEmail', {
      nullable: true,
      description: 'The e-mail address of the assignee.',
    }),
    assignee: t.field({
      type: User,
      nullable: true,
      description: 'The assignee, if they were a member of the organization when it was assigned.',
      extensions: toAuthor('assignee_id'),
      resolve: ({ assigneeId }, _, ctx) => (assigneeId ? author(ctx, assigneeId) : null),
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed or denied.',
    }),
    completedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who completed or denied it.',
      extensions: toAuthor('completed_by_id'),
      resolve: ({ completedById }, _, ctx) => (completedById ? author(ctx, completedById) : null),
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'When it is due.' }),
    dueChangedAt: t.expose('dueChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the due time was last changed.',
    }),
    overdue: t.boolean({
      description: 'Whether it is open and its due time has passed.',
      resolve: (task, _, ctx) => foundTask(ctx, task, ({ isOverdue }) => isOverdue),
    }),
    sevenDayReminderAt: t.expose('remind7At', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the reminder, seven days before it is due.',
    }),
    threeDayReminderAt: t.expose('remind3At', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the reminder, three days before it is due.',
    }),
    oneDayReminderAt: t.expose('remind1At', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the reminder, one day before it is due.',
    }),
    duration: t.field({
      type: TaskDuration,
      nullable: true,
      description: 'The estimated duration; null if there is none.',
      resolve: durationOf,
    }),
    tags: t.stringList({
      description: 'Its tags, in alphabetical order; at most 100.',
      resolve: async ({ id }, _, { load }) => (await load.one(findTaskDetails, id))?.tags ?? [],
    }),
    stakeholders: t.field({
      type: [User],
      description:
        'Members who are kept informed of it, by name; at most 50. They are notified as followers are, while they see the task. Everyone who sees the task sees them.',
      resolve: async ({ id }, _, ctx) => {
        const details = await ctx.load.one(findTaskDetails, id);
        return Promise.all((details?.stakeholderIds ?? []).map((userId) => author(ctx, userId)));
      },
    }),
    ancestorIds: t.idList({
      description:
        'The ids of the tasks that it is a part of, from the top down to its parent, as far as they are visible to you; at most the nearest 100.',
      resolve: async ({ id }, _, { load }) => (await load.one(findTaskAncestors, id))?.ancestorIds ?? [],
    }),
    primaryDocument: t.field({
      type: Document,
      nullable: true,
      description: 'The first of its documents.',
      resolve: ({ id }, _, { load }) => load.one(findPrimaryDocuments, id, (row) => row.taskId),
    }),
    documents: t.connection(
      {
        type: Document,
        description:
          'The linked documents that are visible to you, in the order in which they were linked; at most 100.',
        resolve: (task, args, ctx) => connect(ctx, documentsOfTask, task, args, byLink),
      },
      connectionOf(Document),
    ),
    comments: t.connection(
      {
        scope: 'tasks:read',
        type: Comment,
        description: 'Its comments, oldest first by default.',
        args: { direction: t.arg(ageDirection('ASC')) },
        resolve: (task, args, ctx) => connect(ctx, commentsOfTask, task, args, byAge),
      },
      connectionOf(Comment),
    ),
    events: t.connection(
      {
        type: Event,
        description: 'Its events, comments included; oldest first by default.',
        args: { direction: t.arg(ageDirection('ASC')) },
        resolve: (task, args, ctx) => connect(ctx, eventsOfSubject, task, args, byAge),
      },
      connectionOf(Event),
    ),
  }),
});

/** Fields of the type itself: TypeScript infers a type from the declaration above, so they cannot be in it. */
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
      args: { filter: t.arg(TASK_FILTER), orderBy: t.arg(TASK_ORDER) },
      resolve: (task, args, ctx) => connect(ctx, subtasks, task, args, newestFirst),
    },
    connectionOf(Task),
  ),
}));

nodeType('Task', ({ load }, id) => load.one(findTasks, id));

builder.queryField('task', (t) =>
  t.field({
    type: Task,
    nullable: true,
    description: 'A task by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findTasks, id, 'Task'),
  }),
);
