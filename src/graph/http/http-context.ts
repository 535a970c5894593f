import type { HttpBindings } from '@hono/node-server';
import type { Context as Call } from 'hono';
import type { Context } from '../../domain/kernel/context.ts';
import type { Delivery } from '../../domain/kernel/response-size.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { type GraphContext, graphContext, type PointsState } from '../engine/context.ts';

/** What the server does for each request: authentication, rate limits, and accounting for responses. */
export interface RequestServices {
  requests: {
    requestIdOf: (call: Call) => string;
    /** Throws UNAUTHENTICATED without a live credential, and RATE_LIMITED. */
    graphContextOf: (call: Call) => Promise<Context>;
    /** Authenticates a long-lived request again, as of `since` or later, without counting it against the rate limit. */
    renewGraphContext: (call: Call, since: number) => Promise<Context>;
  };
  rateLimit: {
    /** Counts the points of an operation. Throws RATE_LIMITED. */
    charge: (call: Call, viewer: Viewer, points: number) => Promise<PointsState | undefined>;
    /** Counts points that were measured afterwards, whether any are left or not. */
    add: (call: Call, viewer: Viewer, points: number) => Promise<void>;
  };
  /** Accounts for a response until it is read. */
  unread: { deliveryOf: (call: Call) => Delivery };
}

/** The connection of Node; undefined in tests without a socket. */
export const outgoingOf = (call: Call): HttpBindings['outgoing'] | undefined =>
  (call.env as Partial<HttpBindings> | undefined)?.outgoing;

/** The context of the operation in a request of `ctx`. What the operation is and uses goes to the access log. */
export function httpContext(
  { requests, rateLimit, unread }: RequestServices,
  call: Call,
  ctx: Context,
): GraphContext {
  const { viewer } = ctx;
  const key = call.req.header('idempotency-key');
  const outgoing = outgoingOf(call);
  return {
    ...graphContext(ctx),
    charge: (points) => rateLimit.charge(call, viewer, points),
    chargeMeasured: (points) => rateLimit.add(call, viewer, points),
    delivery: unread.deliveryOf(call),
    disconnect: outgoing && (() => void outgoing.destroy()),
    explain: call.req.header('x-explain-access') === '1' || undefined,
    idempotency: key === undefined ? undefined : { key, replayed: false },
    lastEventId: call.req.header('last-event-id'),
    onDeprecated: (coordinates) => call.set('deprecated', coordinates),
    onFailure: (code) => call.set('failure', code),
    onOperation: (name) => call.set('operation', name),
    renew: (since) => requests.renewGraphContext(call, since),
  };
}
