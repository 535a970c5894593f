import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import type { NotificationKind } from '../../../src/domain/notifications/notification-kind.ts';
import { deleteOldNotifications } from '../../../src/domain/notifications/notification-retention.ts';
import { newWorld } from '../../support/world.ts';

/** Notifications of a person in two organizations; the later call is about later events. */
async function scene() {
  const [home, foreign] = [await newWorld(), await newWorld()];
  const { db, owner } = home;
  let events = 0;
  const notify = async (
    { organization, project }: typeof home,
    kind: NotificationKind,
    count = 1,
    readAt: Date | null = null,
  ) => {
    const from = events;
    events += count;
    await db.query(sql`INSERT INTO notifications
        (organization_id, id, user_id, project_id, kind, subject_id, event_id, happened_at, read_at)
      SELECT ${organization.id}, 'ntf_' || right(${owner.id}, 12) || n, ${owner.id}, ${project.id}, ${kind}, ${project.id} || n,
        'evt_' || lpad(n::text, 9, '0'), now(), ${readAt}::timestamptz
      FROM generate_series(${from}::int, ${events - 1}::int) n`);
  };
  const count = (organizationId: string, kind: NotificationKind) =>
    db.prisma.notification.count({ where: { userId: owner.id, organizationId, kind } });
  return { db, home, foreign, notify, count };
}

it('the mentions of one organization push out no notification of another one', async () => {
  const { db, home, foreign, notify, count } = await scene();
  await notify(home, 'MENTIONED');
  await notify(foreign, 'MENTIONED', 1_200);
  await deleteOldNotifications(db);
  expect(await count(home.organization.id, 'MENTIONED')).toBe(1);
  expect(await count(foreign.organization.id, 'MENTIONED')).toBe(1_000);
});

it.each([
  'TASK_ASSIGNED',
  'APPROVAL_REQUESTED',
  'SIGNATURE_REQUESTED',
] as const)('an unread %s outlives mentions and changes of what is followed', async (kind) => {
  const { db, home, notify, count } = await scene();
  await notify(home, kind);
  await notify(home, kind, 1, new Date());
  await notify(home, 'MENTIONED', 600);
  await notify(home, 'FOLLOWED', 600);
  await deleteOldNotifications(db);
  expect(await count(home.organization.id, kind)).toBe(1);
  expect(await count(home.organization.id, 'FOLLOWED')).toBe(600);
});
