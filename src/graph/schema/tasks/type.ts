import { commentsOfTask } from '../../../domain/comments/comment.ts';
import { eventsOfSubject } from '../../../domain/events/event.ts';
import { documentsOfTask, findPrimaryDocuments, findTasks, isOverdue } from '../../../domain/tasks/task.ts';
import { Comment } from '../comments/type.ts';
import { Document } from '../documents/type.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf, TO_PROJECT } from '../projects/type.ts';
import { Tracked } from '../users/tracked.ts';
import { author, toAuthor, User } from '../users/type.ts';

export const TaskState = builder.enumType('TaskState', {
  description: 'Where a task is in its life.',
  values: {
    OPEN: { description: 'To be done.' },
    COMPLETED: { description: 'Done.' },
    DENIED: { description: 'Ended without being done.' },
  } as const,
});

export const Task = builder.prismaObject('Task', {
  description: 'Something to be done in a project: by someone, by a time, about documents.',
  interfaces: [Node, Tracked],
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
      description: 'The same as HTML, exactly as it came in: sanitize it before you show it.',
    }),
    descriptionRichText: t.exposeString('descriptionRichText', {
      description: 'The same as its editor keeps it.',
    }),
    state: t.expose('state', { type: TaskState, description: 'Open, completed or denied.' }),
    result: t.exposeString('result', {
      nullable: true,
      description: 'The result, as the person who completed or denied it wrote it.',
    }),
    priority: t.exposeInt('priority', { description: 'From 0 to 9; 9 comes first.' }),
    assigneeEmail: t.exposeString('assigneeEmail', {
      nullable: true,
      description: 'Who it is assigned to, by e-mail.',
    }),
    assignee: t.field({
      type: User,
      nullable: true,
      description: 'Who that is, when they were a member of the organization as it was assigned.',
      extensions: toAuthor('assignee_id'),
      resolve: ({ assigneeId }, _, ctx) => (assigneeId ? author(ctx, assigneeId) : null),
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'When it is due.' }),
    dueChangedAt: t.expose('dueChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the due time was last changed.',
    }),
    overdue: t.boolean({
      description: 'Whether it is open although its due time has passed.',
      resolve: isOverdue,
    }),
    sevenDayReminderAt: t.expose('remind7At', {
      type: 'DateTime',
      nullable: true,
      description: 'Seven days before it is due.',
    }),
    threeDayReminderAt: t.expose('remind3At', {
      type: 'DateTime',
      nullable: true,
      description: 'Three days before it is due.',
    }),
    oneDayReminderAt: t.expose('remind1At', {
      type: 'DateTime',
      nullable: true,
      description: 'One day before it is due.',
    }),
    revisionNumber: t.exposeInt('revisionNumber', {
      description: 'Counts the changes of the task itself, from 1; links are not among them.',
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
    primaryDocument: t.field({
      type: Document,
      nullable: true,
      description: 'The first of its documents.',
      resolve: ({ id }, _, { load }) => load.one(findPrimaryDocuments, id, (row) => row.taskId),
    }),
    documents: t.connection({
      type: Document,
      description: 'The documents linked to it that you see, in the order they were linked; at most 100.',
      resolve: (task, args, ctx) =>
        connect(ctx, documentsOfTask, task, args, (page) => ({
          ...page,
          filter: {},
          orderBy: { field: 'LINKED', direction: 'ASC' },
        })),
    }),
    comments: t.connection({
      type: Comment,
      description: 'The comments on it, oldest first unless you say otherwise.',
      args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: 'By their age.' }) },
      resolve: (task, args, ctx) =>
        connect(ctx, commentsOfTask, task, args, ({ direction, ...page }) => ({
          ...page,
          filter: {},
          orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
        })),
    }),
    events: t.connection({
      type: Event,
      description: 'What happened to it, oldest first unless you say otherwise; comments are among it.',
      args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: 'By their age.' }) },
      resolve: (task, args, ctx) =>
        connect(ctx, eventsOfSubject, task, args, ({ direction, ...page }) => ({
          ...page,
          filter: {},
          orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
        })),
    }),
  }),
});

nodeType('Task', ({ load }, id) => load.one(findTasks, id));

builder.queryField('task', (t) =>
  t.field({
    type: Task,
    nullable: true,
    description: 'A task by its id. NOT_FOUND for what is not there or not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findTasks, id, 'Task'),
  }),
);
