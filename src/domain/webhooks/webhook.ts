import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type {
  WebhookAttempt as WebhookAttemptRow,
  WebhookDelivery as WebhookDeliveryRow,
  Webhook as WebhookRow,
} from '../../generated/prisma/client.ts';
import { visibleWebhooks } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { receiverOfWebhook } from './webhook-receiver.ts';

/** Without the secrets: the domain returns each of them once, on creation. */
export type Webhook = Omit<WebhookRow, 'secret' | 'previousSecret' | 'busyUntil' | 'waitsUntil'> & {
  /** When it sends next: the earliest pending delivery, after its pause. Null when none is pending. */
  nextTryAt: Date | null;
  /** Until when it is paused, since its receiver does not answer or asked to wait, and why; null when it is not. */
  pausedUntil: Date | null;
  pauseReason: string | null;
};
export type WebhookDelivery = WebhookDeliveryRow;
export type WebhookAttempt = WebhookAttemptRow;

const webhookColumns = sql`w.organization_id, w.id, w.project_id, w.owner_id, w.credential_id, w.client_id,
  w.authorized_at, w.second_factor, w.url, w.kinds, w.query,
  w.state::text AS state, w.state_reason, w.sequence, w.previous_secret_expires_at, w.failing_since, w.created_at,
  w.modified_at, w.version, p.paused_until, p.reason AS pause_reason,
  CASE WHEN w.state = 'ACTIVE' THEN (SELECT greatest(min(d.next_try_at), p.paused_until) FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.state = 'PENDING') END AS next_try_at`;

const ASKED_TO_WAIT = 'Its receiver asked to wait (Retry-After).';

/** With what it waits for: its receiver, or the server while all deliveries to that host are paused; whichever is longer. */
const WEBHOOKS = sql`${tables.webhooks.from} CROSS JOIN LATERAL (
  SELECT CASE WHEN y.is_asked THEN w.waits_until ELSE ${tables.webhookReceivers}.paused_until END AS paused_until,
    CASE WHEN y.is_asked THEN ${ASKED_TO_WAIT} ELSE ${tables.webhookReceivers}.reason END AS reason
  FROM (SELECT) x LEFT JOIN ${receiverOfWebhook(tables.webhookReceivers, tables.webhooks)} AND ${tables.webhookReceivers}.paused_until > now()
  CROSS JOIN LATERAL (SELECT coalesce(w.waits_until > greatest(now(), ${tables.webhookReceivers}.paused_until), false) AS is_asked) y) p`;

export const webhooksOfOrganization: Listing<Webhook, object, 'CREATED_AT'> = {
  name: 'webhooksOfOrganization',
  select: () => webhookColumns,
  from: WEBHOOKS,
  where: ({ viewer }) => sql`w.organization_id = k.id AND ${visibleWebhooks(viewer, tables.webhooks)}`,
  sorts: { CREATED_AT: sortBy(sql`w.id`, sql`w.created_at`, 'timestamptz', (row) => row.createdAt) },
};

/** Those of the ids that are visible, in no particular order. */
export const findWebhooks = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Webhook>(
    sql`SELECT ${webhookColumns} FROM ${WEBHOOKS} WHERE w.id ${sql.any(ids)} AND ${visibleWebhooks(ctx.viewer, tables.webhooks)}`,
  );

const deliveryColumns = sql`d.organization_id, d.id, d.webhook_id, d.sequence, d.state::text AS state, d.tries, d.queued_at,
  d.next_try_at`;

const DELIVERIES = sql`webhook_deliveries d JOIN ${tables.webhooks.from} ON w.organization_id = d.organization_id AND w.id = d.webhook_id`;

/** The deliveries of a webhook, ended and pending. */
export const deliveriesOfWebhook: Listing<
  WebhookDelivery,
  { states?: readonly WebhookDelivery['state'][] | null },
  'SEQUENCE'
> = {
  name: 'deliveriesOfWebhook',
  select: () => deliveryColumns,
  from: DELIVERIES,
  where: ({ viewer }, { states }) => sql`d.organization_id = k.organization_id AND d.webhook_id = k.id
    AND ${visibleWebhooks(viewer, tables.webhooks)} AND ${states ? sql`d.state::text = ANY(${states})` : sql`true`}`,
  sorts: {
    SEQUENCE: { ...sortBy(sql`d.id`, sql`d.sequence`, 'bigint', (row) => row.sequence), unique: true },
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findDeliveries = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<WebhookDelivery>(
    sql`SELECT ${deliveryColumns} FROM ${DELIVERIES} WHERE d.id ${sql.any(ids)} AND ${visibleWebhooks(ctx.viewer, tables.webhooks)}`,
  );

/** Those of the ids that are visible, in no particular order. */
export const findAttempts = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<WebhookAttempt>(sql`SELECT t.* FROM webhook_attempts t
    JOIN webhook_deliveries d ON d.organization_id = t.organization_id AND d.id = t.delivery_id
    JOIN ${tables.webhooks.from} ON w.organization_id = d.organization_id AND w.id = d.webhook_id
    WHERE t.id ${sql.any(ids)} AND ${visibleWebhooks(viewer, tables.webhooks)}`);
