import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import { MINUTE, SECOND } from '../lib/time.ts';

/** Milliseconds that running requests have once the server closes; then their connections are cut. */
const CLOSE_TIMEOUT = 5 * SECOND;

/** Length of the queue of connections to accept, where the system allows it. A client that overflows it retries after a second. */
const BACKLOG = 4_096;

/** Milliseconds for the headers of a request to arrive. */
const HEADERS_TIMEOUT = 15 * SECOND;

const POLL_INTERVAL = 20;

export interface ListenOptions {
  port: number;
  host: string;
  /** Milliseconds after which a connection without traffic is closed, as when nobody reads the response. */
  idleTimeout?: number;
}

export interface Listener {
  port: number;
  /** Stops accepting, waits for running requests (`underWay` counts them) and cuts what exceeds CLOSE_TIMEOUT. */
  close: (underWay?: () => number) => Promise<void>;
}

/**
 * Serves until `close`. Rejects when the address is not available. Node's limit of five minutes a request is off, as it
 * would cut long uploads: these have a limit on idle time instead, and all other requests use `receivedWithin`.
 */
export function listen(app: Hono, { port, host, idleTimeout = 2 * MINUTE }: ListenOptions) {
  return new Promise<Listener>((resolve, reject) => {
    const server = createAdaptorServer({
      fetch: app.fetch,
      hostname: host,
      serverOptions: { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT },
    });
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: (underWay = () => 0) => close(server, underWay),
      }),
    );
    if ('timeout' in server) server.timeout = idleTimeout;
  });
}

/** Closes idle connections at once. An upload that is cut resumes at its offset, in another process. */
async function close(server: ServerType, underWay: () => number): Promise<void> {
  const cut = setTimeout(
    () => 'closeAllConnections' in server && server.closeAllConnections(),
    CLOSE_TIMEOUT,
  );
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(cut);
  while (underWay() > 0) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
}
