import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Notification as NotificationRow } from '../../generated/prisma/client.ts';
import { visibleNotifications } from '../access/access-notification.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import type { NotificationKind } from './notification-kind.ts';

/** A notification of a person. Visible to them only, while they see its subject. */
export type Notification = Omit<NotificationRow, 'kind'> & { kind: NotificationKind };

export interface NotificationFilter {
  kinds?: readonly NotificationKind[] | null;
  isUnread?: boolean | null;
  projectId?: string | null;
}

/** Unread notifications are counted up to this number: each is checked with its subject and its event. */
const UNREAD_LIMIT = sql.raw('1000');

/** `1` or `0` for unread or read, and the event, whose ids ascend. An index has this expression. */
const inboxKey = sql`((CASE WHEN n.read_at IS NULL THEN '1' ELSE '0' END) || n.event_id)`;

/** The viewer's notifications: unread ones first, then by the event. */
export const notificationsOfViewer: Listing<Notification, NotificationFilter, 'UNREAD_FIRST'> = {
  name: 'notificationsOfViewer',
  select: () => sql`n.*`,
  from: tables.notifications.from,
  where: ({ viewer }, { kinds, isUnread, projectId }) =>
    sql.all([
      visibleNotifications(viewer, tables.notifications),
      kinds && sql`n.kind = ANY(${kinds})`,
      isUnread != null && (isUnread ? sql`${inboxKey} >= '1'` : sql`${inboxKey} < '1'`),
      projectId != null && sql`n.project_id = ${projectId}`,
    ]),
  sorts: {
    UNREAD_FIRST: sortBy(sql`n.id`, inboxKey, 'text', ({ readAt, eventId }) => `${readAt ? 0 : 1}${eventId}`),
  },
};

/** Reads the viewer's visible notifications among the ids. */
export const findNotifications = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<Notification>(
    sql`SELECT n.* FROM ${tables.notifications.from} WHERE n.id ${sql.any(ids)} AND ${visibleNotifications(viewer, tables.notifications)}`,
  );

/** How many visible notifications the viewer has not read, up to `UNREAD_LIMIT`. */
export async function countUnread({ db, viewer }: Context): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (SELECT FROM ${tables.notifications.from}
      WHERE ${inboxKey} >= '1' AND ${visibleNotifications(viewer, tables.notifications)} LIMIT ${UNREAD_LIMIT}) c`,
  );
  return row?.count ?? 0;
}
