import { type Context as Call, Hono } from 'hono';
import type { Logger } from 'pino';
import { admission } from '../auth/admission.ts';
import { bearerOf, viewerOfBearer } from '../auth/bearer.ts';
import { networkOf } from '../auth/client-address.ts';
import { drawingCount, rateLimit } from '../auth/rate-limit.ts';
import { sessionCookie } from '../auth/session-cookie.ts';
import { type CountTries, countInMemory } from '../auth/tries.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { answerOnce } from '../domain/idempotency/idempotency.ts';
import type { Client, Context, Storage } from '../domain/kernel/context.ts';
import { unauthenticated } from '../domain/kernel/errors.ts';
import { linkViewer, tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { receiveUpload } from '../domain/uploads/upload.ts';
import { pagePictures } from '../files/content/pictures/page-pictures.ts';
import { byteRouter } from '../files/transfer/byte-endpoints.ts';
import { graphHttp } from '../graph/http/http.ts';
import type { PersistedOperations } from '../graph/http/persisted.ts';
import { Subscriptions } from '../graph/http/subscriptions.ts';
import { graphRouter } from '../graph/http/yoga.ts';
import { Cancellation } from '../lib/cancellation.ts';
import { MINUTE } from '../lib/time.ts';
import { bearerChallenge } from '../oauth/challenge.ts';
import { oauthRouter } from '../oauth/router.ts';
import { applicationRoutes } from '../rest/documents/viewer-documents.ts';
import { openApi } from '../rest/openapi/openapi.ts';
import { restRouter, restRoutes } from '../rest/router.ts';
import { healthRouter } from '../telemetry/health.ts';
import { type Lifecycle, newLifecycle } from '../telemetry/lifecycle.ts';
import { type Metrics, metricsRouter, openMetrics } from '../telemetry/metrics.ts';
import { watched } from '../telemetry/requests.ts';
import { apiReferenceRouter } from '../web/api-reference/routes.ts';
import { formRouter } from '../web/forms/routes.ts';
import { webRouter } from '../web/routes.ts';
import { countingSession } from '../web/sign-in/counting-session.ts';
import { signingRouter } from '../web/signing/routes.ts';
import { apiOrigins } from './api-origins.ts';
import { addressOf, arrivesWithin, bodyWithin, cancellationOf } from './node-http.ts';
import { responseHeaders } from './response-headers.ts';

export interface Parts {
  config: Pick<
    Config,
    'publicUrl' | 'limits' | 'trustProxy' | 'corsOrigins' | 'introspection' | 'metricsToken'
  >;
  db: Database;
  storage: Storage;
  log: Logger;
  /** Where tries and requests are counted: in this process, unless given. */
  countTries?: CountTries;
  persisted?: PersistedOperations;
  lifecycle?: Lifecycle;
  metrics?: Metrics;
  /** Aborts when the server stops: what would last on is ended. */
  stopping?: AbortSignal;
}

/** The one place where everything is wired: the HTTP application. */
export function createApp({ config, db, storage, log, ...parts }: Parts): Hono {
  const { persisted, countTries = countInMemory, lifecycle = newLifecycle() } = parts;
  const metrics = parts.metrics ?? openMetrics({ db, lifecycle });
  const app = new Hono();
  const newRequestId = (call: Call): string => call.get('requestId');
  const report = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const { limits } = config;
  const rate = rateLimit(countTries, limits);
  const shares = admission(limits);
  const cookie = sessionCookie(config.publicUrl);
  const once = answerOnce(report);
  const graph = graphRouter({
    limits,
    report,
    once,
    persisted,
    introspection: config.introspection,
    measure: metrics.operation,
    subscriptions: new Subscriptions(limits, parts.stopping),
  });
  const ownOrigins = (call: Call) => [new URL(config.publicUrl).origin, new URL(call.req.url).origin];

  const contextFor = (viewer: Viewer, requestId: string): Context => ({
    db,
    storage,
    viewer,
    limits,
    requestId,
  });

  const viewerOf = async (call: Call, link?: string) =>
    link ? linkViewer(link) : viewerOfBearer(db, bearerOf(call.req.header('authorization')) ?? '');

  /**
   * Undefined without a live credential, which the secret of a public link replaces. Throws RATE_LIMITED before any work
   * is done.
   */
  async function contextOf(call: Call, link?: string): Promise<Context | undefined> {
    const viewer = await viewerOf(call, link);
    await rate.count(call, viewer ?? undefined, addressOf(call, config.trustProxy));
    return viewer ? admitted(call, viewer) : undefined;
  }

  const clientOf = (call: Call): Client => ({
    address: addressOf(call, config.trustProxy),
    userAgent: call.req.header('user-agent') ?? '',
  });

  async function admitted(call: Call, viewer: Viewer): Promise<Context> {
    call.set('credentialId', viewer.credentialId || undefined);
    const network = networkOf(addressOf(call, config.trustProxy));
    await shares.enter(call, viewer, network);
    const departure = cancellationOf(call, tenantOf(viewer) ?? network);
    return { ...contextFor(viewer, newRequestId(call)), db: db.forCaller(departure) };
  }

  const graphContextOf = async (call: Call): Promise<Context> => {
    const session = await countingSession({ db, cookie, ownOrigins }, call);
    if (session) await rate.count(call, session.viewer, '');
    const known = session ? await admitted(call, session.viewer) : await contextOf(call);
    if (!known) throw unauthenticated();
    return { ...known, client: clientOf(call) };
  };

  const renew = async (call: Call): Promise<Context> => {
    const session = await countingSession({ db, cookie, ownOrigins }, call);
    const viewer = session?.viewer ?? (await viewerOf(call));
    if (!viewer) throw unauthenticated();
    const context = contextFor(viewer, newRequestId(call));
    return { ...context, db: db.forCaller(new Cancellation(tenantOf(viewer))), client: clientOf(call) };
  };

  app.use(responseHeaders(config.publicUrl));
  app.use(watched({ log, metrics, lifecycle, most: limits.requestsAtOnce }));
  app.get('/', (c) => c.redirect('/graphql'));
  app.route(
    '/',
    healthRouter({ lifecycle, needs: { database: () => db.ping(), storage: () => storage.store.ping() } }),
  );
  app.route('/', metricsRouter(metrics, config.metricsToken));
  for (const path of ['/graphql', '/api/v1/*', '/sign-in', '/sign-out', '/oauth/*', '/sign/*', '/forms/*'])
    app.use(path, arrivesWithin(limits.request));
  app.use(bearerChallenge(config.publicUrl));
  for (const path of ['/graphql', '/api/v1/*', '/documents'])
    app.use(path, apiOrigins(config.corsOrigins), rate.headers, shares.middleware);
  const people = {
    cookie,
    ownOrigins,
    addressOf: (call: Call) => addressOf(call, config.trustProxy),
    contextFor,
    newRequestId,
    report,
  };
  const desk = { db, limits, tries: countTries('sign-in', limits.signInWindow) };
  app.route('/', webRouter({ ...people, desk }));
  const tries = countTries('clients', MINUTE);
  app.route('/', oauthRouter({ ...people, db, limits, tries, bodyWithin, publicUrl: config.publicUrl }));
  const visitors = {
    ...people,
    clientOf,
    limits,
    tries: countTries('visitors', MINUTE),
    publicUrl: config.publicUrl,
  };
  app.route('/', formRouter(visitors));
  const pictures = pagePictures(storage.store);
  app.route('/', signingRouter({ ...visitors, pictures }));
  app.route(
    '/',
    byteRouter({
      ...storage,
      limits,
      report,
      pictures,
      countDrawing: drawingCount(countTries('drawings', MINUTE), limits.requestsAddress, people.addressOf),
      received: (key, blob) => receiveUpload(db, key, blob),
    }),
  );
  app.route(
    '/graphql',
    graphHttp({
      fetch: (request, ctx) => graph.fetch(request, ctx),
      contextOf: graphContextOf,
      renew,
      newRequestId,
      report,
      bodyWithin: bodyWithin(limits.jsonBodyBytes),
    }),
  );
  const rest = {
    contextOf,
    contextOfLink: (call: Call, link: string) => admitted(call, linkViewer(link)),
    clientOf,
    once,
    report,
    newRequestId,
    limits,
  };
  app.route(
    '/api/v1',
    apiReferenceRouter(() => openApi(config.publicUrl, restRoutes, applicationRoutes)),
  );
  app.route('/api/v1', restRouter(rest));
  app.route('/', restRouter(rest, applicationRoutes));
  app.notFound((c) => c.json({ message: 'There is nothing at this address.' }, 404));
  app.onError((error, c) => {
    const requestId = newRequestId(c);
    report(error, requestId);
    return c.json({ message: 'Something went wrong on our side.', requestId }, 500);
  });
  return app;
}
