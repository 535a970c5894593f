import type { Context as Call } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import { SECOND } from '../lib/time.ts';
import { OAuthError } from './errors.ts';
import type { OAuthParts } from './parts.ts';

type Cap = readonly [key: string, most: number];

/** An id of ours has 30 characters; more of a made-up one need not be kept. */
const ID_KEPT = 40;

function capsOf({ limits, addressOf }: OAuthParts, call: Call, clientId: string): Cap[] {
  const network = networkOf(addressOf(call));
  return [
    [`client ${network} ${clientId.slice(0, ID_KEPT)}`, limits.clientTries],
    [`clients ${network}`, limits.clientTriesAddress],
  ];
}

/**
 * Throws unless the network of the request has tries left at this client. None is held meanwhile: a client that calls
 * a hundred times at once has a right to, and what gets past at once guesses at 256 bits.
 */
export async function requireTries(parts: OAuthParts, call: Call, clientId: string): Promise<void> {
  const waits = await Promise.all(capsOf(parts, call, clientId).map((cap) => parts.tries.wait(...cap)));
  refuseFor(Math.max(...waits));
}

/** Counts a try that proved nothing. */
export async function countTry(parts: OAuthParts, call: Call, clientId: string): Promise<void> {
  for (const cap of capsOf(parts, call, clientId)) await parts.tries.take(...cap);
}

/** Counts a visit to the authorization endpoint, whatever becomes of it: each may leave a grant behind. */
export async function countVisit({ limits, addressOf, tries }: OAuthParts, call: Call): Promise<void> {
  refuseFor(await tries.take(`visit ${networkOf(addressOf(call))}`, limits.authorizeRequests));
}

/** RFC 6585 §4. RFC 6749 has no code for it; this is its word for a server that cannot serve now (§4.1.2.1). */
function refuseFor(wait: number): void {
  if (wait <= 0) return;
  const text = 'There were too many tries. Wait, and try again.';
  throw new OAuthError('temporarily_unavailable', text, 429, Math.ceil(wait / SECOND));
}
