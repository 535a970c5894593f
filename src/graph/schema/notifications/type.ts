import { findEvents } from '../../../domain/events/event.ts';
import {
  countUnread,
  findNotifications,
  type Notification as NotificationRow,
  notificationsOfViewer,
} from '../../../domain/notifications/notification.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { findNode, Node, nodeType } from '../kernel/node.ts';
import { Viewer } from '../viewer/type.ts';

export const NotificationKind = builder.enumType('NotificationKind', {
  description: 'Why you are notified.',
  values: {
    TASK_ASSIGNED: { description: 'A task was assigned to you.' },
    TASK_DUE: { description: 'A task of yours is due in seven, three or one days.' },
    TASK_OVERDUE: { description: 'An open task of yours, or one that you created, is overdue.' },
    APPROVAL_REQUESTED: { description: 'Your approval is asked for.' },
    APPROVAL_OVERDUE: {
      description: 'An approval that waits for you, or for which you have asked, is overdue.',
    },
    SIGNATURE_REQUESTED: { description: 'It is your turn to sign.' },
    MENTIONED: { description: 'A comment mentions you, with `@` and your e-mail address or full name.' },
    APPROVAL_DECIDED: { description: 'An approver answered in a process that you started.' },
    SIGNING_PROGRESSED: {
      description: 'Someone signed or declined in a signing session of yours, or it ended.',
    },
    FOLLOWED: {
      description: 'Something that you follow, or a task of which you are a stakeholder, has changed.',
    },
  } as const,
});

export const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  scope: 'events:read',
  description:
    'A notification of yours. Nobody else sees it; you do as long as you see its subject and what happened.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the subject.' }),
    projectId: t.exposeID('projectId', { description: 'The project of the subject.' }),
    kind: t.expose('kind', { type: NotificationKind, description: 'Why you are notified.' }),
    subject: t.field({
      type: Node,
      nullable: true,
      description:
        'The document, folder, project or task that it is about: for FOLLOWED the one that you follow, or are a stakeholder of. Null if it was deleted in this moment.',
      resolve: ({ subjectId }, _, ctx) => findNode(ctx, subjectId),
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description:
        'What happened: for FOLLOWED the newest change of many. Null if it became invisible to you in this moment.',
      resolve: ({ eventId }, _, { load }) => load.one(findEvents, eventId),
    }),
    viewer: t.field({
      type: Viewer,
      description: 'You, whose notification it is: with your inbox and the number of unread ones.',
      resolve: (_, __, { viewer }) => ({ id: viewer.userId, name: viewer.name, email: viewer.email }),
    }),
    happenedAt: t.expose('happenedAt', { type: 'DateTime', description: 'When it happened.' }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When you marked it as read; null if you did not.',
    }),
  }),
});

nodeType('Notification', ({ load }, id) => load.one(findNotifications, id));

const NotificationFilter = builder.inputType('NotificationFilter', {
  description: 'Which notifications a list holds; all conditions must match.',
  fields: (t) => ({
    kinds: t.field({ type: [NotificationKind], description: 'Only those of one of these kinds.' }),
    isUnread: t.boolean({ description: 'Only those that you have not read, or only the others.' }),
    projectId: t.id({ description: 'Only those of this project.' }),
  }),
});

builder.objectFields(Viewer, (t) => ({
  notifications: t.connection(
    {
      type: Notification,
      description: 'Your notifications: unread ones first, then the newest first.',
      args: { filter: t.arg({ type: NotificationFilter, description: 'Which of them.' }) },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, notificationsOfViewer, { organizationId: '', id }, args, ({ filter, ...page }) => ({
          ...page,
          filter: filter ?? {},
          orderBy: { field: 'UNREAD_FIRST', direction: 'DESC' },
        })),
    },
    connectionOf(Notification),
  ),
  unreadNotificationCount: t.int({
    scope: 'events:read',
    description: 'How many of your notifications you have not read, counted up to 1,000.',
    resolve: (_, __, ctx) => countUnread(ctx),
  }),
}));
