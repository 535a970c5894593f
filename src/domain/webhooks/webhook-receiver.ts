import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { SECOND } from '../../lib/time.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { tables } from '../kernel/tables.ts';

/** Consecutive sends without a response after which a receiver is paused. */
const FAILURES_BEFORE_PAUSE = 3;

/** Each pause is twice as long as the one before, up to FIRST_PAUSE * MAX_PAUSE_FACTOR: an hour. */
const FIRST_PAUSE = 10 * SECOND;
const MAX_PAUSE_FACTOR = 360;

/** After a pause, how long one webhook may probe the receiver before another one may. */
const PROBE_LEASE = 30 * SECOND;

/** The host and port of a webhook: the key of a receiver within its organization. */
export const receiverHost = (webhooks: Rows<'webhooks'>): Sql =>
  sql`coalesce(lower(substring(${webhooks}.url from '^[^:]+:[/\\\\]*([^/\\\\?#]+)')), '')`;

/** Joins the receiver of a webhook; there is a row only while its latest sends had no response. */
export const receiverOfWebhook = (receivers: Rows<'webhook_receivers'>, webhooks: Rows<'webhooks'>): Sql =>
  sql`${receivers.from} ON ${receivers}.organization_id = ${webhooks}.organization_id AND ${receivers}.host = ${receiverHost(webhooks)}`;

/** Receivers are tracked per organization, so that the failures of one organization do not pause another. */
export interface Receiver {
  organizationId: string;
  host: string;
}

/** Clears the failures of a receiver: it has responded, with whatever status. */
export const recordResponse = (tx: Transaction, { organizationId, host }: Receiver): Promise<unknown> =>
  tx.query(sql`DELETE FROM webhook_receivers WHERE organization_id = ${organizationId} AND host = ${host}`);

/**
 * Counts a send without a response, and pauses the receiver after FAILURES_BEFORE_PAUSE. Sends that were under way when
 * the pause began do not extend it; a failed `probe` does.
 */
export const recordNoResponse = (
  tx: Transaction,
  { organizationId, host }: Receiver,
  reason: string,
  probe: boolean,
): Promise<unknown> =>
  tx.query(sql`INSERT INTO webhook_receivers AS r (organization_id, host, failures, reason)
    VALUES (${organizationId}, ${host}, 1, ${reason})
    ON CONFLICT (organization_id, host) DO UPDATE SET failures = r.failures + 1, reason = excluded.reason,
      paused_until = CASE WHEN r.failures + 1 >= ${FAILURES_BEFORE_PAUSE}
        THEN ${nowPlus(FIRST_PAUSE)} + (least(2 ^ least(r.failures + 1 - ${FAILURES_BEFORE_PAUSE}, 20), ${MAX_PAUSE_FACTOR}) - 1) * ${FIRST_PAUSE / SECOND} * interval '1 second' END
    WHERE r.paused_until IS NULL OR ${probe}`);

/** Lets the webhook of the CTE `due` probe its receiver after a pause, and no other one for PROBE_LEASE. */
export const claimProbe: Sql = sql`UPDATE webhook_receivers r SET paused_until = ${nowPlus(PROBE_LEASE)} FROM due
  WHERE r.organization_id = due.organization_id AND r.host = due.host AND r.paused_until <= now() RETURNING r.host`;

/** Ends the pause of a webhook's receiver, as when the probing webhook had nothing to send. */
export const endPause = (reader: Reader, webhookId: string): Promise<unknown> =>
  reader.query(sql`UPDATE webhook_receivers r SET paused_until = ${dueNow} FROM ${tables.webhooks.from}
    WHERE w.id = ${webhookId} AND r.organization_id = w.organization_id AND r.host = ${receiverHost(tables.webhooks)}
    AND r.paused_until IS NOT NULL`);

/** Lets a webhook send at once, on request of a user: neither a pause nor what its receiver asked for is waited for. */
export async function endWaits(tx: Transaction, webhookId: string): Promise<void> {
  await endPause(tx, webhookId);
  await tx.query(sql`UPDATE webhooks SET waits_until = NULL WHERE id = ${webhookId}`);
}

/** Deletes receivers that no active webhook sends to any more. */
export const deleteUnusedReceivers = (db: Database): Promise<unknown> =>
  db.query(sql`DELETE FROM webhook_receivers r WHERE NOT EXISTS (SELECT FROM ${tables.webhooks.from}
    WHERE w.organization_id = r.organization_id AND w.state = 'ACTIVE' AND ${receiverHost(tables.webhooks)} = r.host)`);
