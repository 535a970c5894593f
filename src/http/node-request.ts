import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { clientAddress } from '../auth/client-address.ts';
import { Cancellation } from '../lib/cancellation.ts';

/** Node's objects of a request; requests that tests pass to the application directly have none. */
export const nodeBindings = (call: Context): Partial<HttpBindings> =>
  (call.env as Partial<HttpBindings> | undefined) ?? {};

/**
 * Cancelled when the client disconnects before the response is complete. Listens to Node's response, because reading
 * `signal` of the request would first build the whole web Request.
 */
export function cancellationOf(call: Context, tenant?: string): Cancellation {
  const cancellation = new Cancellation(tenant);
  const { outgoing } = nodeBindings(call);
  if (outgoing) outgoing.once('close', () => outgoing.writableFinished || cancellation.cancel());
  else cancelOnAbort(cancellation, call.req.raw.signal);
  return cancellation;
}

function cancelOnAbort(cancellation: Cancellation, signal: AbortSignal): void {
  if (signal.aborted) cancellation.cancel();
  else signal.addEventListener('abort', () => cancellation.cancel(), { once: true });
}

/** IP address of the client: from X-Forwarded-For behind `proxies` trusted proxies, else of the socket. */
export const addressOf = (call: Context, proxies: number): string =>
  clientAddress(
    nodeBindings(call).incoming?.socket.remoteAddress,
    call.req.header('x-forwarded-for') ?? null,
    proxies,
  );
