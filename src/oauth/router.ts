import { type Context as Call, Hono } from 'hono';
import { unavailable } from '../domain/kernel/errors.ts';
import { JWKS_MAX_AGE, publicKeys } from '../domain/keys/token-key.ts';
import { crossOrigin } from '../lib/cross-origin.ts';
import { SECOND } from '../lib/time.ts';
import { errorResponse } from './answer.ts';
import { appsEndpoint, revokeAppEndpoint } from './apps.ts';
import { authorizeEndpoint, decideEndpoint } from './authorize.ts';
import { invalidRequest, OAuthError } from './errors.ts';
import { introspectEndpoint } from './introspect.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts';
import { pushEndpoint } from './push.ts';
import { revokeEndpoint } from './revoke.ts';
import { withErrorPage } from './screen.ts';
import type { AuthorizationServer } from './service.ts';
import { tokenEndpoint } from './token.ts';

const BODY_MAX = 2 ** 14;
const WELL_KNOWN = '/.well-known';

/** The authorization server: endpoints for applications, and screens for people. */
export function oauthRouter(parts: AuthorizationServer): Hono {
  const app = new Hono();
  // Applications in a browser call these; a credential is never a cookie here, so every origin may.
  const open = crossOrigin({
    exposed: ['WWW-Authenticate', 'Retry-After'],
    allowHeaders: ['Authorization', 'Content-Type'],
    maxAge: 86_400,
  });
  for (const path of ['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/jwks', `${WELL_KNOWN}/*`])
    app.use(path, open);
  const tooLarge = () => {
    throw invalidRequest(`The body holds at most ${BODY_MAX} bytes.`, 413);
  };
  app.use('/oauth/*', parts.bodyWithin(BODY_MAX, tooLarge));
  for (const [path, endpoint] of [
    ['/oauth/token', tokenEndpoint],
    ['/oauth/par', pushEndpoint],
    ['/oauth/introspect', introspectEndpoint],
    ['/oauth/revoke', revokeEndpoint],
  ] as const) {
    app.post(path, (call) => endpoint(parts, call));
    app.all(path, () => {
      throw invalidRequest('This takes a POST.', 405);
    });
  }
  app
    .get('/oauth/authorize', withErrorPage(parts, authorizeEndpoint))
    .post(withErrorPage(parts, decideEndpoint));
  app.get('/oauth/apps', withErrorPage(parts, appsEndpoint)).post(withErrorPage(parts, revokeAppEndpoint));
  documents(app, parts);
  app.onError((error, call) => failed(parts, call, error));
  return app;
}

/** Public metadata and keys, cacheable for some minutes: a key is published for longer than that before it signs. */
function documents(app: Hono, { db, limits, publicUrl }: AuthorizationServer): void {
  const kept = { 'Cache-Control': `public, max-age=${JWKS_MAX_AGE / SECOND}` };
  const server = authorizationServerMetadata(publicUrl);
  const resource = protectedResourceMetadata(publicUrl);
  app.get(`${WELL_KNOWN}/oauth-authorization-server`, (call) => call.json(server, 200, kept));
  app.get(`${WELL_KNOWN}/oauth-protected-resource`, (call) => call.json(resource, 200, kept));
  app.get('/oauth/jwks', async (call) => call.json({ keys: await publicKeys(db, limits) }, 200, kept));
}

/** RFC 6749 §5.2 for applications; what is not foreseen is logged, and answered with a fixed text. */
function failed(
  { report, requestIdOf: newRequestId }: AuthorizationServer,
  call: Call,
  error: unknown,
): Response {
  if (error instanceof OAuthError) return errorResponse(call, error);
  const away = unavailable(error);
  if (away)
    return call.json({ error: 'temporarily_unavailable', error_description: away.message }, 503, {
      'Cache-Control': 'no-store',
      'Retry-After': '1',
    });
  const requestId = newRequestId(call);
  report(error, requestId);
  return call.json(
    { error: 'server_error', error_description: 'Something went wrong on our side.', requestId },
    500,
    {
      'Cache-Control': 'no-store',
    },
  );
}
