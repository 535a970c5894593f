import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import { queueEndedMail } from './webhook-mail.ts';

/** The actor of changes that follow from the results of deliveries rather than from a request. */
const SERVER: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'webhook' };

/** Why the server ends a webhook. `condition`: on its row, in addition to being active. */
export interface WebhookEnd {
  state: 'SUSPENDED' | 'DISABLED';
  reason: string;
  condition?: Sql;
}

/** Ends an active webhook and records one event with the reason, which its owner gets by mail. Call it last in a transaction. */
export async function endWebhook(
  tx: Transaction,
  id: string,
  { state, reason, condition = sql`true` }: WebhookEnd,
): Promise<void> {
  const [ended] = await tx.query<{ organizationId: string }>(sql`
    UPDATE webhooks SET state = ${state}::webhook_state, state_reason = ${reason}
    WHERE id = ${id} AND state = 'ACTIVE' AND ${condition} RETURNING organization_id`);
  if (!ended) return;
  await queueEndedMail(tx, { ...ended, id });
  const data = { before: { state: 'ACTIVE' }, after: { state, stateReason: reason } };
  await recordEvents(SERVER, tx, [
    { ...ended, subjectId: id, kind: `webhook.${state === 'DISABLED' ? 'disabled' : 'suspended'}`, data },
  ]);
}
