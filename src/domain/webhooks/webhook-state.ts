import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';

/** Nobody's command: it follows from what became of what was sent. */
const SERVER: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'webhook' };

/** How a webhook ends by itself. `condition`: on its row, beside being active. */
export interface WebhookEnd {
  state: 'SUSPENDED' | 'DISABLED';
  reason: string;
  condition?: Sql;
}

/** Ends the sending of an active webhook, with an event that says why, once. Call it last in a transaction. */
export async function endWebhook(
  tx: Transaction,
  id: string,
  { state, reason, condition = sql`true` }: WebhookEnd,
): Promise<void> {
  const [ended] = await tx.query<{ organizationId: string }>(sql`
    UPDATE webhooks SET state = ${state}::webhook_state, state_reason = ${reason}
    WHERE id = ${id} AND state = 'ACTIVE' AND ${condition} RETURNING organization_id`);
  if (!ended) return;
  const data = { before: { state: 'ACTIVE' }, after: { state, stateReason: reason } };
  await recordEvents(SERVER, tx, [
    { ...ended, subjectId: id, kind: `webhook.${state === 'DISABLED' ? 'disabled' : 'suspended'}`, data },
  ]);
}
