import type { Database, Transaction } from '../../db/database.ts';
import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { NotificationDelivery } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { MINUTE } from '../../lib/time.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, storeFailure } from '../due-work/failed-work.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { addToDigests } from './digest.ts';
import { readDeliveries } from './notification-preference.ts';
import {
  type EventRange,
  type EventRecipient,
  findDirectRecipients,
  findFollowers,
} from './notification-recipients.ts';

/** Events that one transaction turns into notifications. */
const PAGE = 500;

/**
 * Makes the notifications of the next events of an organization, round-robin over the organizations; false if none is left. The
 * position moves in the same transaction, under a lock: nothing is lost or stored twice, whoever dies or runs at the same time.
 */
export async function notifyNext(db: Database): Promise<boolean> {
  let range: EventRange | undefined;
  const attempt = (idCondition: Sql, served: (organizationId: string) => void) =>
    inTransaction(db, async (tx) => {
      range = await lockNextEvents(tx, idCondition);
      if (!range) return undefined;
      served(range.organizationId);
      await notify(tx, range);
      await moveCursor(tx, range);
      return range;
    });
  try {
    if (await claimRoundRobin(db, 'notifyNext', attempt)) return true;
  } catch (error) {
    if (!range || isDatabaseUnreachable(error)) throw error;
    await notifyOfFirst(db, range);
    return true;
  }
  return doDueWork(db, postponedEvents);
}

/** The next events of an organization, whose position is locked. */
async function lockNextEvents(tx: Transaction, idCondition: Sql): Promise<EventRange | undefined> {
  const [next] = await tx.query<EventRange>(sql`
    SELECT c.organization_id, c.sequence AS "from", least(h.sequence, c.sequence + ${sql.raw(String(PAGE))}) AS through
    FROM notification_cursors c JOIN event_heads h ON h.organization_id = c.organization_id
    WHERE h.sequence > c.sequence AND c.organization_id ${idCondition}
    ORDER BY c.organization_id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`);
  return next;
}

/** Moves the position from the beginning of the range to its end; false if another process has moved it. */
const moveCursor = async (tx: Transaction, { organizationId, from, through }: EventRange): Promise<boolean> =>
  (
    await tx.query(sql`UPDATE notification_cursors SET sequence = ${through}
      WHERE organization_id = ${organizationId} AND sequence = ${from} RETURNING organization_id`)
  ).length > 0;

/**
 * After a failure of several events: makes the notifications of the first one alone, or, if it is the one that fails, postpones it, so
 * that those after it do not wait. Throws WorkFailed then.
 */
async function notifyOfFirst(db: Database, { organizationId, from }: EventRange): Promise<void> {
  const first = { organizationId, from, through: from + 1n };
  try {
    await inTransaction(db, async (tx) => {
      if (await moveCursor(tx, first)) await notify(tx, first);
    });
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    const failed = await inTransaction(db, async (tx) =>
      (await moveCursor(tx, first))
        ? storeFailure(tx, 'notify', { organizationId, id: String(first.through) }, error)
        : undefined,
    );
    if (failed) throw failed;
  }
}

/** Events whose notifications could not be made: the id of a row is the sequence of an event. */
const postponedEvents: DueWork<DueRow> = {
  work: 'notify',
  async claim(tx, idCondition) {
    const [event] = await tx.query<DueRow>(sql`SELECT f.organization_id, f.row_id AS id FROM failed_work f
      WHERE f.work = 'notify' AND f.next_at <= now() AND f.organization_id ${idCondition}
      ORDER BY f.organization_id, f.next_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return event;
  },
  run: (tx, { organizationId, id }) =>
    notify(tx, { organizationId, from: BigInt(id) - 1n, through: BigInt(id) }),
};

async function notify(tx: Transaction, range: EventRange): Promise<void> {
  const direct = await findDirectRecipients(tx, range);
  const key = ({ userId, eventId }: EventRecipient) => `${userId} ${eventId}`;
  const notified = new Set(direct.map(key));
  // Of several follows that one event is about, the closest one counts: they are in that order.
  const followed = (await findFollowers(tx, range)).filter(
    (each) => !notified.has(key(each)) && notified.add(key(each)),
  );
  const all = [...direct, ...followed];
  if (all.length > 0) {
    const deliveryOf = await readDeliveries(
      tx,
      all.map(({ userId }) => userId),
    );
    const isWanted = ({ userId, kind }: EventRecipient) => deliveryOf(userId, kind) !== 'NOTHING';
    const stored = [
      ...(await insert(tx, range, direct.filter(isWanted), false)),
      ...(await insert(tx, range, followed.filter(isWanted), true)),
    ];
    const wantedAs = (delivery: NotificationDelivery) =>
      stored.filter(({ userId, kind }) => deliveryOf(userId, kind) === delivery);
    await queueNotices(tx, range, wantedAs('MAIL'));
    await addToDigests(tx, wantedAs('DIGEST'));
  }
  if (notified.size > 0) tx.announce(range.organizationId);
}

type StoredNotification = Pick<EventRecipient, 'userId' | 'kind'> & { id: string };

/** With `moves`, the unread notification about what is followed moves to the newest event. */
const insert = (
  tx: Transaction,
  { organizationId }: EventRange,
  rows: readonly EventRecipient[],
  moves: boolean,
): Promise<StoredNotification[]> | StoredNotification[] =>
  rows.length === 0
    ? []
    : tx.query<StoredNotification>(sql`INSERT INTO notifications (organization_id, id, user_id, project_id, kind, subject_id, event_id, happened_at)
    SELECT ${organizationId}, id, "userId", "projectId", kind, "subjectId", "eventId", "happenedAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ id: newId('Notification'), ...row })))}::jsonb)
      AS row(id text, "userId" text, "projectId" text, kind text, "subjectId" text, "eventId" text, "happenedAt" timestamptz)
    ON CONFLICT ${
      moves
        ? sql`(user_id, subject_id) WHERE kind = 'FOLLOWED' AND read_at IS NULL
          DO UPDATE SET event_id = excluded.event_id, happened_at = excluded.happened_at
            WHERE notifications.happened_at <= excluded.happened_at`
        : sql`DO NOTHING`
    } RETURNING id, user_id, kind`);

/** How long a notification waits before it is mailed: what is read meanwhile is not. */
const QUIET = 2 * MINUTE;

/** Queues a mail for each of these notifications; one that moves on while it is unread has been mailed already. */
async function queueNotices(
  tx: Transaction,
  { organizationId }: EventRange,
  stored: readonly StoredNotification[],
): Promise<void> {
  if (stored.length === 0) return;
  const userIds = stored.map(({ userId }) => userId);
  const people = await tx.query<{ id: string; email: string }>(
    sql`SELECT u.id, u.email FROM users u WHERE u.id ${sql.any(userIds)}`,
  );
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  await queueMails(
    tx,
    stored.map(({ id: subjectId, userId: toUserId }) => ({
      ...{ kind: 'NOTIFICATION', organizationId, subjectId, toUserId, to: emails.get(toUserId) ?? '' },
      ...{ dedupeKey: `notification:${subjectId}`, delay: QUIET },
    })),
  );
}
