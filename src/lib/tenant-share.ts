export interface ShareLimits {
  /** How much of one tenant may run while no other is active. */
  alone: number;
  /** How much of one tenant may run while others are active. */
  shared: number;
}

/** Milliseconds for which a tenant counts as active after its last activity. */
const ACTIVE = 2_000;

interface Activity {
  tenant: string;
  at: number;
}

/**
 * Counts what runs for each tenant, and says whether more of it may begin: a lot while the tenant is alone, a small share
 * while others are active. Nothing that runs is interrupted, so keep `alone` below what is there.
 */
export class TenantShare {
  readonly #limits: ShareLimits;
  readonly #running = new Map<string, number>();
  readonly #listeners: (() => void)[] = [];
  #latest: Activity = { tenant: '', at: Number.NEGATIVE_INFINITY };
  /** The latest activity of any other tenant than that. */
  #before = this.#latest;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Notes that a tenant wants something. */
  touch(tenant: string): void {
    if (tenant !== this.#latest.tenant) this.#before = this.#latest;
    this.#latest = { tenant, at: performance.now() };
  }

  running(tenant: string): number {
    return this.#running.get(tenant) ?? 0;
  }

  mayBegin(tenant: string): boolean {
    const { alone, shared } = this.#limits;
    return this.running(tenant) < (this.isAlone(tenant) ? alone : shared);
  }

  begin(tenant: string): void {
    this.#running.set(tenant, this.running(tenant) + 1);
  }

  /** Lets those know who wait for it. */
  end(tenant: string): void {
    const left = this.running(tenant) - 1;
    if (left > 0) this.#running.set(tenant, left);
    else this.#running.delete(tenant);
    for (const listener of this.#listeners) listener();
  }

  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether no other tenant was active lately. */
  isAlone(tenant: string): boolean {
    const other = this.#latest.tenant === tenant ? this.#before : this.#latest;
    return performance.now() - other.at > ACTIVE;
  }
}
