import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { claimRoundRobin, dueNow } from '../due-work/round-robin.ts';
import { tables } from '../kernel/tables.ts';
import { claimProbe, endPause, receiverHost, receiverOfWebhook } from './webhook-receiver.ts';

/** How long a process may work on a webhook before another one may claim it. */
const LEASE = 2 * MINUTE;

/** A webhook that this process has leased. `probe`: this is the first send to its receiver after a pause. */
export type ClaimedWebhook = Webhook & { host: string; probe: boolean };

/** Organizations and hosts that are at their limit of concurrent sends. */
export interface ClaimExclusions {
  organizationIds: readonly string[];
  hosts: readonly string[];
}

/**
 * Claims an active webhook that has something to send: round-robin over the organizations, and the longest-waiting one
 * within each. Undefined when there is none, or none in `organizationIds`.
 */
export const claimWebhook = (
  db: Database,
  exclusions: ClaimExclusions,
  organizationIds?: readonly string[],
): Promise<ClaimedWebhook | undefined> =>
  claimRoundRobin(db, 'webhook', async (condition) => {
    const [claimed] = await db.query<ClaimedWebhook>(sql`
      WITH due AS MATERIALIZED (
        SELECT w.organization_id, w.id, ${receiverHost(tables.webhooks)} AS host, ${tables.webhookReceivers}.paused_until IS NOT NULL AS probe
        FROM ${tables.webhooks.from} JOIN event_heads h ON h.organization_id = w.organization_id
        LEFT JOIN ${receiverOfWebhook(tables.webhookReceivers, tables.webhooks)}
        WHERE w.state = 'ACTIVE' AND w.organization_id ${condition}
        AND ${organizationIds ? sql`w.organization_id = ANY(${organizationIds})` : sql`true`}
        AND w.organization_id <> ALL(${exclusions.organizationIds}) AND ${receiverHost(tables.webhooks)} <> ALL(${exclusions.hosts})
        AND (w.busy_until IS NULL OR w.busy_until <= now())
        AND (w.waits_until IS NULL OR w.waits_until <= now()) AND (${tables.webhookReceivers}.paused_until IS NULL OR ${tables.webhookReceivers}.paused_until <= now())
        AND (w.sequence < h.sequence OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id
          AND d.state = 'PENDING' AND d.next_try_at <= now()))
        ORDER BY w.organization_id, w.busy_until NULLS FIRST, w.id LIMIT 1 FOR UPDATE OF w SKIP LOCKED
      ), probe AS (${claimProbe})
      UPDATE webhooks w SET busy_until = ${nowPlus(LEASE)} FROM due
      WHERE w.id = due.id AND (NOT due.probe OR EXISTS (SELECT FROM probe))
      RETURNING w.*, due.host, due.probe`);
    return claimed;
  });

/** How long a webhook waits after a failure of this server. */
const POSTPONE_DELAY = 10 * SECOND;

const setBusyUntil = (db: Database, hook: ClaimedWebhook, until: Sql): Promise<unknown> =>
  db.query(sql`UPDATE webhooks SET busy_until = ${until}
    WHERE id = ${hook.id} AND busy_until = ${hook.busyUntil}::timestamptz`);

/** Releases a claimed webhook, unless its lease has ended. `sent`: whether it sent anything under this claim. */
export async function releaseWebhook(db: Database, hook: ClaimedWebhook, sent: boolean): Promise<void> {
  if (hook.probe && !sent) await endPause(db, hook.id);
  await setBusyUntil(db, hook, dueNow);
}

/** Releases a webhook that failed, to be claimed again after a delay. */
export const postponeWebhook = (db: Database, hook: ClaimedWebhook): Promise<unknown> =>
  setBusyUntil(db, hook, nowPlus(POSTPONE_DELAY));
