import { availableParallelism } from 'node:os';
import type { Database } from '../db/database.ts';
import { type Claim, chargeReading, claimText } from '../domain/file-text/text-claim.ts';
import type { TextStep } from '../generated/prisma/client.ts';

/** How many files this process reads at a time, and of how many it recognizes the text. */
export const READERS = Math.min(Math.max(availableParallelism(), 2), 4);

/**
 * What this process reads of one step at the moment. No organization has all of its readers: however many slow files one
 * of them has, those of another find one that is free.
 */
export class TextLane {
  readonly #running = new Map<string, number>();
  readonly #readers: number;
  #after = '';
  #claiming: Promise<unknown> = Promise.resolve();
  #woken = false;

  constructor(readers: number) {
    this.#readers = readers;
  }

  /** Claims what comes next, of the first of these steps that has something; `leave` is to be called when it is done. */
  claim(db: Database, steps: readonly TextStep[]): Promise<Claim | undefined> {
    this.#woken = false;
    // One at a time: two at once would not see what the other one gives the organization.
    const claiming = this.#claiming.then(() => this.#claim(db, steps));
    this.#claiming = claiming.catch(() => {});
    return claiming;
  }

  async #claim(db: Database, steps: readonly TextStep[]): Promise<Claim | undefined> {
    const full = Math.max(this.#readers - 1, 1);
    const except = [...this.#running].flatMap(([id, count]) => (count >= full ? [id] : []));
    for (const step of steps) {
      const claim = await claimText(db, step, { after: this.#after, except });
      if (!claim) continue;
      this.#after = claim.organizationId;
      this.#count(claim.organizationId, 1);
      return claim;
    }
    return undefined;
  }

  /** Gives the place of a claim back after so many ms. */
  async leave(db: Database, claim: Claim, ms: number): Promise<void> {
    this.#count(claim.organizationId, -1);
    await chargeReading(db, claim, ms);
  }

  /** True once for each time that a reader is free while others read: somebody is to look what it may do. */
  wakes(): boolean {
    const reading = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    if (this.#woken || reading >= this.#readers) return false;
    this.#woken = true;
    return true;
  }

  #count(organizationId: string, change: number): void {
    const count = (this.#running.get(organizationId) ?? 0) + change;
    if (count > 0) this.#running.set(organizationId, count);
    else this.#running.delete(organizationId);
  }
}
