import type { Context as Call, MiddlewareHandler } from 'hono';
import { DomainError } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { networkOf } from './client-address.ts';
import type { CountTries, Taken, Tries } from './tries.ts';

export interface RateLimits {
  /** Requests a minute with one credential, of one user and of one organization with all of theirs, and from one network without any; 0 for no limit. */
  requests: number;
  requestsUser: number;
  requestsOrganization: number;
  requestsAddress: number;
}

interface Budget {
  policy: 'credential' | 'user' | 'organization' | 'address';
  most: number;
  key: string;
}

interface Counted extends Budget {
  taken: Taken;
}

export interface RateLimit {
  /**
   * Counts a request once it is known who asks: for their credential, user and organization, or for the network that it
   * came from where there is no live credential. Throws RATE_LIMITED.
   */
  count(call: Call, viewer: Viewer | undefined, address: string): Promise<void>;
  /** Says in every answer what is left of the budget of which the least is left (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4). */
  headers: MiddlewareHandler;
}

export function rateLimit(countTries: CountTries, limits: RateLimits): RateLimit {
  // Apart, so that no number of addresses pushes a credential out of the count.
  const tries = {
    credential: countTries('requests', MINUTE),
    user: countTries('requests-user', MINUTE),
    organization: countTries('requests-organization', MINUTE),
    address: countTries('addresses', MINUTE),
  };
  const counted = new WeakMap<Call, Counted>();
  return {
    async count(call, viewer, address) {
      let tightest: Counted | undefined;
      for (const budget of budgetsOf(limits, viewer, address)) {
        const { policy, most, key } = budget;
        const taken = await tries[policy].spend(key, most);
        if (taken.wait > 0 || !tightest || taken.left < tightest.taken.left) tightest = { ...budget, taken };
        counted.set(call, tightest);
        if (taken.wait > 0)
          throw new DomainError(
            'RATE_LIMITED',
            `At most ${most} requests a minute are answered; slow down.`,
            {
              retryAfter: Math.ceil(taken.wait / SECOND),
            },
          );
      }
    },
    headers: async (call, next) => {
      await next();
      const found = counted.get(call);
      if (!found) return;
      const { policy, most, taken } = found;
      const reset = Math.ceil((taken.wait || untilNext(taken, most)) / SECOND);
      call.res.headers.set('RateLimit-Policy', `"${policy}";q=${most};w=${MINUTE / SECOND}`);
      call.res.headers.set('RateLimit', `"${policy}";r=${taken.left};t=${reset}`);
    },
  };
}

/** From the narrowest to the widest: what is refused by one does not count for the next. */
function budgetsOf(limits: RateLimits, viewer: Viewer | undefined, address: string): Budget[] {
  const budgets: Budget[] = viewer?.credentialId
    ? [
        { policy: 'credential', most: limits.requests, key: viewer.credentialId },
        { policy: 'user', most: limits.requestsUser, key: viewer.userId },
        { policy: 'organization', most: limits.requestsOrganization, key: tenantOf(viewer) ?? viewer.userId },
      ]
    : [{ policy: 'address', most: limits.requestsAddress, key: networkOf(address) }];
  return budgets.filter(({ most }) => most > 0);
}

/** Milliseconds until there is one more (§4.1.2): they come back one by one. Of a refusal, it is when to ask again. */
const untilNext = ({ whole, left }: Taken, most: number): number =>
  Math.max(whole - MINUTE + ((left + 1) * MINUTE) / most, 0);

/**
 * Counts pictures that are to be drawn, which takes no credential: so many a minute for one network, and as many of one
 * file. Gives the milliseconds until there may be another; 0 when there was one.
 */
export const drawingCount =
  (tries: Tries, most: number, addressOf: (call: Call) => string) =>
  async (call: Call, key: string): Promise<number> =>
    (await tries.take(`network ${networkOf(addressOf(call))}`, most)) || tries.take(`file ${key}`, most);
