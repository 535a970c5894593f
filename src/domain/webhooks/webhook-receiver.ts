import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { SECOND } from '../../lib/time.ts';
import { dueNow } from '../kernel/round-robin.ts';

/** Sends in a row without an answer, after which a receiver is left alone for a while. */
const TOLERATED = 3;

/** The first pause; each one after it is twice as long, up to an hour. */
const PAUSE = 10 * SECOND;
const LONGEST = 360;

/** How long one webhook may try a receiver whose pause is over, before another one may. */
const PROBE = 30 * SECOND;

/** The host and port of the webhook `w`: what its organization calls one receiver. */
export const receiverHost: Sql = sql.raw(
  String.raw`coalesce(lower(substring(w.url from '^[^:]+:[/\\]*([^/\\?#]+)')), '')`,
);

/** The receiver `r` of the webhook `w`, if it did not answer lately. */
export const receiverOfWebhook: Sql = sql`webhook_receivers r
  ON r.organization_id = w.organization_id AND r.host = ${receiverHost}`;

/** A receiver is judged by each organization alone: what one sends there must not stop what another one does. */
export interface Receiver {
  organizationId: string;
  host: string;
}

/** Ends what is known against a receiver: it has answered, whatever it said. */
export const noteAnswer = (tx: Transaction, { organizationId, host }: Receiver): Promise<unknown> =>
  tx.query(sql`DELETE FROM webhook_receivers WHERE organization_id = ${organizationId} AND host = ${host}`);

/**
 * Counts a send that got no answer, and pauses the receiver after some. What was under way when the pause began does not
 * make it longer; `probe` does, the one try after it.
 */
export const noteSilence = (
  tx: Transaction,
  { organizationId, host }: Receiver,
  reason: string,
  probe: boolean,
): Promise<unknown> =>
  tx.query(sql`INSERT INTO webhook_receivers AS r (organization_id, host, failures, reason)
    VALUES (${organizationId}, ${host}, 1, ${reason})
    ON CONFLICT (organization_id, host) DO UPDATE SET failures = r.failures + 1, reason = excluded.reason,
      paused_until = CASE WHEN r.failures + 1 >= ${TOLERATED}
        THEN ${nowPlus(PAUSE)} + (least(2 ^ least(r.failures + 1 - ${TOLERATED}, 20), ${LONGEST}) - 1) * ${PAUSE / SECOND} * interval '1 second' END
    WHERE r.paused_until IS NULL OR ${probe}`);

/** Lets the webhook of the CTE `due` try its receiver: the first one after a pause, and it alone for a while. */
export const takeProbe: Sql = sql`UPDATE webhook_receivers r SET paused_until = ${nowPlus(PROBE)} FROM due
  WHERE r.organization_id = due.organization_id AND r.host = due.host AND r.paused_until <= now() RETURNING r.host`;

/** Lets the receiver of a webhook be tried at once: somebody asks for it, or whoever was to try it had nothing to send. */
export const endPause = (reader: Reader, webhookId: string): Promise<unknown> =>
  reader.query(sql`UPDATE webhook_receivers r SET paused_until = ${dueNow} FROM webhooks w
    WHERE w.id = ${webhookId} AND r.organization_id = w.organization_id AND r.host = ${receiverHost}
    AND r.paused_until IS NOT NULL`);

/** Forgets receivers that no active webhook sends to any more. */
export const forgetReceivers = (db: Database): Promise<unknown> =>
  db.query(sql`DELETE FROM webhook_receivers r WHERE NOT EXISTS (SELECT FROM webhooks w
    WHERE w.organization_id = r.organization_id AND w.state = 'ACTIVE' AND ${receiverHost} = r.host)`);
