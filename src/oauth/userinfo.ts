import type { Context as Call } from 'hono';
import { bearerOf, viewerOfBearer } from '../auth/bearer.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import { readForm } from './form.ts';
import { countFailure, countUserInfoRequest } from './rate-limits.ts';
import { jsonResponse } from './responses.ts';

/** `/oauth/userinfo` (OpenID Connect Core §5.3): who the user of an access token with the scope `openid` is. */
export async function userInfoEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const token = await presentedToken(call);
  const viewer = token ? await viewerOfBearer(server.db, token) : undefined;
  if (!viewer) {
    if (token !== undefined) await countFailure(server, call, 'userinfo');
    return unauthorized(call, token !== undefined);
  }
  await countUserInfoRequest(server, viewer.credentialId);
  return viewer.identityScopes?.includes('openid')
    ? jsonResponse(call, claimsOf(viewer))
    : insufficientScope(call);
}

/** Only what the scopes allow (OpenID Connect Core §5.4). `sub` is the same in every application and at every sign-in. */
const claimsOf = ({ userId, name, email, isEmailVerified, identityScopes = [] }: Viewer) => ({
  sub: userId,
  ...(identityScopes.includes('profile') && { name }),
  ...(identityScopes.includes('email') && { email, email_verified: isEmailVerified ?? false }),
});

/** In the header, or in the form of a POST (RFC 6750 §2.1, §2.2). Throws invalid_request for both at once. */
async function presentedToken(call: Call): Promise<string | undefined> {
  const inHeader = bearerOf(call.req.header('authorization'));
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(call.req.header('content-type') ?? '');
  const inBody =
    call.req.method === 'POST' && isForm
      ? (await readForm(call, ['access_token'])).value('access_token')
      : undefined;
  if (inHeader !== undefined && inBody !== undefined)
    throw new OAuthError('invalid_request', 'The access token is sent in more than one way.');
  return inHeader ?? inBody;
}

/** Names the error if a token was presented (RFC 6750 §3.1). `bearerChallenge` does so for a token in the header. */
function unauthorized(call: Call, isPresented: boolean): Response {
  const inBody = isPresented && call.req.header('authorization') === undefined;
  return call.json({ error: 'invalid_token', error_description: 'A valid access token is required.' }, 401, {
    'Cache-Control': 'no-store',
    'WWW-Authenticate': inBody ? 'Bearer error="invalid_token"' : 'Bearer',
  });
}

const insufficientScope = (call: Call): Response =>
  call.json(
    { error: 'insufficient_scope', error_description: 'This requires a token with the scope openid.' },
    403,
    {
      'Cache-Control': 'no-store',
      'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="openid"',
    },
  );
