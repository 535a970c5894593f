import type { Database } from '../db/database.ts';
import { type ApplicationScope, identityScopesOf, includes } from '../domain/kernel/scope.ts';
import { findProtocolClient, type RequestingClient } from '../domain/oauth/client.ts';
import { isRedirectUriOf } from '../domain/oauth/redirect-uri.ts';
import { invalidRequest, RedirectedError } from './errors.ts';
import { OPENID_PARAMETERS, type OpenIdRequest, readOpenIdRequest } from './openid-request.ts';
import type { Parameters } from './parameters.ts';
import { deprecatedScopes, parseScope } from './request/scope.ts';

/** The client and its redirect URI, both validated, so that no response goes to a URI that is not the client's. */
export interface Target {
  client: RequestingClient;
  redirectUri: string;
  /** As the client sent it; undefined when it sent none that can be echoed. */
  state: string | undefined;
}

/** What the application requests. */
export interface AuthorizationRequest {
  scopes: ApplicationScope[];
  /** The names of the deprecated scopes that it names. */
  deprecated: string[];
  codeChallenge: string | null;
  /** With the scope `openid`. */
  openid?: OpenIdRequest;
}

/** Throws OAuthError, which is shown on a page, as there is no valid URI to redirect to (RFC 6749 §4.1.2.1). */
export async function readTarget(db: Database, parameters: Parameters): Promise<Target> {
  const id = single(parameters, 'client_id');
  const client = await findProtocolClient(db, id);
  if (!client) throw invalidRequest('client_id does not name an application.');
  const redirectUri = single(parameters, 'redirect_uri');
  if (!isRedirectUriOf(client, redirectUri))
    throw invalidRequest('redirect_uri is not registered for the application.');
  return { client, redirectUri, state: parameters.value('state') };
}

function single(parameters: Parameters, name: string): string {
  const value = parameters.value(name);
  if (value === undefined) throw invalidRequest(parameters.error(name) ?? `${name} is missing.`);
  return value;
}

/** In addition to client_id and redirect_uri. */
export const REQUEST_PARAMETERS = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  ...OPENID_PARAMETERS,
];

const MAX_STATE_LENGTH = 2_000;

/**
 * Validates the request of a target. Throws RedirectedError, which the client gets by redirect. `state` may be left out in a request
 * `forAgents` with PKCE, which protects as well (RFC 9700 §4.7.1): clients of MCP need not send it.
 */
export function readAuthorizationRequest(
  { client, state }: Target,
  parameters: Parameters,
  forAgents: boolean,
): AuthorizationRequest {
  const error = REQUEST_PARAMETERS.map((name) => parameters.error(name)).find((text) => text !== undefined);
  if (error) throw new RedirectedError('invalid_request', error);
  if (state === undefined && !(forAgents && parameters.has('code_challenge')))
    throw new RedirectedError('invalid_request', 'state is missing.');
  if (state !== undefined && state.length > MAX_STATE_LENGTH)
    throw new RedirectedError('invalid_request', 'state is too long.');
  requireCodeFlow(parameters);
  if (client.scopes.length === 0) throw new RedirectedError('unauthorized_client', 'The client is disabled.');
  const scopes = readScopes(client, parameters);
  const codeChallenge = readChallenge(client, parameters);
  return {
    scopes,
    deprecated: deprecatedScopes(parameters.value('scope') ?? ''),
    codeChallenge,
    ...(scopes.includes('openid') && { openid: readOpenIdRequest(parameters) }),
  };
}

function requireCodeFlow(parameters: Parameters): void {
  const type = parameters.value('response_type');
  if (type === undefined) throw new RedirectedError('invalid_request', 'response_type is missing.');
  if (type !== 'code') throw new RedirectedError('unsupported_response_type', 'response_type must be code.');
  const mode = parameters.value('response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new RedirectedError('invalid_request', 'response_mode must be query.');
}

function readScopes(client: RequestingClient, parameters: Parameters): ApplicationScope[] {
  const text = parameters.value('scope');
  if (text === undefined) throw new RedirectedError('invalid_request', 'scope is missing.');
  const scopes = parseScope(text, client.scopes);
  if (!scopes) throw new RedirectedError('invalid_scope', 'The scope is malformed or unknown.');
  if (scopes.length === 0 || scopes.some((scope) => !includes(client.scopes, scope)))
    throw new RedirectedError('invalid_scope', 'The scope exceeds the scopes of the client.');
  if (identityScopesOf(scopes).length > 0 && !scopes.includes('openid'))
    throw new RedirectedError('invalid_scope', 'The scopes profile and email require openid.');
  return scopes;
}

/** RFC 7636 §4.3. `plain`, the default method, is refused: it does not protect if the request leaks (RFC 9700 §2.1.1). */
function readChallenge(client: RequestingClient, parameters: Parameters): string | null {
  const challenge = parameters.value('code_challenge');
  const method = parameters.value('code_challenge_method');
  if (challenge === undefined && method === undefined && client.kind === 'CONFIDENTIAL') return null;
  if (challenge === undefined) throw new RedirectedError('invalid_request', 'code_challenge is missing.');
  if (method !== 'S256') throw new RedirectedError('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(challenge))
    throw new RedirectedError('invalid_request', 'code_challenge must be a SHA-256 hash in base64url.');
  return challenge;
}
