import type { Context as Call, MiddlewareHandler } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import type { NewRateLimiter, RateLimiter, RateLimitState } from '../auth/rate-limiter.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

export interface RateLimits {
  /** Requests a minute with one credential, of one user and of one organization with all of theirs, and from one network without any; 0 for no limit. */
  requests: number;
  requestsUser: number;
  requestsOrganization: number;
  requestsAddress: number;
}

interface Budget {
  policy: 'credential' | 'user' | 'organization' | 'address';
  limit: number;
  key: string;
}

interface CountedBudget extends Budget {
  state: RateLimitState;
}

export interface RequestRateLimit {
  /**
   * Counts a request once it is known who asks: for their credential, user and organization, or for the network that it
   * came from where there is no live credential. Throws RATE_LIMITED.
   */
  count(call: Call, viewer: Viewer | undefined, address: string): Promise<void>;
  /** Says in every answer what is left of the budget of which the least is left (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4). */
  headers: MiddlewareHandler;
}

export function requestRateLimit(countTries: NewRateLimiter, limits: RateLimits): RequestRateLimit {
  // Apart, so that no number of addresses pushes a credential out of the count.
  const tries = {
    credential: countTries('requests', MINUTE),
    user: countTries('requests-user', MINUTE),
    organization: countTries('requests-organization', MINUTE),
    address: countTries('addresses', MINUTE),
  };
  const counted = new WeakMap<Call, CountedBudget>();
  return {
    async count(call, viewer, address) {
      let tightest: CountedBudget | undefined;
      for (const budget of budgetsOf(limits, viewer, address)) {
        const { policy, limit: most, key } = budget;
        const taken = await tries[policy].consume(key, most);
        if (taken.wait > 0 || !tightest || taken.remaining < tightest.state.remaining)
          tightest = { ...budget, state: taken };
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
      const { policy, limit: most, state: taken } = found;
      const reset = Math.ceil((taken.wait || timeToNext(taken, most)) / SECOND);
      call.res.headers.set('RateLimit-Policy', `"${policy}";q=${most};w=${MINUTE / SECOND}`);
      call.res.headers.set('RateLimit', `"${policy}";r=${taken.remaining};t=${reset}`);
    },
  };
}

/** From the narrowest to the widest: what is refused by one does not count for the next. */
function budgetsOf(limits: RateLimits, viewer: Viewer | undefined, address: string): Budget[] {
  const budgets: Budget[] = viewer?.credentialId
    ? [
        { policy: 'credential', limit: limits.requests, key: viewer.credentialId },
        { policy: 'user', limit: limits.requestsUser, key: viewer.userId },
        {
          policy: 'organization',
          limit: limits.requestsOrganization,
          key: tenantOf(viewer) ?? viewer.userId,
        },
      ]
    : [{ policy: 'address', limit: limits.requestsAddress, key: networkOf(address) }];
  return budgets.filter(({ limit: most }) => most > 0);
}

/** Milliseconds until there is one more (§4.1.2): they come back one by one. Of a refusal, it is when to ask again. */
const timeToNext = ({ resetAfter: whole, remaining: left }: RateLimitState, most: number): number =>
  Math.max(whole - MINUTE + ((left + 1) * MINUTE) / most, 0);

/**
 * Counts pictures that are to be drawn, which takes no credential: so many a minute for one network, and as many of one
 * file. Gives the milliseconds until there may be another; 0 when there was one.
 */
export const drawingRateLimit =
  (tries: RateLimiter, most: number, addressOf: (call: Call) => string) =>
  async (call: Call, key: string): Promise<number> =>
    (await tries.take(`network ${networkOf(addressOf(call))}`, most)) || tries.take(`file ${key}`, most);
