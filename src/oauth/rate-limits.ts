import type { Context as Call } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import { SECOND } from '../lib/time.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';

type RateLimitKey = readonly [key: string, limit: number];

/** In characters; longer than the client_id of a registered application, which has 30. */
const MAX_ID_LENGTH = 40;

function limitsOf({ limits, addressOf }: AuthorizationServer, call: Call, clientId: string): RateLimitKey[] {
  const network = networkOf(addressOf(call));
  return [
    [`client ${network} ${clientId.slice(0, MAX_ID_LENGTH)}`, limits.clientTries],
    [`clients ${network}`, limits.clientTriesAddress],
  ];
}

/** Counts a failed client authentication. Throws when the network has failed too often, for this client or for all. */
export async function countFailure(server: AuthorizationServer, call: Call, clientId: string): Promise<void> {
  const waits = [];
  for (const limit of limitsOf(server, call, clientId)) waits.push(await server.rateLimiter.take(...limit));
  requireNoWait(Math.max(...waits));
}

/** Counts a request to the authorization endpoint, also an invalid one. Throws when the network sends too many. */
export async function countAuthorizationRequest(
  { limits, addressOf, rateLimiter }: AuthorizationServer,
  call: Call,
): Promise<void> {
  requireNoWait(await rateLimiter.take(`authorize ${networkOf(addressOf(call))}`, limits.authorizeRequests));
}

/** Counts a request for the claims of a user with the token of one authorization. */
export async function countUserInfoRequest(
  { limits, rateLimiter }: AuthorizationServer,
  credentialId: string,
): Promise<void> {
  requireNoWait(await rateLimiter.take(`userinfo ${credentialId}`, limits.authorizeRequests));
}

/** Fetches a minute: for one person, for one network, and in all, so that nobody can make this server call others at will. */
const FETCHES = { person: 10, network: 20, all: 120 };

/** Counts the fetch of a document that describes an application. */
export async function countDocumentFetch(
  { rateLimiter, addressOf }: AuthorizationServer,
  call: Call,
  userId: string,
): Promise<void> {
  for (const [key, limit] of [
    [`document ${userId}`, FETCHES.person],
    [`document ${networkOf(addressOf(call))}`, FETCHES.network],
    ['documents', FETCHES.all],
  ] as const)
    requireNoWait(await rateLimiter.take(key, limit));
}

/** RFC 6585 §4. RFC 6749 has no code for 429; its code for a server that cannot serve now is the nearest (§4.1.2.1). */
function requireNoWait(wait: number): void {
  if (wait <= 0) return;
  const text = 'Too many attempts. Wait, then try again.';
  throw new OAuthError('temporarily_unavailable', text, 429, Math.ceil(wait / SECOND));
}
