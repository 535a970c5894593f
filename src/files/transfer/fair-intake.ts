import { FairSlots, leaveTurns } from '../../lib/fair-slots.ts';

/** Bytes of one body that are read, hashed and written before other requests run. */
const SLICE = 256 * 1024;

/** Bodies of one organization that wait: more than a process has connections. */
const MAX_WAITING = 100_000;

/**
 * Shares the main thread between organizations that send bytes. However many bodies an organization sends at once, it
 * passes one slice of one of them in four turns of the event loop; otherwise a turn takes as long as all bodies do.
 */
export class FairIntake {
  readonly #slots = new FairSlots({ slots: 2, perKey: 1, waiting: MAX_WAITING });
  #bodies = 0;

  /**
   * The same chunks. The source is not read while a slice waits. Throws Busy after 30 seconds without a turn. Connections that
   * break together end one after the other, as the end of each upload costs as much as a slice.
   */
  async *pace(organizationId: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#bodies++;
    let left = SLICE;
    try {
      for await (const chunk of chunks) {
        left -= chunk.length;
        if (left < 0) {
          if (this.#bodies > 1) await this.#takeSlot(organizationId);
          left = SLICE - chunk.length;
        }
        yield chunk;
      }
    } catch (error) {
      if (this.#bodies > 1) await this.#takeSlot(organizationId).catch(() => {});
      throw error;
    } finally {
      this.#bodies--;
    }
  }

  /** Resolves when a slice may pass. */
  #takeSlot(organizationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const pass = async () => {
        resolve();
        await leaveTurns();
      };
      this.#slots.run(organizationId, pass).catch(reject);
    });
  }
}
