import { Busy } from '../../lib/fair-slots.ts';
import { type ShareLimits, TenantShare } from '../../lib/shares/tenant-share.ts';
import { FairShare } from './fair-share.ts';

export interface AdmissionLimits extends ShareLimits {
  /** Maximum number of requests of one tenant, running and waiting, which its users share; a further one is refused at once. */
  limit: number;
  /** Milliseconds that a request may wait. */
  maxWait: number;
  /** Milliseconds after which a request no longer counts as running, as it then waits for something else than this process. */
  lease: number;
}

interface WaitingRequest {
  user: string;
  start: () => void;
}

interface TenantQueue {
  /** Running and waiting requests, by user. */
  slots: FairShare;
  /** Number of running requests by user. */
  running: Map<string, number>;
  waiting: Set<WaitingRequest>;
}

interface AdmittedRequest {
  user: string;
  queue: TenantQueue;
  leave: () => void;
}

/**
 * Admits requests by tenant, and within a tenant by user, so that many requests of one tenant delay each other and hardly
 * those of others. Unlike FairSlots it has no fixed number of slots: a tenant's share varies with load and with others.
 */
export class TenantAdmission {
  readonly #limits: AdmissionLimits;
  readonly #share: TenantShare;
  readonly #queues = new Map<string, TenantQueue>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#share = new TenantShare(limits);
  }

  /** Resolves when the request may run, to a function that releases its share (once). Throws Busy. */
  async enter(tenant: string, user: string): Promise<() => void> {
    const queue = this.#queueOf(tenant);
    const slot = queue.slots.take(user);
    if (!slot) throw new Busy();
    const leave = () => {
      slot.release();
      if (queue.slots.taken === 0) this.#queues.delete(tenant);
    };
    this.#share.wait(tenant);
    if (queue.waiting.size === 0 && this.#share.mayBegin(tenant))
      return this.#begin(tenant, { user, queue, leave });
    return this.#wait(tenant, { user, queue, leave });
  }

  #queueOf(tenant: string): TenantQueue {
    const queue = this.#queues.get(tenant) ?? {
      slots: new FairShare(this.#limits.limit),
      running: new Map(),
      waiting: new Set(),
    };
    this.#queues.set(tenant, queue);
    return queue;
  }

  #wait(tenant: string, request: AdmittedRequest): Promise<() => void> {
    const { user, queue, leave } = request;
    return new Promise((resolve, reject) => {
      const waiting: WaitingRequest = {
        user,
        start: () => {
          clearTimeout(timer);
          queue.waiting.delete(waiting);
          resolve(this.#begin(tenant, request));
        },
      };
      const timer = setTimeout(() => {
        queue.waiting.delete(waiting);
        this.#share.stopWaiting(tenant);
        leave();
        reject(new Busy());
      }, this.#limits.maxWait);
      queue.waiting.add(waiting);
    });
  }

  #begin(tenant: string, { user, queue, leave }: AdmittedRequest): () => void {
    this.#share.stopWaiting(tenant);
    this.#share.begin(tenant);
    const begun = performance.now();
    queue.running.set(user, (queue.running.get(user) ?? 0) + 1);
    const release = once(() => {
      clearTimeout(timer);
      const left = (queue.running.get(user) ?? 0) - 1;
      if (left > 0) queue.running.set(user, left);
      else queue.running.delete(user);
      this.#share.end(tenant, performance.now() - begun);
      this.#startNext(tenant, queue);
    });
    let leased = false;
    const timer = setTimeout(() => {
      // It still counts as waiting, so that a tenant with many slow requests is not taken for a light one.
      leased = true;
      this.#share.wait(tenant);
      release();
    }, this.#limits.lease);
    return once(() => {
      release();
      if (leased) this.#share.stopWaiting(tenant);
      leave();
    });
  }

  #startNext(tenant: string, queue: TenantQueue): void {
    while (this.#share.mayBegin(tenant)) {
      const next = nextOfLeastBusyUser(queue);
      if (!next) return;
      next.start();
    }
  }
}

/** The first waiting request of the user with the fewest running requests. */
function nextOfLeastBusyUser({ waiting, running }: TenantQueue): WaitingRequest | undefined {
  let best: WaitingRequest | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const request of waiting) {
    const count = running.get(request.user) ?? 0;
    if (count < fewest) [best, fewest] = [request, count];
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
