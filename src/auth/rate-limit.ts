import type { Context as Call, MiddlewareHandler } from 'hono';
import { DomainError } from '../domain/errors.ts';
import type { Viewer } from '../domain/viewer.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { networkOf } from './client-address.ts';
import type { CountTries, Taken } from './tries.ts';

export interface RateLimits {
  /** Requests a minute with one credential, and from one network without any; 0 for no limit. */
  requests: number;
  requestsAddress: number;
}

interface Counted {
  policy: 'credential' | 'address';
  most: number;
  taken: Taken;
}

export interface RateLimit {
  /**
   * Counts a request once it is known who asks: for their credential, or for the network that it came from where there
   * is no live one. Throws RATE_LIMITED.
   */
  count(call: Call, viewer: Viewer | undefined, address: string): Promise<void>;
  /** Tells in every answer what is left (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4). */
  headers: MiddlewareHandler;
}

export function rateLimit(countTries: CountTries, limits: RateLimits): RateLimit {
  // Apart, so that no number of addresses pushes a credential out of the count.
  const tries = { credential: countTries('requests', MINUTE), address: countTries('addresses', MINUTE) };
  const counted = new WeakMap<Call, Counted>();
  return {
    async count(call, viewer, address) {
      const known = viewer?.credentialId;
      const [policy, most, key] = known
        ? (['credential', limits.requests, known] as const)
        : (['address', limits.requestsAddress, networkOf(address)] as const);
      if (most === 0) return;
      const taken = await tries[policy].spend(key, most);
      counted.set(call, { policy, most, taken });
      if (taken.wait > 0)
        throw new DomainError('RATE_LIMITED', `At most ${most} requests a minute are answered; slow down.`, {
          retryAfter: Math.ceil(taken.wait / SECOND),
        });
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

/** Milliseconds until there is one more (§4.1.2): they come back one by one. Of a refusal, it is when to ask again. */
const untilNext = ({ whole, left }: Taken, most: number): number =>
  Math.max(whole - MINUTE + ((left + 1) * MINUTE) / most, 0);
