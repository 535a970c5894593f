import type { Hono } from 'hono';
import { openExport } from '../domain/archive/export-download.ts';
import { bulkResults } from '../domain/bulk/bulk-results.ts';
import { cancelUpload, receiveUpload } from '../domain/uploads/upload.ts';
import { byteRouter } from '../files/transfer/byte-endpoints.ts';
import { graphRouter } from '../graph/http/router.ts';
import { provideRouteScopes } from '../graph/operations/least-scope.ts';
import type { OpenApi } from '../lib/openapi.ts';
import { MINUTE } from '../lib/time.ts';
import { mcpRouter } from '../mcp/router.ts';
import { ClientDocuments } from '../oauth/request/client-documents.ts';
import { oauthRouter } from '../oauth/router.ts';
import { viewerDocumentRoutes } from '../rest/documents/viewer-routes.ts';
import { openApi } from '../rest/openapi/openapi.ts';
import { reachedRoutes, scopesOfRoute } from '../rest/route-scopes.ts';
import type { RestServer } from '../rest/router.ts';
import { restRoutes } from '../rest/routes.ts';
import { accountRouter } from '../web/account/routes.ts';
import { apiReferenceRouter } from '../web/api-reference/routes.ts';
import { consoleRouter } from '../web/console/routes.ts';
import { docsRouter } from '../web/docs/routes.ts';
import { emailLinkRouter } from '../web/email/routes.ts';
import { formRouter } from '../web/forms/routes.ts';
import { graphiqlRouter } from '../web/graphiql/routes.ts';
import { invitationRouter } from '../web/invitations/routes.ts';
import { notificationRouter } from '../web/notifications/routes.ts';
import { outboxRouter } from '../web/outbox/routes.ts';
import { passwordResetRouter } from '../web/password/routes.ts';
import { signingRouter } from '../web/signing/routes.ts';
import { startRouter } from '../web/start/routes.ts';
import { verifyRouter } from '../web/verify/routes.ts';
import { healthRouter } from './health.ts';
import { drawingRateLimit } from './rate-limit.ts';
import { bodyWithin } from './request-limits.ts';
import type { Services } from './services.ts';

/** `/healthz` and `/readyz`. */
export const health = ({ lifecycle, db, storage, parts = {} }: Services): Hono =>
  healthRouter({
    lifecycle,
    dependencies: { database: () => db.ping(), storage: () => storage.store.ping() },
    parts,
  });

/** GraphQL over HTTP. */
export function graphql(services: Services) {
  provideRouteScopes({ scopesOfRoute, reachedRoutes });
  return graphRouter(services, bodyWithin(services.config.limits.jsonBodyBytes));
}

/** `/mcp`, for agents. Web pages call it from our own origin and from CORS_ORIGINS; unlike the APIs, not from all if that is unset. */
export function agents({ requests, rateLimit, unread, once, report, config }: Services) {
  const { publicUrl, corsOrigins = [], limits } = config;
  return mcpRouter({
    origins: [new URL(publicUrl).origin, ...corsOrigins],
    bodyWithin: bodyWithin(limits.jsonBodyBytes),
    contextOf: requests.agentContextOf,
    callOf: (call, ctx) => ({
      ctx,
      once,
      delivery: unread.deliveryOf(call),
      pricing: {
        limits,
        charge: (points) => rateLimit.charge(call, ctx.viewer, points),
        chargeMeasured: (points) => rateLimit.add(call, ctx.viewer, points),
      },
      note: (tool, failure) => {
        call.set('operation', tool);
        if (failure) call.set('failure', failure);
      },
      report: (error) => report(error, ctx.requestId),
    }),
  });
}

export const restOptions = ({ requests, once, report, config, unread }: Services): RestServer => ({
  deliveryOf: unread.deliveryOf,
  contextOf: requests.restContextOf,
  contextOfLink: requests.contextOfLink,
  refusalOf: requests.refusalOf,
  clientOf: requests.clientOf,
  requestIdOf: requests.requestIdOf,
  once,
  report,
  publicUrl: config.publicUrl,
  limits: config.limits,
});

/** What every page for people uses. */
export const pageOptions = ({
  requests,
  cookie,
  pendingCookie,
  passkeyCookie,
  deviceCookie,
  report,
  config,
}: Services) => ({
  cookie,
  pendingCookie,
  passkeyCookie,
  deviceCookie,
  publicUrl: config.publicUrl,
  report,
  ownOrigins: requests.ownOrigins,
  addressOf: requests.addressOf,
  contextFor: requests.contextFor,
  requestIdOf: requests.requestIdOf,
});

/** `/`, `/favicon.ico`, `/robots.txt` and `/login`. */
export const start = (services: Services): Hono => startRouter({ ...pageOptions(services), db: services.db });

/** `/docs`. */
export const docs = (services: Services): Hono => docsRouter({ ...pageOptions(services), db: services.db });

/** `/api/v1/docs` and `/api/v1/openapi.json`. */
export function apiReference(services: Services): Hono {
  const { db, config } = services;
  let description: OpenApi | undefined;
  const describe = (): OpenApi => {
    description ??= openApi(config.publicUrl, restRoutes, viewerDocumentRoutes);
    return description;
  };
  return apiReferenceRouter({ ...pageOptions(services), db, describe });
}

export const graphiql = (services: Services): Hono =>
  graphiqlRouter({ ...pageOptions(services), db: services.db });

/** `/account`, `/password` and `/email`. */
export function accountRouters(services: Services): Hono[] {
  const {
    db,
    config,
    storage,
    codeRateLimiter,
    dailyCodeRateLimiter,
    accounts,
    accountRateLimiter: rateLimiter,
  } = services;
  const { limits } = config;
  const options = {
    ...pageOptions(services),
    db,
    limits,
    rateLimiter,
    codeRateLimiter,
    dailyCodeRateLimiter,
    vault: storage.vault,
    accounts,
    providerName: config.oidc?.name,
  };
  return [accountRouter(options), passwordResetRouter(options), emailLinkRouter({ ...options, storage })];
}

/** `/console`, and `/approvals`, to which mails lead. */
export const consolePages = (services: Services): Hono =>
  consoleRouter({
    ...pageOptions(services),
    db: services.db,
    contextOf: services.requests.contextOfSession,
  });

/** Links in mails about notifications. */
export const notificationPages = (services: Services): Hono =>
  notificationRouter({ ...pageOptions(services), db: services.db, storage: services.storage });

export const invitations = (services: Services): Hono =>
  invitationRouter({
    ...pageOptions(services),
    db: services.db,
    limits: services.config.limits,
    accounts: services.accounts,
    createsAccounts: services.config.signUp !== 'off',
  });

export const outbox = (services: Services): Hono =>
  outboxRouter({ ...pageOptions(services), db: services.db });

export function oauth(services: Services): Hono {
  const { db, config, newRateLimiter } = services;
  const { limits, publicUrl } = config;
  const rateLimiter = newRateLimiter('clients', MINUTE);
  const { countDeprecated } = services.usage;
  return oauthRouter({
    ...pageOptions(services),
    db,
    limits,
    rateLimiter,
    bodyWithin,
    publicUrl,
    countDeprecated,
    documents: config.clientDocuments ? new ClientDocuments(services.documentExceptions) : undefined,
  });
}

/** Pages for people without an account, who follow a link: public forms and signing. */
export function linkPages(services: Services): { forms: Hono; signing: Hono; verify: Hono } {
  const { config, db, storage, newRateLimiter, pictures, requests, timeStampRoots } = services;
  const options = {
    ...pageOptions(services),
    clientOf: requests.clientOf,
    limits: config.limits,
    rateLimiter: newRateLimiter('visitors', MINUTE),
    publicUrl: config.publicUrl,
  };
  return {
    forms: formRouter(options),
    signing: signingRouter({ ...options, pictures }),
    verify: verifyRouter({ ...options, db, storage, timeStampRoots }),
  };
}

/** Signed URLs: uploads, downloads, pictures of pages, results of bulk operations and archives. */
export function bytes(services: Services) {
  const { db, storage, config, report, pictures, newRateLimiter, requests, slots } = services;
  const { limits } = config;
  const drawings = newRateLimiter('drawings', MINUTE);
  return byteRouter({
    ...storage,
    limits,
    report,
    pictures,
    mayReceive: (call, organizationId) => slots.claim(call, `uploads of ${organizationId}`),
    countDrawing: drawingRateLimit(drawings, limits.requestsAddress, requests.addressOf),
    received: (key, blob) => receiveUpload(db, key, blob),
    cancelled: (key) => cancelUpload(db, key),
    bulkResults: (ticket) => bulkResults(db, ticket),
    archive: (ticket) => openExport({ db, store: storage.store }, ticket),
  });
}
