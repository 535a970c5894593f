import type { Context as Call, MiddlewareHandler } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import type { NewRateLimiter, RateLimiter, RateLimitState } from '../auth/rate-limiter.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import type { PointsState } from '../graph/engine/context.ts';
import { memoize } from '../lib/memoize.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { notePoints } from './usage/count-usage.ts';

export interface RateLimits {
  /**
   * Requests a minute of one credential, of a user and of an organization with all their credentials, and of one network
   * without a credential. 0 is no limit.
   */
  requests: number;
  requestsUser: number;
  requestsOrganization: number;
  requestsAddress: number;
  /** The same for reads of the content of documents, which are counted apart. */
  contentReads: number;
  contentReadsUser: number;
  contentReadsOrganization: number;
  /** Points of GraphQL operations a minute, for each request a minute. */
  pointsPerRequest: number;
}

type Scope = 'credential' | 'user' | 'organization' | 'address';

interface Budget {
  policy: Scope | `${Scope}-points` | `${Scope}-content`;
  scope: Scope;
  limit: number;
  key: string;
}

/** `content`: reads of the content of documents have an allowance of their own, so that exports do not stop. */
export type Allowance = 'requests' | 'content';

interface CountedBudget extends Budget {
  state: RateLimitState;
}

/** The most exhausted budgets of a request. */
interface Counted {
  requests?: CountedBudget;
  points?: CountedBudget;
}

export interface RequestRateLimit {
  /**
   * Counts an authenticated request for its credential, user and organization, and one without a live credential for its
   * network. Throws RATE_LIMITED.
   */
  count(call: Call, viewer: Viewer | undefined, address: string, allowance?: Allowance): Promise<void>;
  /**
   * Counts the points of an operation for its credential, user and organization. Returns what is left, undefined without a
   * limit. Throws RATE_LIMITED.
   */
  charge(call: Call, viewer: Viewer, points: number): Promise<PointsState | undefined>;
  /** Counts points that were measured when the work was done, whether any are left or not. */
  add(call: Call, viewer: Viewer, points: number): Promise<void>;
  /** Reports the most exhausted budgets in every response (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4). */
  headers: MiddlewareHandler;
}

/** One limiter each, so that no number of addresses evicts the count of a credential. */
function limitersOf(countTries: NewRateLimiter): Record<Budget['policy'], RateLimiter> {
  return {
    credential: countTries('requests', MINUTE),
    user: countTries('requests-user', MINUTE),
    organization: countTries('requests-organization', MINUTE),
    address: countTries('addresses', MINUTE),
    'credential-points': countTries('points', MINUTE),
    'user-points': countTries('points-user', MINUTE),
    'organization-points': countTries('points-organization', MINUTE),
    'address-points': countTries('points-addresses', MINUTE),
    'credential-content': countTries('content', MINUTE),
    'user-content': countTries('content-user', MINUTE),
    'organization-content': countTries('content-organization', MINUTE),
    'address-content': countTries('content-addresses', MINUTE),
  };
}

export function requestRateLimit(countTries: NewRateLimiter, limits: RateLimits): RequestRateLimit {
  const limiters = limitersOf(countTries);
  const counts = new WeakMap<Call, Counted>();
  const note = (call: Call, kind: keyof Counted, budget: Budget, state: RateLimitState) => {
    const counted = memoize(counts, call, (): Counted => ({}));
    const tightest = counted[kind];
    if (state.wait > 0 || !tightest || state.remaining < tightest.state.remaining)
      counted[kind] = { ...budget, state };
    return counted[kind];
  };
  const consume = async (call: Call, kind: keyof Counted, budgets: Budget[], amount: number) => {
    let counted: CountedBudget | undefined;
    for (const budget of budgets) {
      const { policy, limit, key } = budget;
      // An operation above the whole limit may run once nothing else has been counted for a minute.
      const state = await limiters[policy].consume(key, limit, Math.min(amount, limit));
      counted = note(call, kind, budget, state);
      if (state.wait > 0) throw rateLimited(kind, limit, state);
    }
    return counted;
  };
  const pointsOf = (viewer: Viewer) => pointBudgets(budgetsOf(limits, viewer, ''), limits.pointsPerRequest);
  return {
    async count(call, viewer, address, allowance = 'requests') {
      const isContent = allowance === 'content' && viewer?.credentialId;
      const budgets = isContent ? contentBudgets(limits, viewer) : budgetsOf(limits, viewer, address);
      await consume(call, 'requests', budgets, 1);
    },
    async charge(call, viewer, points) {
      const counted = await consume(call, 'points', pointsOf(viewer), points);
      notePoints(call, points);
      return counted && { limit: counted.limit, ...counted.state };
    },
    async add(call, viewer, points) {
      notePoints(call, points);
      for (const budget of pointsOf(viewer)) {
        const state = await limiters[budget.policy].add(budget.key, budget.limit, points);
        note(call, 'points', budget, { ...state, wait: 0 });
      }
    },
    headers: async (call, next) => {
      await next();
      const { requests, points } = counts.get(call) ?? {};
      const counted = [requests, points].filter((each) => each !== undefined);
      if (counted.length === 0) return;
      call.res.headers.set('RateLimit-Policy', counted.map(policyText).join(', '));
      call.res.headers.set('RateLimit', counted.map(stateText).join(', '));
    },
  };
}

const policyText = ({ policy, limit }: CountedBudget): string =>
  `"${policy}";q=${limit};w=${MINUTE / SECOND}`;

function stateText({ policy, limit, state }: CountedBudget): string {
  const reset = Math.ceil((state.wait || timeToNext(state, limit)) / SECOND);
  return `"${policy}";r=${state.remaining};t=${reset}`;
}

const rateLimited = (kind: keyof Counted, limit: number, { wait }: RateLimitState): DomainError =>
  new DomainError('RATE_LIMITED', `At most ${limit} ${kind} a minute are answered; slow down.`, {
    retryAfter: Math.ceil(wait / SECOND),
  });

/** From the narrowest to the widest: a request that one refuses is not counted by the next. */
function budgetsOf(limits: RateLimits, viewer: Viewer | undefined, address: string): Budget[] {
  const { requests, requestsUser, requestsOrganization, requestsAddress } = limits;
  const budget = (scope: Scope, limit: number, key: string) => ({ policy: scope, scope, limit, key });
  const budgets: Budget[] = viewer?.credentialId
    ? [
        budget('credential', requests, viewer.credentialId),
        budget('user', requestsUser, viewer.userId),
        budget('organization', requestsOrganization, tenantOf(viewer) ?? viewer.userId),
      ]
    : [budget('address', requestsAddress, networkOf(address))];
  return budgets.filter(({ limit }) => limit > 0);
}

function contentBudgets(limits: RateLimits, viewer: Viewer): Budget[] {
  const { contentReads, contentReadsUser, contentReadsOrganization } = limits;
  const own = {
    ...limits,
    requests: contentReads,
    requestsUser: contentReadsUser,
    requestsOrganization: contentReadsOrganization,
  };
  return budgetsOf(own, viewer, '').map(
    (budget): Budget => ({ ...budget, policy: `${budget.scope}-content` }),
  );
}

/** The budgets of requests as budgets of points. */
const pointBudgets = (budgets: Budget[], pointsPerRequest: number): Budget[] =>
  budgets
    .map(
      (budget): Budget => ({
        ...budget,
        policy: `${budget.scope}-points`,
        limit: budget.limit * pointsPerRequest,
      }),
    )
    .filter(({ limit }) => limit > 0);

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
