import type { Context as Call } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import { SECOND } from '../lib/time.ts';
import { OAuthError } from './errors.ts';
import type { AuthorizationServer } from './service.ts';

type Cap = readonly [key: string, most: number];

/** An id of ours has 30 characters; more of a made-up one need not be kept. */
const ID_KEPT = 40;

function capsOf({ limits, addressOf }: AuthorizationServer, call: Call, clientId: string): Cap[] {
  const network = networkOf(addressOf(call));
  return [
    [`client ${network} ${clientId.slice(0, ID_KEPT)}`, limits.clientTries],
    [`clients ${network}`, limits.clientTriesAddress],
  ];
}

/** Counts a request that proved nothing. Throws once the network has failed too often, at this client or at all of them. */
export async function countFailure(parts: AuthorizationServer, call: Call, clientId: string): Promise<void> {
  const waits = [];
  for (const cap of capsOf(parts, call, clientId)) waits.push(await parts.rateLimiter.take(...cap));
  refuseFor(Math.max(...waits));
}

/** Counts a visit to the authorization endpoint, whatever becomes of it: each may leave a grant behind. */
export async function countVisit(
  { limits, addressOf, rateLimiter: tries }: AuthorizationServer,
  call: Call,
): Promise<void> {
  refuseFor(await tries.take(`visit ${networkOf(addressOf(call))}`, limits.authorizeRequests));
}

/** RFC 6585 §4. RFC 6749 has no code for it; this is its word for a server that cannot serve now (§4.1.2.1). */
function refuseFor(wait: number): void {
  if (wait <= 0) return;
  const text = 'There were too many tries. Wait, and try again.';
  throw new OAuthError('temporarily_unavailable', text, 429, Math.ceil(wait / SECOND));
}
