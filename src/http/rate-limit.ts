import type { Context as Call, MiddlewareHandler } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import type { NewRateLimiter, RateLimiter, RateLimitState } from '../auth/rate-limiter.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

export interface RateLimits {
  /**
   * Requests a minute of one credential, of a user and of an organization with all their credentials, and of one network
   * without a credential. 0 is no limit.
   */
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
   * Counts an authenticated request for its credential, user and organization, and one without a live credential for its
   * network. Throws RATE_LIMITED.
   */
  count(call: Call, viewer: Viewer | undefined, address: string): Promise<void>;
  /** Reports the most exhausted budget in every response (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4). */
  headers: MiddlewareHandler;
}

export function requestRateLimit(countTries: NewRateLimiter, limits: RateLimits): RequestRateLimit {
  // One limiter each, so that no number of addresses evicts the count of a credential.
  const limiters = {
    credential: countTries('requests', MINUTE),
    user: countTries('requests-user', MINUTE),
    organization: countTries('requests-organization', MINUTE),
    address: countTries('addresses', MINUTE),
  };
  const budgets = new WeakMap<Call, CountedBudget>();
  return {
    async count(call, viewer, address) {
      let tightest: CountedBudget | undefined;
      for (const budget of budgetsOf(limits, viewer, address)) {
        const { policy, limit, key } = budget;
        const state = await limiters[policy].consume(key, limit);
        if (state.wait > 0 || !tightest || state.remaining < tightest.state.remaining)
          tightest = { ...budget, state };
        budgets.set(call, tightest);
        if (state.wait > 0) throw rateLimited(limit, state);
      }
    },
    headers: async (call, next) => {
      await next();
      const budget = budgets.get(call);
      if (!budget) return;
      const { policy, limit, state } = budget;
      const reset = Math.ceil((state.wait || timeToNext(state, limit)) / SECOND);
      call.res.headers.set('RateLimit-Policy', `"${policy}";q=${limit};w=${MINUTE / SECOND}`);
      call.res.headers.set('RateLimit', `"${policy}";r=${state.remaining};t=${reset}`);
    },
  };
}

const rateLimited = (limit: number, { wait }: RateLimitState): DomainError =>
  new DomainError('RATE_LIMITED', `At most ${limit} requests a minute are answered; slow down.`, {
    retryAfter: Math.ceil(wait / SECOND),
  });

/** From the narrowest to the widest: a request that one refuses is not counted by the next. */
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
  return budgets.filter(({ limit }) => limit > 0);
}

/** Milliseconds until one more request is allowed (§4.1.2): requests are regained one by one. */
const timeToNext = ({ resetAfter, remaining }: RateLimitState, limit: number): number =>
  Math.max(resetAfter - MINUTE + ((remaining + 1) * MINUTE) / limit, 0);

/**
 * Limits the drawing of page pictures, which needs no credential: `limit` a minute for a network, and for a file. Returns
 * the milliseconds until another is allowed; 0 if this one was.
 */
export const drawingRateLimit =
  (limiter: RateLimiter, limit: number, addressOf: (call: Call) => string) =>
  async (call: Call, fileKey: string): Promise<number> =>
    (await limiter.take(`network ${networkOf(addressOf(call))}`, limit)) ||
    limiter.take(`file ${fileKey}`, limit);
