import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { newSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { issuedColumns } from '../access/credential-issue.ts';
import { kinds } from '../events/event-feed.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound, staleVersion } from '../kernel/errors.ts';
import { parse, requireBatchSize, text } from '../kernel/input.ts';
import { changedNow } from '../kernel/version.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { inOrderOf, requireProjectOf } from '../projects/project.ts';
import { findWebhooks, type Webhook } from './webhook.ts';
import { endWaits } from './webhook-receiver.ts';

const url = z
  .string()
  .max(2_000)
  .refine(
    (value) => parseAddress(value) !== undefined,
    'must be an http or https address without a name or password',
  );

function parseAddress(value: string): URL | undefined {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const withoutCredentials = parsed && !parsed.username && !parsed.password;
  return withoutCredentials && ['http:', 'https:'].includes(parsed.protocol) ? parsed : undefined;
}

export const webhookQuery = text(10_000);

const creation = z.strictObject({
  organizationId: z.string(),
  webhooks: z.array(
    z.strictObject({ url, kinds: kinds.nullish(), projectId: z.string().nullish(), query: webhookQuery }),
  ),
});

export interface NewWebhook {
  webhook: Webhook;
  secret: string;
}

/**
 * Creates webhooks, all or none, that send events from now on. They run with the viewer's rights while these and the
 * credential last; the graph validates `query` beforehand. Requires the role OWNER or ADMIN. Throws CONFLICT at the limit.
 */
export function createWebhooks(ctx: Context, input: z.input<typeof creation>): Promise<NewWebhook[]> {
  const { organizationId, webhooks } = parse(creation, input);
  requireBatchSize(webhooks, ctx.limits.batchMax, 'webhooks');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await requireWithinLimit(ctx, tx, organizationId, webhooks.length);
    for (const [index, { projectId }] of webhooks.entries())
      if (projectId != null)
        await requireProjectOf(ctx, tx, organizationId, projectId, `webhooks.${index}.projectId`);
    const head = await tx.prisma.eventHead.findUnique({ where: { organizationId } });
    const owner = await ownerFields(ctx, tx);
    const secrets = webhooks.map(() => newSecret('dgw_'));
    const rows = webhooks.map(({ kinds, projectId, ...fields }, index) => ({
      ...fields,
      organizationId,
      projectId: projectId ?? null,
      kinds: kinds ?? [],
      ...sealedSecret(ctx, newId('Webhook'), secrets[index] as string),
      sequence: head?.sequence ?? 0n,
      ...owner,
    }));
    await tx.prisma.webhook.createMany({ data: rows });
    await recordWebhookEvents(ctx, tx, rows, 'webhook.created', ({ url, kinds, projectId }) => ({
      after: { url, kinds, projectId },
    }));
    const created = inOrderOf(
      await findWebhooks(
        ctx,
        rows.map(({ id }) => id),
        tx,
      ),
      rows,
    );
    return created.map((webhook, index) => ({ webhook, secret: secrets[index] as string }));
  });
}

const sealedSecret = ({ storage }: Context, id: string, secret: string) => ({
  id,
  secret: storage.vault.seal(secret, id),
});

/** The viewer, with their credential and application (if any): a webhook sends with the rights of its last editor. */
async function ownerFields({ viewer }: Context, tx: Transaction) {
  const { userId, credentialId } = viewer;
  const grant = await tx.prisma.grant.findUnique({ where: { id: credentialId }, select: { clientId: true } });
  return {
    ownerId: userId,
    credentialId,
    clientId: grant?.clientId ?? null,
    ...(await issuedColumns(tx, viewer)),
  };
}

/** Throws CONFLICT beyond the limit. Locks the organization, so that concurrent creations count one after the other. */
async function requireWithinLimit(
  { limits }: Context,
  tx: Transaction,
  organizationId: string,
  added: number,
) {
  await tx.query(sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`);
  const count = await tx.prisma.webhook.count({ where: { organizationId } });
  if (count + added > limits.webhooks)
    throw conflict(
      `An organization has ${limits.webhooks} webhooks at most; there are ${count}.`,
      'webhooks',
    );
}

const update = z.strictObject({
  webhookId: z.string(),
  url: url.nullish(),
  kinds: kinds.nullish(),
  projectId: z.string().nullish(),
  query: webhookQuery.nullish(),
  enabled: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Omitted members stay unchanged; null removes the project. An enabled webhook sends all events since it was disabled.
 * The viewer becomes the owner. Throws NOT_FOUND, or CONFLICT when `expectedVersion` is stale.
 */
export function updateWebhook(ctx: Context, input: z.input<typeof update>): Promise<Webhook> {
  const { webhookId, enabled, expectedVersion, ...requested } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireWebhook(ctx, tx, webhookId);
    if (expectedVersion != null && expectedVersion !== before.version) throw staleVersion(before.version);
    if (requested.projectId != null)
      await requireProjectOf(ctx, tx, before.organizationId, requested.projectId, 'projectId');
    const after = {
      url: requested.url ?? before.url,
      kinds: requested.kinds ?? before.kinds,
      projectId: requested.projectId === undefined ? before.projectId : requested.projectId,
      query: requested.query ?? before.query,
      ...(enabled != null && {
        state: enabled ? ('ACTIVE' as const) : ('DISABLED' as const),
        stateReason: enabled ? null : 'It was switched off.',
      }),
    };
    const owner = await ownerFields(ctx, tx);
    const { count } = await tx.prisma.webhook.updateMany({
      where: { id: webhookId, version: before.version },
      data: {
        ...after,
        ...owner,
        ...(enabled != null && { failingSince: null }),
        ...changedNow(),
      },
    });
    if (count === 0) throw staleVersion(before.version);
    if (enabled || requested.url != null) await endWaits(tx, webhookId);
    tx.wake('webhook');
    const { ownerId, clientId } = owner;
    const changed = { ...after, ownerId, clientId };
    await recordWebhookEvents(ctx, tx, [before], 'webhook.updated', () => changes(before, changed));
    return requireWebhook(ctx, tx, webhookId);
  });
}

const DEFAULT_OVERLAP = DAY;
const MAX_OVERLAP = 30 * DAY;

const rotation = z.strictObject({ webhookId: z.string(), previousExpiresAt: z.date().nullish() });

/** Creates a new secret. The previous one signs as well until `previousExpiresAt`: a day by default, 30 days at most. */
export function rotateWebhookSecret(ctx: Context, input: z.input<typeof rotation>): Promise<NewWebhook> {
  const { webhookId, previousExpiresAt } = parse(rotation, input);
  const secret = newSecret('dgw_');
  return inTransaction(ctx.db, async (tx) => {
    const now = (await databaseTime(tx)).getTime();
    const expiresAt = previousExpiresAt ?? new Date(now + DEFAULT_OVERLAP);
    if (expiresAt.getTime() > now + MAX_OVERLAP)
      throw badValue('previousExpiresAt', 'at most 30 days from now');
    const before = await requireWebhook(ctx, tx, webhookId);
    const { secret: previousSecret } = await tx.prisma.webhook.findUniqueOrThrow({
      where: { id: webhookId },
    });
    await tx.prisma.webhook.update({
      where: { id: webhookId },
      data: {
        ...sealedSecret(ctx, webhookId, secret),
        previousSecret,
        previousSecretExpiresAt: expiresAt,
        ...changedNow(),
      },
    });
    await recordWebhookEvents(ctx, tx, [before], 'webhook.secret_rotated', () => ({}));
    return { webhook: await requireWebhook(ctx, tx, webhookId), secret };
  });
}

const deletion = z.strictObject({ webhookIds: z.array(z.string()) });

/** Deletes webhooks with their pending deliveries, all or none. Returns the ids. Throws NOT_FOUND. */
export function deleteWebhooks(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { webhookIds } = parse(deletion, input);
  requireBatchSize(webhookIds, ctx.limits.batchMax, 'webhookIds');
  const ids = [...new Set(webhookIds)];
  return inTransaction(ctx.db, async (tx) => {
    const existing = await findWebhooks(ctx, ids, tx);
    requireFound('Webhook', ids, existing, positionIn('webhookIds', webhookIds));
    const { count } = await tx.prisma.webhook.deleteMany({
      where: { id: { in: existing.map(({ id }) => id) } },
    });
    if (count < ids.length) throw notFound('Webhook', 'webhookIds');
    await recordWebhookEvents(ctx, tx, existing, 'webhook.deleted', ({ url }) => ({ before: { url } }));
    return ids;
  });
}

/** Returns the webhook, locked until the transaction ends. Throws NOT_FOUND. */
export async function requireWebhook(ctx: Context, tx: Transaction, id: string): Promise<Webhook> {
  await tx.query(sql`SELECT id FROM webhooks WHERE id = ${id} FOR UPDATE`);
  const [webhook] = await findWebhooks(ctx, [id], tx);
  if (!webhook) throw notFound('Webhook', 'webhookId');
  return webhook;
}

const recordWebhookEvents = <Row extends Pick<Webhook, 'organizationId' | 'projectId' | 'id'>>(
  ctx: Context,
  tx: Transaction,
  rows: readonly Row[],
  kind: string,
  data: (row: Row) => ReturnType<typeof changes>,
) =>
  recordEvents(
    ctx,
    tx,
    rows.map((row) => ({
      organizationId: row.organizationId,
      subjectId: row.id,
      kind,
      data: data(row),
    })),
  );
