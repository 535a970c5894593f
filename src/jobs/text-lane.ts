import { availableParallelism } from 'node:os';
import type { Database } from '../db/database.ts';
import { type Claim, chargeReading, claimText } from '../domain/file-text/text-claim.ts';
import type { TextStep } from '../generated/prisma/client.ts';

/** How many files this process reads at a time, and of how many it recognizes the text. */
export const READERS = Math.min(Math.max(availableParallelism(), 2), 4);

/**
 * The files that this process is reading in one step. No organization may occupy all readers, so that the slow files of
 * one do not delay those of another.
 */
export class TextLane {
  readonly #running = new Map<string, number>();
  readonly #readers: number;
  #after = '';
  #claiming: Promise<unknown> = Promise.resolve();

  constructor(readers: number) {
    this.#readers = readers;
  }

  /** Claims the next file of the first of these steps that has one due. Call `release` when it is done. */
  claim(db: Database, steps: readonly TextStep[]): Promise<Claim | undefined> {
    // One at a time: concurrent claims would not see each other's count of the organization.
    const claiming = this.#claiming.then(() => this.#claim(db, steps));
    this.#claiming = claiming.catch(() => {});
    return claiming;
  }

  async #claim(db: Database, steps: readonly TextStep[]): Promise<Claim | undefined> {
    const maxPerOrganization = Math.max(this.#readers - 1, 1);
    const except = [...this.#running].flatMap(([id, count]) => (count >= maxPerOrganization ? [id] : []));
    for (const step of steps) {
      const claim = await claimText(db, step, { after: this.#after, except });
      if (!claim) continue;
      this.#after = claim.organizationId;
      this.#count(claim.organizationId, 1);
      return claim;
    }
    return undefined;
  }

  /** Frees the reader of a claim, and charges the organization for its `ms` of reading. */
  async release(db: Database, claim: Claim, ms: number): Promise<void> {
    this.#count(claim.organizationId, -1);
    await chargeReading(db, claim, ms);
  }

  #count(organizationId: string, change: number): void {
    const count = (this.#running.get(organizationId) ?? 0) + change;
    if (count > 0) this.#running.set(organizationId, count);
    else this.#running.delete(organizationId);
  }
}
