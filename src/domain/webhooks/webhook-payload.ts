import { sql } from '../../db/sql/sql.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { visibleEvents } from '../access/access-event.ts';
import type { Event } from '../events/event.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { type Secrets, signatureOf } from './webhook-signature.ts';

/** Executes the query of a webhook on an event, with the rights of a context. Throws when the graph returns errors. */
export type Select = (query: string, ctx: Context, event: Event) => Promise<object>;

export interface Message {
  body: string;
  headers: Record<string, string>;
}

/** The event with this sequence; undefined when it does not exist or is no longer visible to the viewer. */
export async function findEvent(
  ctx: Context,
  organizationId: string,
  sequence: bigint,
): Promise<Event | undefined> {
  const [event] = await ctx.db.query<Event>(sql`SELECT e.* FROM ${tables.events.from}
    WHERE e.organization_id = ${organizationId} AND e.sequence = ${sequence} AND ${visibleEvents(ctx.viewer, tables.events)}`);
  return event;
}

/** The exact body for an event. */
export async function bodyOf(
  ctx: Context,
  hook: Pick<Webhook, 'id' | 'query'>,
  event: Event,
  select: Select,
): Promise<string> {
  const { id, organizationId, sequence, kind, createdAt } = event;
  const data = await select(hook.query, ctx, event);
  return JSON.stringify({
    id,
    webhookId: hook.id,
    organizationId,
    sequence: Number(sequence),
    kind,
    createdAt,
    data,
  });
}

/** Builds the request for an event: the exact body and its headers, signed with the present time. */
export async function messageOf(ctx: Context, hook: Webhook, event: Event, select: Select): Promise<Message> {
  const body = await bodyOf(ctx, hook, event, select);
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Docgraph-Webhook',
      'docgraph-webhook-id': hook.id,
      'docgraph-event-id': event.id,
      'docgraph-event-kind': event.kind,
      'docgraph-signature': signatureOf(openSecrets(ctx, hook), body, new Date()),
    },
  };
}

/** The secrets of a webhook, which are stored sealed. */
export function openSecrets({ storage }: Context, hook: Webhook): Secrets {
  const open = (sealed: string) => storage.vault.open(sealed, hook.id);
  const { secret, previousSecret, previousSecretExpiresAt } = hook;
  return {
    secret: open(secret),
    previousSecret: previousSecret && open(previousSecret),
    previousSecretExpiresAt,
  };
}
