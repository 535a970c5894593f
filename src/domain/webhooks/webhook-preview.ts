import { isOrganizationAdmin } from '../access/role.ts';
import type { Event } from '../events/event.ts';
import { type EventFilter, eventsOfOrganization, kinds } from '../events/event-feed.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { listPages } from '../kernel/listing.ts';
import { limitedOrganizations } from '../kernel/viewer.ts';
import { requireProjectOf } from '../projects/project.ts';
import { findWebhooks } from './webhook.ts';
import { webhookQuery } from './webhook-change.ts';
import { bodyOf, findEvent, type Message, messageOf, type Select } from './webhook-payload.ts';

/** The newest event that the viewer sees and a webhook with this filter would be sent. */
async function newestEvent(
  ctx: Context,
  organizationId: string,
  { kinds, projectId }: EventFilter,
): Promise<Event | undefined> {
  const [page] = await listPages(
    ctx,
    eventsOfOrganization(ctx, organizationId),
    [{ organizationId, id: organizationId }],
    {
      first: 1,
      filter: { kinds: kinds?.length ? kinds : null, projectId },
      orderBy: { field: 'SEQUENCE', direction: 'DESC' },
    },
  );
  return page?.rows[0];
}

/** The sequence of the event to send to a webhook: the requested one, or the newest. Throws NOT_FOUND, or BAD_USER_INPUT where there is none. */
export async function sequenceToSend(
  ctx: Context,
  webhookId: string,
  requested?: bigint | null,
): Promise<bigint> {
  const [hook] = await findWebhooks(ctx, [webhookId]);
  if (!hook) throw notFound('Webhook', 'webhookId');
  if (requested != null) {
    if (!(await findEvent(ctx, hook.organizationId, requested))) throw notFound('Event', 'sequence');
    return requested;
  }
  const newest = await newestEvent(ctx, hook.organizationId, hook);
  if (!newest) throw badInput('There is no event yet that this webhook would be sent.');
  return newest.sequence;
}

/** The message that would be sent for an event, with the viewer's own rights; sends nothing. Throws NOT_FOUND. */
export async function previewWebhook(
  ctx: Context,
  webhookId: string,
  requested: bigint | null | undefined,
  select: Select,
): Promise<Message> {
  const sequence = await sequenceToSend(ctx, webhookId, requested);
  const hook = await ctx.db.prisma.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  const event = await findEvent(ctx, hook.organizationId, sequence);
  if (!event) throw notFound('Event', 'sequence');
  return messageOf(ctx, hook, event, select);
}

/** Stands for the id of a webhook that is not created yet. */
const EXAMPLE_ID = `whk_${'0'.repeat(26)}`;

interface NewWebhookSettings extends EventFilter {
  organizationId: string;
  query: string;
}

/**
 * The body that a webhook with these settings would be sent for the newest event, with the viewer's own rights. Null where there is
 * no such event. Throws NOT_FOUND for a project of another organization.
 */
export async function previewNewWebhook(
  ctx: Context,
  { organizationId, projectId, query, ...filter }: NewWebhookSettings,
  select: Select,
): Promise<string | null> {
  parse(webhookQuery, query, 'query');
  parse(kinds, filter.kinds ?? [], 'kinds');
  if (projectId != null) await requireProjectOf(ctx, ctx.db, organizationId, projectId, 'projectId');
  const event = await newestEvent(ctx, organizationId, { ...filter, projectId });
  return event ? bodyOf(ctx, { id: EXAMPLE_ID, query }, event, select) : null;
}

/** Whether the viewer may create webhooks in an organization that they see. */
export const createsWebhooks = ({ viewer }: Context, organizationId: string): boolean =>
  isOrganizationAdmin(viewer, organizationId) && !limitedOrganizations(viewer).includes(organizationId);
