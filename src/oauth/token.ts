import type { Context as Call } from 'hono';
import type { ProtocolClient } from '../domain/oauth/client.ts';
import type { Refusal, Tokens } from '../domain/oauth/token.ts';
import { redeemCode } from '../domain/oauth/token-redeem.ts';
import { refreshTokens } from '../domain/oauth/token-refresh.ts';
import { issueServiceToken } from '../domain/service-accounts/service-token.ts';
import { type AuthorizationServer, tokenContext } from './authorization-server.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { OAuthError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import type { Parameters } from './parameters.ts';
import { deprecatedScopes, parseScope } from './request/scope.ts';
import { readAudience } from './resource.ts';
import { jsonResponse } from './responses.ts';

const PARAMETERS = [
  ...CLIENT_PARAMETERS,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
];

interface GrantRequest {
  server: AuthorizationServer;
  call: Call;
  client: ProtocolClient;
  form: Parameters;
}

/** RFC 6749 §4.1.3. redirect_uri is required, as every authorization request has one here. */
const redeem = ({ server, call, client, form }: GrantRequest) =>
  redeemCode(tokenContext(server, call), client, {
    code: requireValue(form, 'code'),
    redirectUri: requireValue(form, 'redirect_uri'),
    codeVerifier: form.value('code_verifier'),
    audience: requireAudience(server, form),
  });

/** RFC 6749 §6. */
const refresh = ({ server, call, client, form }: GrantRequest) =>
  refreshTokens(tokenContext(server, call), client, {
    refreshToken: requireValue(form, 'refresh_token'),
    scopes: requestedScopes({ server, client, form }),
    audience: requireAudience(server, form),
  });

/** RFC 6749 §4.4.2. */
const issueToClient = ({ server, call, client, form }: GrantRequest) =>
  issueServiceToken(tokenContext(server, call), client, {
    scopes: requestedScopes({ server, client, form }),
    audience: requireAudience(server, form),
  });

/** RFC 6749 §3.3; undefined where the request names none. */
function requestedScopes({ server, client, form }: Omit<GrantRequest, 'call'>) {
  const scope = form.value('scope');
  if (scope === undefined) return undefined;
  const scopes = parseScope(scope, client.scopes);
  if (!scopes) throw new OAuthError('invalid_scope', 'The scope is malformed or unknown.');
  server.countDeprecated(client.id, deprecatedScopes(scope));
  return scopes;
}

/** RFC 8707 §2.2. */
function requireAudience(server: AuthorizationServer, form: Parameters): string[] {
  const audience = readAudience(server, form);
  if (!audience) throw new OAuthError('invalid_target', 'The resource is malformed, or there are too many.');
  return audience;
}

const GRANTS = new Map<string, (request: GrantRequest) => Promise<Tokens | Refusal>>([
  ['authorization_code', redeem],
  ['refresh_token', refresh],
  ['client_credentials', issueToClient],
]);

export const GRANT_TYPES = [...GRANTS.keys()];

/** `POST /oauth/token` (RFC 6749 §3.2). */
export async function tokenEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, PARAMETERS);
  const client = await authenticateClient(server, call, form);
  const grant = grantOf(form);
  requireAllowed(client);
  return tokenResponse(call, await grant({ server, call, client, form }));
}

function grantOf(form: Parameters) {
  const grant = GRANTS.get(requireValue(form, 'grant_type'));
  if (!grant)
    throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
  return grant;
}

/** A client without scopes is disabled by its organization. */
function requireAllowed({ scopes }: ProtocolClient): void {
  if (scopes.length === 0) throw new OAuthError('unauthorized_client', 'The client is disabled.');
}

/** RFC 6749 §5.1, without a refresh token where there is none. Throws the refusal as an OAuthError. */
function tokenResponse(call: Call, result: Tokens | Refusal): Response {
  if ('refused' in result) throw new OAuthError(result.refused, result.text);
  return jsonResponse(call, {
    access_token: result.accessToken,
    token_type: 'Bearer',
    expires_in: result.expiresIn,
    refresh_token: result.refreshToken,
    scope: result.scopes.join(' '),
    ...(result.idToken && { id_token: result.idToken }),
  });
}
