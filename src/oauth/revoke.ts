import type { Context as Call } from 'hono';
import { revokeToken } from '../domain/oauth/token-state.ts';
import { type AuthorizationServer, tokenContext } from './authorization-server.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { OAuthError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import { jsonResponse } from './responses.ts';

/**
 * `POST /oauth/revoke` (RFC 7009). Succeeds for an unknown token, and refuses another client's (§2.1). The body is an empty
 * JSON object, as some clients require JSON.
 */
export async function revokeEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, [...CLIENT_PARAMETERS, 'token', 'token_type_hint']);
  const client = await authenticateClient(server, call, form);
  const refused = await revokeToken(tokenContext(server, call), client, requireValue(form, 'token'));
  if (refused) throw new OAuthError(refused.refused, refused.text);
  return jsonResponse(call, {});
}
