import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { clientAddress, networkOf } from '../auth/client-address.ts';
import { FairSlots } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { type Lifecycle, newLifecycle } from '../telemetry/lifecycle.ts';
import { afterArrival } from './arrival.ts';
import { HeldRefusals } from './held-refusals.ts';
import { FairShare } from './shares/fair-share.ts';
import { socketLimit } from './socket-limit.ts';

/** Milliseconds that running requests have once the server closes; then their connections are cut. */
const CLOSE_TIMEOUT = 5 * SECOND;

/** Length of the queue of connections to accept, where the system allows it. A client that overflows it retries after a second. */
const BACKLOG = 4_096;

/** Milliseconds for the headers of a request to arrive, and between two checks of that. */
const HEADERS_TIMEOUT = 15 * SECOND;
const HEADERS_CHECK = SECOND;

/** Bytes of a body that are buffered before the request begins. */
const BUFFER = 64 * 2 ** 10;

const POLL_INTERVAL = 20;

export interface ListenOptions {
  port: number;
  host: string;
  /** Milliseconds after which a connection without traffic is closed, as when nobody reads the response. */
  idleTimeout?: number;
  /** Milliseconds for which a connection waits for its next request. */
  keepAlive?: number;
  limits?: ConnectionLimits;
  /** Trusted proxies in front of the server. */
  trustProxy?: number;
  lifecycle?: Lifecycle;
}

interface ConnectionLimits {
  /** Milliseconds in which a request arrives. */
  request: number;
  /** As many requests as are under way may be arriving. */
  requestsAtOnce: number;
  /** Open connections of one network; 0 is no limit. */
  socketsNetwork: number;
}

const LIMITS: ConnectionLimits = { request: 10 * SECOND, requestsAtOnce: 1_000, socketsNetwork: 0 };

export interface Listener {
  port: number;
  /** Stops accepting, waits for running requests (`underWay` counts them) and cuts what exceeds CLOSE_TIMEOUT. */
  close: (underWay?: () => number) => Promise<void>;
}

/**
 * Serves until `close`. Rejects when the address is not available. Node's limit of five minutes a request is off, as it
 * would cut long uploads: these have a least rate instead, and all other requests a deadline (arrival.ts, request-limits.ts).
 */
export function listen(app: Hono, options: ListenOptions) {
  const { port, host, idleTimeout = 2 * MINUTE, keepAlive = 125 * SECOND } = options;
  return new Promise<Listener>((resolve, reject) => {
    const server = newServer(app, options);
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: (underWay = () => 0) => close(server, underWay),
      }),
    );
    server.timeout = idleTimeout;
    server.keepAliveTimeout = keepAlive;
  });
}

function newServer(app: Hono, options: ListenOptions): Server {
  const { host, limits = LIMITS, trustProxy = 0, lifecycle = newLifecycle() } = options;
  const arrival = {
    deadline: limits.request,
    share: new FairShare(limits.requestsAtOnce),
    uploads: new FairShare(limits.requestsAtOnce),
    openings: new FairSlots({ slots: 2, perKey: 1, waiting: limits.requestsAtOnce }),
    refusals: new HeldRefusals(limits.requestsAtOnce),
    networkOf: (incoming: IncomingMessage) => networkOfRequest(incoming, trustProxy),
    onChange: (waiting: number) => {
      lifecycle.arriving = waiting;
    },
    onRefusal: () => {
      lifecycle.refused++;
    },
  };
  const serverOptions = {
    requestTimeout: 0,
    headersTimeout: HEADERS_TIMEOUT,
    connectionsCheckingInterval: HEADERS_CHECK,
    highWaterMark: BUFFER,
  };
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: host,
    serverOptions,
    createServer: ((settings: typeof serverOptions, listener: RequestListener) =>
      createServer(settings, afterArrival(listener, arrival))) as typeof createServer,
  }) as Server;
  // Behind proxies, all connections are of few addresses.
  server.on('connection', socketLimit(trustProxy > 0 ? 0 : limits.socketsNetwork, lifecycle));
  return server;
}

const networkOfRequest = ({ socket, headers }: IncomingMessage, proxies: number): string =>
  networkOf(
    clientAddress(socket.remoteAddress, [headers['x-forwarded-for'] ?? []].flat().join(','), proxies),
  );

/** Closes idle connections at once. An upload that is cut resumes at its offset, in another process. */
async function close(server: Server, underWay: () => number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(cut);
  while (underWay() > 0) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
}
