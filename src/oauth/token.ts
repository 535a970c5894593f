import type { Context as Call } from 'hono';
import type { ProtocolClient } from '../domain/oauth/client.ts';
import type { Refusal, Tokens } from '../domain/oauth/token.ts';
import { redeemCode } from '../domain/oauth/token-redeem.ts';
import { refreshTokens } from '../domain/oauth/token-refresh.ts';
import { jsonResponse } from './answer.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { OAuthError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import type { Parameters } from './parameters.ts';
import { readAudience } from './resource.ts';
import { parseScope } from './scope.ts';
import { type AuthorizationServer, tokenContext } from './service.ts';

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
  parts: AuthorizationServer;
  call: Call;
  client: ProtocolClient;
  form: Parameters;
}

/** RFC 6749 §4.1.3: redirect_uri is always asked for, as every authorization request has one here. */
const redeem = ({ parts, call, client, form }: GrantRequest) =>
  redeemCode(tokenContext(parts, call), client, {
    code: requireValue(form, 'code'),
    redirectUri: requireValue(form, 'redirect_uri'),
    codeVerifier: form.value('code_verifier'),
    audience: requireAudience(parts, form),
  });

/** RFC 6749 §6. */
const refresh = ({ parts, call, client, form }: GrantRequest) => {
  const refreshToken = requireValue(form, 'refresh_token');
  const asked = form.value('scope');
  const scopes = asked === undefined ? undefined : parseScope(asked);
  if (asked !== undefined && !scopes)
    throw new OAuthError('invalid_scope', 'The scope is malformed or names an unknown one.');
  return refreshTokens(tokenContext(parts, call), client, {
    refreshToken,
    scopes,
    audience: requireAudience(parts, form),
  });
};

/** RFC 8707 §2.2. */
function requireAudience(parts: AuthorizationServer, form: Parameters): string[] {
  const audience = readAudience(parts, form);
  if (!audience) throw new OAuthError('invalid_target', 'The resource is malformed, or there are too many.');
  return audience;
}

const GRANTS = new Map<string, (request: GrantRequest) => Promise<Tokens | Refusal>>([
  ['authorization_code', redeem],
  ['refresh_token', refresh],
]);

export const GRANT_TYPES = [...GRANTS.keys()];

/** `POST /oauth/token` (RFC 6749 §3.2). */
export async function tokenEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, PARAMETERS);
  const client = await authenticateClient(parts, call, form);
  const grant = grantOf(form);
  requireAllowed(client);
  return answer(call, await grant({ parts, call, client, form }));
}

function grantOf(form: Parameters) {
  const grant = GRANTS.get(requireValue(form, 'grant_type'));
  if (!grant)
    throw new OAuthError('unsupported_grant_type', `grant_type is one of ${GRANT_TYPES.join(', ')}.`);
  return grant;
}

/** A client whose organization took all scopes from it is switched off. */
function requireAllowed({ scopes }: ProtocolClient): void {
  if (scopes.length === 0) throw new OAuthError('unauthorized_client', 'The client is switched off.');
}

/** RFC 6749 §5.1, or what was refused. */
function answer(call: Call, result: Tokens | Refusal): Response {
  if ('refused' in result) throw new OAuthError(result.refused, result.text);
  return jsonResponse(call, {
    access_token: result.accessToken,
    token_type: 'Bearer',
    expires_in: result.expiresIn,
    refresh_token: result.refreshToken,
    scope: result.scopes.join(' '),
  });
}
