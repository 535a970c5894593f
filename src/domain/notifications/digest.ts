import { databaseTime } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { nextHour } from '../../lib/local-time.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { visibleNotifications } from '../access/access-notification.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { type MailedNotification, mailedNotifications } from './notification-mail.ts';
import { readDeliveries } from './notification-preference.ts';

/** When daily mails are sent, in the time zone of their reader. */
const DIGEST_HOUR = 8;

/** What is made later than this before a daily mail is in the next one: its transaction may end after that was written. */
const CLOSING = MINUTE;

/** A daily mail that is older says nothing new. */
const LIFETIME = 20 * HOUR;

/** The limit of one mail; the others are counted. */
const MAX_LISTED = 50;

/**
 * Puts notifications into the next daily mail of their readers, and queues it: one for each reader and time, whatever their
 * organizations and however many processes run. It lists what is visible and unread when it is sent.
 */
export async function addToDigests(
  tx: Transaction,
  notifications: readonly { id: string; userId: string }[],
): Promise<void> {
  if (notifications.length === 0) return;
  const now = await databaseTime(tx);
  const people = await tx.query<{
    id: string;
    email: string;
    timeZone: string;
  }>(sql`SELECT u.id, u.email, u.time_zone
    FROM users u WHERE u.id ${sql.any([...new Set(notifications.map(({ userId }) => userId))])}`);
  const digests = people.map((person) => ({
    ...person,
    at: nextHour(person.timeZone, DIGEST_HOUR, new Date(now.getTime() + CLOSING)),
  }));
  const times = new Map(digests.map(({ id, at }) => [id, at]));
  await tx.query(sql`UPDATE ${tables.notifications.from} SET digest_at = x.at
    FROM unnest(${sql.texts(notifications.map(({ id }) => id))}, ${notifications.map(({ userId }) => times.get(userId) as Date)}::timestamptz[])
      AS x(id, at) WHERE n.id = x.id`);
  await queueMails(
    tx,
    digests.map(({ id: toUserId, email: to, at }) => ({
      ...{ kind: 'DIGEST', organizationId: null, to, toUserId, data: { at: at.toISOString() } },
      ...{ delay: at.getTime() - now.getTime(), expiresAt: new Date(at.getTime() + LIFETIME) },
      dedupeKey: `digest:${toUserId}:${at.toISOString()}`,
    })),
  );
}

/** What a daily mail says: the newest notifications, and how many there are in all. */
export interface Digest {
  listed: MailedNotification[];
  total: number;
}

/** The unread notifications of the daily mail of this time that its reader still sees, and still wants by mail. */
export async function findDigest(reader: Reader, viewer: Viewer, at: string): Promise<Digest> {
  const deliveryOf = await readDeliveries(reader, [viewer.userId]);
  const all = await mailedNotifications(
    reader,
    (notifications) => sql`${notifications}.user_id = ${viewer.userId}
      AND ${notifications}.digest_at = ${at}::timestamptz AND ${visibleNotifications(viewer, notifications)}`,
  );
  const mailed = all.filter(({ kind }) => ['DIGEST', 'MAIL'].includes(deliveryOf(viewer.userId, kind)));
  return { listed: mailed.slice(0, MAX_LISTED), total: mailed.length };
}
