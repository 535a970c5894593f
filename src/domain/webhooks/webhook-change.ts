import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { newSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { kinds } from '../events/event-feed.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, notFound, staleVersion } from '../kernel/errors.ts';
import { parse, requireBatchSize, text } from '../kernel/input.ts';
import { changedNow } from '../kernel/version.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { inOrderOf, requireProjectOf } from '../projects/project.ts';
import { findWebhooks, type Webhook } from './webhook.ts';
import { endPause } from './webhook-receiver.ts';

const url = z
  .string()
  .max(2_000)
  .refine(
    (value) => addressOf(value) !== undefined,
    'must be an http or https address without a name or password',
  );

function addressOf(value: string): URL | undefined {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const plain = parsed && !parsed.username && !parsed.password;
  return plain && ['http:', 'https:'].includes(parsed.protocol) ? parsed : undefined;
}

const query = text(10_000);

const creation = z.strictObject({
  organizationId: z.string(),
  webhooks: z.array(z.strictObject({ url, kinds: kinds.nullish(), projectId: z.string().nullish(), query })),
});

export interface NewWebhook {
  webhook: Webhook;
  secret: string;
}

/**
 * Makes webhooks, all or none, that send what happens from now on. They run with the viewer's rights, as long as these
 * last and the credential does; `query` is checked by the graph before. Takes the role OWNER or ADMIN.
 */
export function createWebhooks(ctx: Context, input: z.input<typeof creation>): Promise<NewWebhook[]> {
  const { organizationId, webhooks } = parse(creation, input);
  requireBatchSize(webhooks, ctx.limits.batchMax, 'webhooks');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await requireRoom(ctx, tx, organizationId, webhooks.length);
    for (const [index, { projectId }] of webhooks.entries())
      if (projectId != null)
        await requireProjectOf(ctx, tx, organizationId, projectId, `webhooks.${index}.projectId`);
    const head = await tx.prisma.eventHead.findUnique({ where: { organizationId } });
    const owner = await ownedBy(ctx, tx);
    const secrets = webhooks.map(() => newSecret('dgw_'));
    const rows = webhooks.map(({ kinds, projectId, ...facts }, index) => ({
      ...facts,
      organizationId,
      projectId: projectId ?? null,
      kinds: kinds ?? [],
      ...sealed(ctx, newId('Webhook'), secrets[index] as string),
      sequence: head?.sequence ?? 0n,
      ...owner,
    }));
    await tx.prisma.webhook.createMany({ data: rows });
    await tell(ctx, tx, rows, 'webhook.created', ({ url, kinds, projectId }) => ({
      after: { url, kinds, projectId },
    }));
    const made = inOrderOf(
      await findWebhooks(
        ctx,
        rows.map(({ id }) => id),
        tx,
      ),
      rows,
    );
    return made.map((webhook, index) => ({ webhook, secret: secrets[index] as string }));
  });
}

const sealed = ({ storage }: Context, id: string, secret: string) => ({
  id,
  secret: storage.vault.seal(secret, id),
});

/** Whoever sets a webhook up, or changes it, answers for what it sends; with their application, if it was by one. */
async function ownedBy({ viewer: { userId, credentialId } }: Context, tx: Transaction) {
  const grant = await tx.prisma.grant.findUnique({ where: { id: credentialId }, select: { clientId: true } });
  return { ownerId: userId, credentialId, clientId: grant?.clientId ?? null };
}

/** Throws CONFLICT beyond the limit. The organization is locked, so that others who make some wait for their count. */
async function requireRoom({ limits }: Context, tx: Transaction, organizationId: string, more: number) {
  await tx.query(sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`);
  const count = await tx.prisma.webhook.count({ where: { organizationId } });
  if (count + more > limits.webhooks)
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
  query: query.nullish(),
  enabled: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Members left out stay as they are; null takes away the project. Switched on again, it sends all that has happened
 * since it was switched off. It belongs to the viewer from then on.
 */
export function updateWebhook(ctx: Context, input: z.input<typeof update>): Promise<Webhook> {
  const { webhookId, enabled, expectedVersion, ...wanted } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireWebhook(ctx, tx, webhookId);
    if (expectedVersion != null && expectedVersion !== before.version) throw staleVersion(before.version);
    if (wanted.projectId != null)
      await requireProjectOf(ctx, tx, before.organizationId, wanted.projectId, 'projectId');
    const after = {
      url: wanted.url ?? before.url,
      kinds: wanted.kinds ?? before.kinds,
      projectId: wanted.projectId === undefined ? before.projectId : wanted.projectId,
      query: wanted.query ?? before.query,
      ...(enabled != null && {
        state: enabled ? ('ACTIVE' as const) : ('DISABLED' as const),
        stateReason: enabled ? null : 'It was switched off.',
      }),
    };
    const { count } = await tx.prisma.webhook.updateMany({
      where: { id: webhookId, version: before.version },
      data: {
        ...after,
        ...(await ownedBy(ctx, tx)),
        ...(enabled != null && { failingSince: null }),
        ...changedNow(),
      },
    });
    if (count === 0) throw staleVersion(before.version);
    if (enabled || wanted.url != null) await endPause(tx, webhookId);
    tx.wake('webhook');
    await tell(ctx, tx, [before], 'webhook.updated', () => changes(before, after));
    return requireWebhook(ctx, tx, webhookId);
  });
}

const OVERLAP = DAY;
const OVERLAP_MAX = 30 * DAY;

const rotation = z.strictObject({ webhookId: z.string(), previousExpiresAt: z.date().nullish() });

/** A second secret beside the present one, which signs as well until it ends: in a day unless said otherwise. */
export function rotateWebhookSecret(ctx: Context, input: z.input<typeof rotation>): Promise<NewWebhook> {
  const { webhookId, previousExpiresAt } = parse(rotation, input);
  const end = previousExpiresAt ?? new Date(Date.now() + OVERLAP);
  if (end.getTime() > Date.now() + OVERLAP_MAX)
    throw badInput('previousExpiresAt: at most 30 days from now', 'previousExpiresAt');
  const secret = newSecret('dgw_');
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireWebhook(ctx, tx, webhookId);
    const { secret: previousSecret } = await tx.prisma.webhook.findUniqueOrThrow({
      where: { id: webhookId },
    });
    await tx.prisma.webhook.update({
      where: { id: webhookId },
      data: {
        ...sealed(ctx, webhookId, secret),
        previousSecret,
        previousSecretExpiresAt: end,
        ...changedNow(),
      },
    });
    await tell(ctx, tx, [before], 'webhook.secret_rotated', () => ({}));
    return { webhook: await requireWebhook(ctx, tx, webhookId), secret };
  });
}

const deletion = z.strictObject({ webhookIds: z.array(z.string()) });

/** All or nothing; what they still had to send is gone with them. Gives the ids. */
export function deleteWebhooks(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { webhookIds } = parse(deletion, input);
  requireBatchSize(webhookIds, ctx.limits.batchMax, 'webhookIds');
  const ids = [...new Set(webhookIds)];
  return inTransaction(ctx.db, async (tx) => {
    const found = await findWebhooks(ctx, ids, tx);
    const { count } = await tx.prisma.webhook.deleteMany({
      where: { id: { in: found.map(({ id }) => id) } },
    });
    if (count < ids.length) throw notFound('Webhook', 'webhookIds');
    await tell(ctx, tx, found, 'webhook.deleted', ({ url }) => ({ before: { url } }));
    return ids;
  });
}

/** The webhook, held until the transaction ends. Throws NOT_FOUND. */
export async function requireWebhook(ctx: Context, tx: Transaction, id: string): Promise<Webhook> {
  await tx.query(sql`SELECT id FROM webhooks WHERE id = ${id} FOR UPDATE`);
  const [webhook] = await findWebhooks(ctx, [id], tx);
  if (!webhook) throw notFound('Webhook', 'webhookId');
  return webhook;
}

const tell = <Row extends Pick<Webhook, 'organizationId' | 'projectId' | 'id'>>(
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
