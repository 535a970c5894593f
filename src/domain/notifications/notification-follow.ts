import { sql } from '../../db/sql/sql.ts';
import { visibleNotifications } from '../access/access-notification.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { awake, type Follower, type WakeUp, watchOrganization } from '../kernel/follower.ts';
import { tables } from '../kernel/tables.ts';
import { findOrganizations } from '../organizations/organization.ts';
import type { Notification } from './notification.ts';

/** New ones that are sent one by one; of more at once, the newest. */
const MAX_NEW = 20;

/**
 * Yields the caller's newest notification of an organization at once, then each new one, and the newest again when the number
 * of unread ones has changed otherwise. Throws UNAUTHENTICATED when the credential ends, NOT_FOUND without the organization.
 */
export async function* followNotifications(
  { renew, signal }: Follower,
  { organizationId }: { organizationId: string },
): AsyncGenerator<{ ctx: Context; notification: Notification }> {
  let ctx = await renewIn(renew, organizationId, awake());
  let sent: { eventId: string; unread: number } | undefined;
  const changes = watchOrganization(ctx, organizationId, signal);
  try {
    while (!signal.aborted) {
      const { unread, newest } = await readInbox(ctx, organizationId);
      const last = newest[0];
      const after = sent;
      if (last && (last.eventId !== after?.eventId || unread !== after.unread)) {
        const added = after ? newest.filter(({ eventId }) => eventId > after.eventId).reverse() : [last];
        sent = { eventId: last.eventId, unread };
        for (const notification of added.length > 0 ? added : [last]) yield { ctx, notification };
      }
      const woken = await changes.waitForChange();
      if (!signal.aborted) ctx = await renewIn(renew, organizationId, woken);
    }
  } finally {
    changes.end();
  }
}

async function renewIn(renew: Follower['renew'], organizationId: string, { at }: WakeUp): Promise<Context> {
  const ctx = await renew(at);
  const [organization] = await findOrganizations(ctx, [organizationId]);
  if (!organization) throw notFound('Organization', 'organizationId');
  return ctx;
}

/** The newest visible notifications, newest first, and how many are unread, both as of the same moment. */
async function readInbox({ db, viewer }: Context, organizationId: string) {
  const inbox = sql`FROM ${tables.notifications.from} WHERE n.organization_id = ${organizationId} AND ${visibleNotifications(viewer, tables.notifications)}`;
  const newest = await db.query<Notification & { unread: number }>(sql`
    SELECT n.*, (SELECT count(*)::int ${inbox} AND n.read_at IS NULL) AS unread ${inbox}
    ORDER BY n.event_id DESC LIMIT ${sql.raw(String(MAX_NEW))}`);
  return { newest, unread: newest[0]?.unread ?? 0 };
}
