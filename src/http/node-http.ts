import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { clientAddress } from '../auth/client-address.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { Cancellation } from '../lib/cancellation.ts';
import { MINUTE } from '../lib/time.ts';

/** Node's side of a call; requests that a test hands to the application have none. */
const nodeOf = (call: Context): Partial<HttpBindings> =>
  (call.env as Partial<HttpBindings> | undefined) ?? {};

const incomingOf = (call: Context) => nodeOf(call).incoming;

/** Says when the caller has gone without an answer. Asking the request itself would make a whole one of it first. */
export function cancellationOf(call: Context, tenant?: string): Cancellation {
  const departure = new Cancellation(tenant);
  const { outgoing } = nodeOf(call);
  if (outgoing) outgoing.once('close', () => outgoing.writableFinished || departure.cancel());
  else leaveWith(call.req.raw.signal, departure);
  return departure;
}

function leaveWith(signal: AbortSignal, departure: Cancellation): void {
  if (signal.aborted) departure.cancel();
  else signal.addEventListener('abort', () => departure.cancel(), { once: true });
}

/** Who calls, as the last `proxies` proxies say, or the socket when there are none. */
export const addressOf = (call: Context, proxies: number): string =>
  clientAddress(incomingOf(call)?.socket.remoteAddress, call.req.header('x-forwarded-for') ?? null, proxies);

/** Ends a connection whose request has not arrived whole after `ms`: what is sent byte by byte holds nobody up. */
export const arrivesWithin =
  (ms: number): MiddlewareHandler =>
  async (call, next) => {
    const incoming = incomingOf(call);
    const timer = setTimeout(() => {
      if (incoming && !incoming.complete) incoming.destroy();
    }, ms);
    await next().finally(() => clearTimeout(timer));
  };

/**
 * Calls `tooLarge`, which throws, for a body of more than `most` bytes. Where its length is said, Node holds the sender to
 * it, and nothing need be read for it; what comes without one is counted while it is read.
 */
export function bodyWithin(most: number, tooLarge = () => refuseBody(most)): MiddlewareHandler {
  const counting = bodyLimit({ maxSize: most, onError: tooLarge });
  return async (call, next) => {
    const { headers, method } = call.req.raw;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = headers.get('content-length');
    if (length === null || headers.has('transfer-encoding')) return counting(call, next);
    if (Number(length) > most) tooLarge();
    return next();
  };
}

function refuseBody(most: number): never {
  throw new DomainError('TOO_LARGE', `A body holds at most ${most} bytes.`);
}

/** How long a request may go on once the server closes, in ms; then its connection is cut. */
const CLOSING = 5_000;

/** Closes what idles at once, and the rest as it ends: an upload that is cut goes on where it was, on another process. */
async function close(server: ServerType, underWay: () => number): Promise<void> {
  const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), CLOSING);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(cut);
  while (underWay() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Connections that may wait to be accepted, as far as the system lets it: one that finds no room tries again after a second. */
const BACKLOG = 4_096;

export interface Listening {
  port: number;
  host: string;
  /** Milliseconds after which a connection is ended on which nothing moves, as where nobody reads the answer. */
  stalled?: number;
}

/**
 * Serves until `close`, which is told how to learn the number of requests under way and waits for them. Rejects when the address cannot be taken. Node's own limit of five minutes a request is off:
 * it would cut long uploads, which have a limit on idling instead, and all others have `arrivesWithin`.
 */
export function listen(app: Hono, { port, host, stalled = 2 * MINUTE }: Listening) {
  return new Promise<{ port: number; close: (underWay?: () => number) => Promise<void> }>(
    (resolve, reject) => {
      const server = createAdaptorServer({
        fetch: app.fetch,
        hostname: host,
        serverOptions: { requestTimeout: 0, headersTimeout: 15_000 },
      });
      server.once('error', reject);
      server.listen({ port, host, backlog: BACKLOG }, () =>
        resolve({
          port: (server.address() as AddressInfo).port,
          close: (underWay = () => 0) => close(server, underWay),
        }),
      );
      if ('timeout' in server) server.timeout = stalled;
    },
  );
}
