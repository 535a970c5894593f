import type { Context as Call } from 'hono';
import { revokeToken } from '../domain/oauth/token-state.ts';
import { jsonResponse } from './answer.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { OAuthError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import { type AuthorizationServer, tokenContext } from './service.ts';

/**
 * `POST /oauth/revoke` (RFC 7009). A token that is not known is answered like one that was ended; of another client's
 * its sender is told that it is (§2.1).
 * The body says nothing, but it is JSON: some clients take no other, and none an empty one.
 */
export async function revokeEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, [...CLIENT_PARAMETERS, 'token', 'token_type_hint']);
  const client = await authenticateClient(parts, call, form);
  const refused = await revokeToken(tokenContext(parts, call), client, requireValue(form, 'token'));
  if (refused) throw new OAuthError(refused.refused, refused.text);
  return jsonResponse(call, {});
}
