import { Busy } from '../lib/fair-slots.ts';
import { type ShareLimits, TenantShare } from '../lib/tenant-share.ts';

export interface AdmissionLimits extends ShareLimits {
  /** How many requests of one tenant are under way or wait; one more is refused at once. */
  limit: number;
  /** Milliseconds that a request may wait. */
  maxWait: number;
  /** Milliseconds after which a request no longer counts as running: it waits for something else than this process. */
  lease: number;
}

interface WaitingRequest {
  user: string;
  start: () => void;
}

interface TenantQueue {
  /** Under way or waiting. */
  total: number;
  /** Running requests by user. */
  running: Map<string, number>;
  waiting: Set<WaitingRequest>;
}

/**
 * Lets requests in tenant by tenant, and within a tenant user by user: many requests of one tenant delay each other, and
 * those of others hardly.
 */
export class TenantAdmission {
  readonly #limits: AdmissionLimits;
  readonly #share: TenantShare;
  readonly #lanes = new Map<string, TenantQueue>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#share = new TenantShare(limits);
  }

  /** Resolves once the request may run, to what ends it (again has no effect). Throws Busy. */
  async enter(tenant: string, user: string): Promise<() => void> {
    const lane = this.#laneOf(tenant);
    if (lane.total >= this.#limits.limit) throw new Busy();
    lane.total++;
    this.#share.wait(tenant);
    if (lane.waiting.size === 0 && this.#share.mayBegin(tenant)) return this.#begin(tenant, user, lane);
    return this.#wait(tenant, user, lane);
  }

  #laneOf(tenant: string): TenantQueue {
    const lane = this.#lanes.get(tenant) ?? { total: 0, running: new Map(), waiting: new Set() };
    this.#lanes.set(tenant, lane);
    return lane;
  }

  #wait(tenant: string, user: string, lane: TenantQueue): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingRequest = {
        user,
        start: () => {
          clearTimeout(timer);
          lane.waiting.delete(waiting);
          resolve(this.#begin(tenant, user, lane));
        },
      };
      const timer = setTimeout(() => {
        lane.waiting.delete(waiting);
        this.#share.stopWaiting(tenant);
        this.#leave(tenant, lane);
        reject(new Busy());
      }, this.#limits.maxWait);
      lane.waiting.add(waiting);
    });
  }

  #begin(tenant: string, user: string, lane: TenantQueue): () => void {
    this.#share.stopWaiting(tenant);
    this.#share.begin(tenant);
    lane.running.set(user, (lane.running.get(user) ?? 0) + 1);
    const release = once(() => {
      clearTimeout(timer);
      const left = (lane.running.get(user) ?? 0) - 1;
      if (left > 0) lane.running.set(user, left);
      else lane.running.delete(user);
      this.#share.end(tenant);
      this.#startNext(tenant, lane);
    });
    let leased = false;
    const timer = setTimeout(() => {
      // It still counts as wanted, so that a tenant with many slow requests does not pass for one with few.
      leased = true;
      this.#share.wait(tenant);
      release();
    }, this.#limits.lease);
    return once(() => {
      release();
      if (leased) this.#share.stopWaiting(tenant);
      this.#leave(tenant, lane);
    });
  }

  #leave(tenant: string, lane: TenantQueue): void {
    lane.total--;
    if (lane.total === 0) this.#lanes.delete(tenant);
  }

  #startNext(tenant: string, lane: TenantQueue): void {
    while (this.#share.mayBegin(tenant)) {
      const next = nextOfLeastBusyUser(lane);
      if (!next) return;
      next.start();
    }
  }
}

/** The first of the user who has the fewest running. */
function nextOfLeastBusyUser({ waiting, running }: TenantQueue): WaitingRequest | undefined {
  let best: WaitingRequest | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const each of waiting) {
    const count = running.get(each.user) ?? 0;
    if (count < fewest) [best, fewest] = [each, count];
    if (fewest === 0) break;
  }
  return best;
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
