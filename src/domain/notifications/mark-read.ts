import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { visibleNotifications } from '../access/access-notification.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { findNotifications } from './notification.ts';

const marking = z.strictObject({ ids: z.array(z.string()).nullish(), until: z.date().nullish() });

/**
 * Marks notifications of the viewer as read: those with these ids, all or none, or all that happened until a time. Read ones stay
 * as they are. Throws NOT_FOUND, and BAD_USER_INPUT unless exactly one of both is given.
 */
export function markNotificationsRead(ctx: Context, input: z.input<typeof marking>): Promise<void> {
  const { ids, until } = parse(marking, input);
  if ((ids == null) === (until == null)) throw badValue('ids', 'give either ids or until');
  if (ids) requireBatchSize(ids, ctx.limits.batchMax, 'ids');
  return inTransaction(ctx.db, async (tx) => {
    if (ids) requireFound('Notification', ids, await findNotifications(ctx, ids, tx), positionIn('ids', ids));
    await tx.query(sql`UPDATE notifications SET read_at = now() WHERE id IN (
      SELECT n.id FROM ${tables.notifications.from} WHERE n.user_id = ${ctx.viewer.userId} AND n.read_at IS NULL
      AND ${ids ? sql`n.id ${sql.any(ids)}` : sql`n.happened_at <= ${until}::timestamptz`} AND ${visibleNotifications(ctx.viewer, tables.notifications)}
      ORDER BY n.id FOR UPDATE)`);
  });
}
