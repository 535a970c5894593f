import { type Context as Call, Hono } from 'hono';
import { unavailable } from '../domain/kernel/errors.ts';
import { JWKS_MAX_AGE, publicKeys } from '../domain/keys/token-key.ts';
import { crossOrigin } from '../lib/cross-origin.ts';
import { SECOND } from '../lib/time.ts';
import { logoResponse } from '../web/oauth/logo.ts';
import { appsEndpoint, limitEndpoint, revokeAppEndpoint, setLimitEndpoint } from './apps.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { authorizeEndpoint, decideEndpoint } from './authorize.ts';
import { withErrorPage } from './error-page.ts';
import { invalidRequest, OAuthError } from './errors.ts';
import { introspectEndpoint } from './introspect.ts';
import {
  agentResourceMetadata,
  authorizationServerMetadata,
  openIdMetadata,
  protectedResourceMetadata,
} from './metadata.ts';
import { pushEndpoint } from './par.ts';
import { errorResponse } from './responses.ts';
import { revokeEndpoint } from './revoke.ts';
import { tokenEndpoint } from './token.ts';
import { userInfoEndpoint } from './userinfo.ts';

/** A consent may name 300 projects. */
const MAX_BODY_BYTES = 2 ** 15;
const WELL_KNOWN = '/.well-known';

/** The authorization server: endpoints for applications, and pages for people. */
export function oauthRouter(server: AuthorizationServer): Hono {
  const app = new Hono();
  // Applications in a browser call these endpoints. No cookie authenticates here, so every origin is allowed.
  const cors = crossOrigin({
    exposed: ['WWW-Authenticate', 'Retry-After'],
    allowHeaders: ['Authorization', 'Content-Type'],
    maxAge: 86_400,
  });
  for (const path of [
    '/oauth/token',
    '/oauth/par',
    '/oauth/revoke',
    '/oauth/jwks',
    '/oauth/userinfo',
    `${WELL_KNOWN}/*`,
  ])
    app.use(path, cors);
  const tooLarge = () => {
    throw invalidRequest(`The body may have at most ${MAX_BODY_BYTES} bytes.`, 413);
  };
  app.use('/oauth/*', server.bodyWithin(MAX_BODY_BYTES, tooLarge));
  for (const [path, endpoint] of [
    ['/oauth/token', tokenEndpoint],
    ['/oauth/par', pushEndpoint],
    ['/oauth/introspect', introspectEndpoint],
    ['/oauth/revoke', revokeEndpoint],
  ] as const) {
    app.post(path, (call) => endpoint(server, call));
    app.all(path, () => {
      throw invalidRequest('The method must be POST.', 405);
    });
  }
  app.on(['GET', 'POST'], '/oauth/userinfo', (call) => userInfoEndpoint(server, call));
  app
    .get('/oauth/authorize', withErrorPage(server, authorizeEndpoint))
    .post(withErrorPage(server, decideEndpoint));
  app.get('/oauth/apps', withErrorPage(server, appsEndpoint)).post(withErrorPage(server, revokeAppEndpoint));
  app
    .get('/oauth/apps/limit', withErrorPage(server, limitEndpoint))
    .post(withErrorPage(server, setLimitEndpoint));
  app.get('/oauth/logos/:clientId', (call) => logoResponse(server.db, call));
  mountMetadata(app, server);
  app.onError((error, call) => errorOf(server, call, error));
  return app;
}

/** Public metadata and keys. They may be cached, as a new key is published for longer than that before it is used. */
function mountMetadata(app: Hono, { db, limits, publicUrl, documents }: AuthorizationServer): void {
  const cacheable = { 'Cache-Control': `public, max-age=${JWKS_MAX_AGE / SECOND}` };
  for (const [name, metadata] of [
    ['oauth-authorization-server', authorizationServerMetadata(publicUrl, documents !== undefined)],
    ['openid-configuration', openIdMetadata(publicUrl, documents !== undefined)],
    ['oauth-protected-resource', protectedResourceMetadata(publicUrl)],
    ['oauth-protected-resource/mcp', agentResourceMetadata(publicUrl)],
  ] as const)
    app.get(`${WELL_KNOWN}/${name}`, (call) => call.json(metadata, 200, cacheable));
  app.get('/oauth/jwks', async (call) => call.json({ keys: await publicKeys(db, limits) }, 200, cacheable));
}

/** The JSON error for applications (RFC 6749 §5.2). An unexpected error is logged and gets a fixed text. */
function errorOf({ report, requestIdOf }: AuthorizationServer, call: Call, error: unknown): Response {
  if (error instanceof OAuthError) return errorResponse(call, error);
  const outage = unavailable(error);
  if (outage)
    return call.json({ error: 'temporarily_unavailable', error_description: outage.message }, 503, {
      'Cache-Control': 'no-store',
      'Retry-After': '1',
    });
  const requestId = requestIdOf(call);
  report(error, requestId);
  return call.json(
    { error: 'server_error', error_description: 'Something went wrong on our side.', requestId },
    500,
    {
      'Cache-Control': 'no-store',
    },
  );
}
