import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { NotificationDelivery } from '../../generated/prisma/enums.ts';
import { isTimeZone } from '../../lib/local-time.ts';
import { requireNoApplication } from '../access/access-application.ts';
import type { Context, Storage } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './notification-kind.ts';

/** How a person is notified of a kind of event. */
export interface NotificationPreference {
  kind: NotificationKind;
  delivery: NotificationDelivery;
}

/** Signers and senders get mails of their own about signing (docs/mail.md). */
const DEFAULT_DELIVERY: Readonly<Record<NotificationKind, NotificationDelivery>> = {
  TASK_ASSIGNED: 'MAIL',
  TASK_DUE: 'MAIL',
  TASK_OVERDUE: 'MAIL',
  APPROVAL_REQUESTED: 'MAIL',
  APPROVAL_OVERDUE: 'MAIL',
  SIGNATURE_REQUESTED: 'INBOX',
  MENTIONED: 'MAIL',
  APPROVAL_DECIDED: 'MAIL',
  SIGNING_PROGRESSED: 'INBOX',
  FOLLOWED: 'INBOX',
};

/** A function that returns how each of these people is notified of a kind of event. */
export async function readDeliveries(
  reader: Reader,
  userIds: readonly string[],
): Promise<(userId: string, kind: NotificationKind) => NotificationDelivery> {
  const rows = await reader.query<NotificationPreference & { userId: string }>(
    sql`SELECT user_id, kind, delivery::text AS delivery FROM notification_preferences WHERE user_id = ANY(${[...new Set(userIds)]})`,
  );
  const chosen = new Map(rows.map(({ userId, kind, delivery }) => [`${userId} ${kind}`, delivery]));
  return (userId, kind) => chosen.get(`${userId} ${kind}`) ?? DEFAULT_DELIVERY[kind];
}

/** The time zone of the viewer's daily mails. */
export async function findTimeZone({ db, viewer }: Context): Promise<string> {
  const [user] = await db.query<{ timeZone: string }>(
    sql`SELECT u.time_zone FROM users u WHERE u.id = ${viewer.userId}`,
  );
  return user?.timeZone ?? 'UTC';
}

/** The viewer's preferences for all kinds. */
export async function findNotificationPreferences({
  db,
  viewer,
}: Context): Promise<NotificationPreference[]> {
  const deliveryOf = await readDeliveries(db, [viewer.userId]);
  return NOTIFICATION_KINDS.map((kind) => ({ kind, delivery: deliveryOf(viewer.userId, kind) }));
}

const update = z.strictObject({
  preferences: z
    .array(
      z.strictObject({
        kind: z.enum(Object.keys(DEFAULT_DELIVERY) as NotificationKind[]),
        delivery: z.enum(NotificationDelivery),
      }),
    )
    .nullish(),
  timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').nullish(),
});

/**
 * Stores preferences of the viewer, and the time zone of their daily mails; of two preferences for one kind the last one
 * counts. Records no event: nobody else sees them. Not for applications, whose choice would outlast their grant.
 */
export function updateNotificationPreferences(ctx: Context, input: z.input<typeof update>): Promise<void> {
  const { preferences, timeZone } = parse(update, input);
  requireNoApplication(ctx.viewer, 'ownSettings');
  if (preferences || !timeZone) requireBatchSize(preferences ?? [], ctx.limits.batchMax, 'preferences');
  const id = ctx.viewer.userId;
  return inTransaction(ctx.db, async (tx) => {
    if (timeZone) await tx.prisma.user.update({ where: { id }, data: { timeZone } });
    for (const [kind, delivery] of new Map(preferences?.map((each) => [each.kind, each.delivery])))
      await storePreference(tx, id, kind, delivery);
  });
}

const storePreference = (
  tx: Transaction,
  userId: string,
  kind: NotificationKind,
  delivery: NotificationDelivery,
): Promise<unknown> =>
  tx.prisma.notificationPreference.upsert({
    where: { userId_kind: { userId, kind } },
    create: { userId, kind, delivery },
    update: { delivery },
  });

/** What a link that ends the mails of a kind is for; DIGEST: the daily mails. */
export interface StopTarget {
  userId: string;
  kind: NotificationKind | 'DIGEST';
}

const message = ({ userId, kind }: StopTarget): string => `notification-mails.${kind}.${userId}`;

/** The URL that ends the mails of a kind to a person, in the inbox they go on (RFC 8058). */
export const stopUrl = ({ signedUrls }: Storage, target: StopTarget): string =>
  signedUrls.page(
    `/notifications/stop/${target.userId}/${target.kind}/${signedUrls.linkSecret(message(target))}`,
  );

export const opensStop = ({ signedUrls }: Storage, secret: string, target: StopTarget): boolean =>
  (target.kind === 'DIGEST' || target.kind in DEFAULT_DELIVERY) &&
  signedUrls.opensLink(secret, message(target));

/** Ends the mails of a kind to a person whose link was checked. A choice of fewer notifications stays. */
export const stopMails = (tx: Transaction, { userId, kind }: StopTarget): Promise<unknown> =>
  kind === 'DIGEST'
    ? tx.query(
        sql`UPDATE notification_preferences SET delivery = 'INBOX' WHERE user_id = ${userId} AND delivery = 'DIGEST'`,
      )
    : tx.query(sql`INSERT INTO notification_preferences (user_id, kind, delivery)
    SELECT u.id, ${kind}, 'INBOX' FROM users u WHERE u.id = ${userId}
    ON CONFLICT (user_id, kind) DO UPDATE SET delivery = 'INBOX'
      WHERE notification_preferences.delivery IN ('MAIL', 'DIGEST')`);
