import { type HttpBindings, serve } from '@hono/node-server';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { clientAddress } from './auth/client-address.ts';

/** Node's side of a call; requests that a test hands to the application have none. */
const nodeOf = (call: Context): Partial<HttpBindings> =>
  (call.env as Partial<HttpBindings> | undefined) ?? {};

const incomingOf = (call: Context) => nodeOf(call).incoming;

/** Says when the caller has gone without an answer. Asking the request itself would make a whole one of it first. */
export function whileWaiting(call: Context): AbortSignal {
  const { outgoing } = nodeOf(call);
  if (!outgoing) return call.req.raw.signal;
  const gone = new AbortController();
  outgoing.once('close', () => outgoing.writableFinished || gone.abort());
  return gone.signal;
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
 * Serves until `close`. Rejects when the address cannot be taken. Node's own limit of five minutes a request is off:
 * it would cut long uploads, which have a limit on idling instead, and all others have `arrivesWithin`.
 */
export function listen(app: Hono, { port, host }: { port: number; host: string }) {
  return new Promise<{ port: number; close: () => Promise<void> }>((resolve, reject) => {
    const server = serve(
      { fetch: app.fetch, port, hostname: host, serverOptions: { requestTimeout: 0 } },
      (address) =>
        resolve({ port: address.port, close: () => new Promise((done) => server.close(() => done())) }),
    );
    server.once('error', reject);
  });
}
