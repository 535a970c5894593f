import { MeanTimes } from './mean-times.ts';

/** Tasks of one tenant that may run at a time. */
export interface ShareLimits {
  /** While no other tenant is active; keep it below the capacity, as running tasks are not interrupted. */
  exclusive: number;
  /** While another tenant demands more. */
  light: number;
  /** While others are active, and none of them demands more. */
  shared: number;
}

/** Milliseconds for which a tenant counts as active after its last activity. */
const ACTIVE = 2_000;

interface Activity {
  tenant: string;
  at: number;
}

/**
 * Counts running and waiting tasks of each tenant, and decides whether one more may begin. A tenant's demand is the time that
 * these tasks will take: the number alone would count many short tasks that wait behind a slow one for more than a few slow ones.
 */
export class TenantShare {
  readonly #limits: ShareLimits;
  readonly #times = new MeanTimes();
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  readonly #listeners: (() => void)[] = [];
  #latest: Activity = { tenant: '', at: Number.NEGATIVE_INFINITY };
  /** The latest activity of any other tenant. */
  #latestOther = this.#latest;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** A task of the tenant begins to wait. */
  wait(tenant: string): void {
    if (tenant !== this.#latest.tenant) this.#latestOther = this.#latest;
    this.#latest = { tenant, at: performance.now() };
    add(this.#waiting, tenant, 1);
  }

  /** A task stops waiting, whether it begins or not. */
  stopWaiting(tenant: string): void {
    add(this.#waiting, tenant, -1);
  }

  running(tenant: string): number {
    return this.#running.get(tenant) ?? 0;
  }

  begin(tenant: string): void {
    add(this.#running, tenant, 1);
  }

  /** A task ended that ran for `ms`; calls the listeners. */
  end(tenant: string, ms: number): void {
    add(this.#running, tenant, -1);
    this.#times.add(tenant, ms);
    for (const listener of this.#listeners) listener();
  }

  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  mayBegin(tenant: string): boolean {
    const { exclusive, light, shared } = this.#limits;
    const running = this.running(tenant);
    if (running < shared) return true;
    if (this.#isAlone(tenant)) return running < exclusive;
    return running < light && this.#isLight(tenant);
  }

  #isAlone(tenant: string): boolean {
    const other = this.#latest.tenant === tenant ? this.#latestOther : this.#latest;
    return performance.now() - other.at > ACTIVE;
  }

  #isLight(tenant: string): boolean {
    const own = this.#demand(tenant);
    return [...this.#waiting.keys(), ...this.#running.keys()].some((other) => this.#demand(other) > own);
  }

  /** Milliseconds. */
  #demand(tenant: string): number {
    return (this.running(tenant) + (this.#waiting.get(tenant) ?? 0)) * this.#times.of(tenant);
  }
}

function add(counts: Map<string, number>, tenant: string, by: number): void {
  const count = (counts.get(tenant) ?? 0) + by;
  if (count > 0) counts.set(tenant, count);
  else counts.delete(tenant);
}
