import type { Database } from '../db/database.ts';
import { type Client, findProtocolClient } from '../domain/oauth/client.ts';
import { isRedirectUriOf } from '../domain/oauth/redirect-uri.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { invalidRequest, RedirectedError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import { parseScope } from './scope.ts';

/** Who asks, and where the answer goes: both checked, so that nothing is ever sent to an address that is not the client's. */
export interface Target {
  client: Client;
  redirectUri: string;
  /** As the client sent it; undefined when it sent none that can be echoed. */
  state: string | undefined;
}

/** What is asked. */
export interface Ask {
  scopes: Scope[];
  codeChallenge: string | null;
}

/** Throws what is shown on a page: there is nobody yet who could be redirected to (RFC 6749 §4.1.2.1). */
export async function readTarget(db: Database, parameters: Parameters): Promise<Target> {
  const id = single(parameters, 'client_id');
  const client = await findProtocolClient(db, id);
  if (!client) throw invalidRequest('client_id names no application.');
  const redirectUri = single(parameters, 'redirect_uri');
  if (!isRedirectUriOf(client, redirectUri))
    throw invalidRequest('redirect_uri is not an address of the application.');
  return { client, redirectUri, state: parameters.value('state') };
}

function single(parameters: Parameters, name: string): string {
  const value = parameters.value(name);
  if (value === undefined) throw invalidRequest(parameters.fault(name) ?? `${name} is missing.`);
  return value;
}

/** Beside client_id and redirect_uri. */
export const ASK_PARAMETERS = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

const STATE_MAX = 2_000;

/** Throws what the client is told on the redirect. */
export function readAsk({ client, state }: Target, parameters: Parameters): Ask {
  const fault = ASK_PARAMETERS.map((name) => parameters.fault(name)).find((each) => each !== undefined);
  if (fault) throw new RedirectedError('invalid_request', fault);
  if (state === undefined) throw new RedirectedError('invalid_request', 'state is missing.');
  if (state.length > STATE_MAX) throw new RedirectedError('invalid_request', 'state is too long.');
  requireCodeFlow(parameters);
  if (client.scopes.length === 0)
    throw new RedirectedError('unauthorized_client', 'The client is switched off.');
  return { scopes: readScopes(client, parameters), codeChallenge: readChallenge(client, parameters) };
}

function requireCodeFlow(parameters: Parameters): void {
  const type = parameters.value('response_type');
  if (type === undefined) throw new RedirectedError('invalid_request', 'response_type is missing.');
  if (type !== 'code') throw new RedirectedError('unsupported_response_type', 'response_type is code.');
  const mode = parameters.value('response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new RedirectedError('invalid_request', 'response_mode is query.');
}

function readScopes(client: Client, parameters: Parameters): Scope[] {
  const text = parameters.value('scope');
  if (text === undefined) throw new RedirectedError('invalid_request', 'scope is missing.');
  const scopes = parseScope(text);
  if (!scopes) throw new RedirectedError('invalid_scope', 'The scope is malformed or names an unknown one.');
  if (scopes.some((scope) => !client.scopes.includes(scope)))
    throw new RedirectedError('invalid_scope', 'The scope exceeds what the client may ask for.');
  return scopes;
}

/** RFC 7636 §4.3; `plain` protects from nobody who sees the request (RFC 9700 §2.1.1), and is what no method stands for. */
function readChallenge(client: Client, parameters: Parameters): string | null {
  const challenge = parameters.value('code_challenge');
  const method = parameters.value('code_challenge_method');
  if (challenge === undefined && method === undefined && client.kind === 'CONFIDENTIAL') return null;
  if (challenge === undefined) throw new RedirectedError('invalid_request', 'code_challenge is missing.');
  if (method !== 'S256') throw new RedirectedError('invalid_request', 'code_challenge_method is S256.');
  if (!/^[\w-]{43}$/.test(challenge))
    throw new RedirectedError('invalid_request', 'code_challenge is no SHA-256 in base64url.');
  return challenge;
}
