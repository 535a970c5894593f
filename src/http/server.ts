import { Hono } from 'hono';
import type { Coding } from '../lib/content-coding.ts';
import { bearerChallenge } from '../oauth/challenge.ts';
import { viewerDocumentRoutes } from '../rest/documents/viewer-routes.ts';
import { restRouter } from '../rest/router.ts';
import { errorReply } from '../rest/wire/problem.ts';
import { sendReply } from '../rest/wire/reply.ts';
import { metricsRouter } from '../telemetry/metrics.ts';
import { accessLog } from './access-log.ts';
import { compression } from './compression.ts';
import { apiCors } from './cors.ts';
import { errorPages } from './error-pages.ts';
import { hostWarning } from './host-warning.ts';
import { receivedWithin } from './request-limits.ts';
import { responseHeaders } from './response-headers.ts';
import {
  accountRouters,
  agents,
  apiReference,
  bytes,
  consolePages,
  docs,
  graphiql,
  graphql,
  health,
  invitations,
  linkPages,
  notificationPages,
  oauth,
  outbox,
  restOptions,
  start,
} from './routers.ts';
import { type AppOptions, newServices, type Services } from './services.ts';
import { signInRouters } from './sign-in-routers.ts';
import { unknownReply } from './unknown-path.ts';

/**
 * The APIs with a credential: open to other origins, compressed with these codings, rate limited, and shared fairly
 * between tenants. Published clients of REST v1 offer `br` and cannot decode it, but can decode gzip.
 */
const APIS: [path: string, codings: Coding[]][] = [
  ['/graphql/*', ['br', 'gzip']],
  ['/api/v1/*', ['gzip', 'br']],
  ['/documents', ['gzip', 'br']],
];

/** Likewise rate limited and shared; what is sent from other origins is theirs to decide. */
const OTHERS = ['/console/*', '/mcp'];

/** The HTTP application. Middleware applies to the routes that are registered after it. */
export function createApp(options: AppOptions): Hono {
  const services = newServices(options);
  const { config, log, metrics, lifecycle, rateLimit, admission } = services;
  const app = new Hono();
  app.use(responseHeaders(config.publicUrl));
  app.use(
    accessLog({
      log,
      metrics,
      lifecycle,
      publicUrl: config.publicUrl,
      addressOf: services.requests.addressOf,
      slots: services.slots,
      usage: services.usage,
    }),
  );
  app.use(errorPages(services.requests.requestIdOf));
  app.use(hostWarning(config.publicUrl, log));
  app.route('/', health(services));
  app.route('/', metricsRouter(metrics, config.metricsToken));
  app.use(receivedWithin(config.limits.request));
  app.use(bearerChallenge(config.publicUrl));
  for (const [path, codings] of APIS)
    app.use(path, apiCors(config.corsOrigins), compression(codings), rateLimit.headers);
  for (const path of [...APIS.map(([each]) => each), ...OTHERS])
    app.use(path, admission.middleware, services.rows.middleware);
  for (const path of OTHERS) app.use(path, rateLimit.headers);
  mountInterfaces(app, services);
  const errors = { ...services, publicUrl: config.publicUrl, requestIdOf: services.requests.requestIdOf };
  app.notFound((call) => sendReply(call, unknownReply(app, errors, call)));
  app.onError((error, call) => sendReply(call, errorReply(errors, call, error)));
  return app;
}

/** GraphiQL comes before the GraphQL API, and passes on what is not a browser's request for a page. */
function mountInterfaces(app: Hono, services: Services): void {
  const { forms, signing, verify } = linkPages(services);
  const rest = restOptions(services);
  for (const router of [...signInRouters(services), ...accountRouters(services)]) app.route('/', router);
  if (services.config.mail.target === 'OUTBOX') app.route('/', outbox(services));
  app
    .route('/', start(services))
    .route('/', consolePages(services))
    .route('/', docs(services))
    .route('/', graphiql(services))
    .route('/', invitations(services))
    .route('/', notificationPages(services))
    .route('/', oauth(services))
    .route('/', forms)
    .route('/', signing)
    .route('/', verify)
    .route('/', bytes(services))
    .route('/graphql', graphql(services))
    .route('/mcp', agents(services))
    .route('/', apiReference(services))
    .route('/api/v1', restRouter(rest))
    .route('/', restRouter(rest, viewerDocumentRoutes));
}
