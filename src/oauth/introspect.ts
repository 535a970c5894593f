import type { Context as Call } from 'hono';
import { publicAudience } from '../domain/oauth/access-jwt.ts';
import type { ProtocolClient } from '../domain/oauth/client.ts';
import { introspectingClient, type LiveToken } from '../domain/oauth/token-state.ts';
import { SECOND } from '../lib/time.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { invalidClient } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import { jsonResponse } from './responses.ts';

/** `POST /oauth/introspect` (RFC 7662). The hint is ignored, as a token's prefix tells its type. */
export async function introspectEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, [...CLIENT_PARAMETERS, 'token', 'token_type_hint']);
  const client = await authenticateClient(server, call, form, (db, id, secret) =>
    introspectingClient(db, id, secret, form.value('token') ?? ''),
  );
  requireSecret(client);
  requireValue(form, 'token');
  return jsonResponse(call, client.token ? describe(server, client.token) : { active: false });
}

/** RFC 7662 §2.1, §4: without a secret, anyone could probe for tokens. */
function requireSecret({ kind }: ProtocolClient): void {
  if (kind === 'PUBLIC') throw invalidClient();
}

const seconds = (time: Date): number => Math.floor(time.getTime() / SECOND);

/** The introspection response (RFC 7662 §2.2), with `aud` if the token is for resource servers. */
const describe = ({ publicUrl: issuer }: AuthorizationServer, token: LiveToken) => ({
  active: true,
  scope: token.scopes.join(' '),
  client_id: token.clientId,
  sub: token.userId,
  exp: seconds(token.expiresAt),
  iat: seconds(token.issuedAt),
  iss: issuer,
  ...(token.audience.length > 0 && { aud: publicAudience({ issuer, audience: token.audience }) }),
  ...(token.kind === 'access' && { token_type: 'Bearer' }),
});
