import { toHex } from '../../lib/text/hex.ts';
import { eventHash, type HashedEvent, hashWithoutContent } from '../kernel/record/event-hash.ts';

/** The kind of the event that says which events have lost their content, and why. */
export const REDACTED = 'event.redacted';

/** What the event says of each that it redacts. Hashes in hex. */
export type RedactedEvent = {
  id: string;
  sequence: string;
  hash: string;
  /** Of a row of version 1, whose hash cannot be computed any more: hashWithoutContent. */
  restHash?: string;
};

/** The content of the event. */
interface RedactionData {
  after: { reason: string; events: RedactedEvent[] };
}

type Row = HashedEvent & { hash: Uint8Array };

export const MISMATCH = 'does not match its hash';

/** How a redaction names a row, whose content may be gone already. */
export const redactedEvent = (previous: Uint8Array, { hash, ...row }: Row): RedactedEvent => ({
  id: row.id,
  sequence: String(row.sequence),
  hash: toHex(hash),
  ...((row.hashVersion ?? 1) === 1 && { restHash: toHex(hashWithoutContent(previous, row)) }),
});

/** Checks events against their hashes, and those without content against the events that redacted them, in order of sequence. */
export class RedactionCheck {
  /** By id: the redacted events whose redaction has not come yet. */
  readonly #waiting = new Map<string, { by: string; named: RedactedEvent }>();
  #count = 0;

  /** The number of redacted events so far. */
  get count(): number {
    return this.#count;
  }

  /** What is wrong with an event, after its name in a sentence; undefined if nothing is. `previous`: the hash before. */
  step(previous: Uint8Array, row: Row): string | undefined {
    const { hash, redactedById, ...rest } = row;
    const isComputed = !redactedById || (row.hashVersion ?? 1) > 1;
    if (isComputed && Buffer.compare(eventHash(previous, { ...rest, redactedById }), hash) !== 0)
      return MISMATCH;
    if (!redactedById) return row.kind === REDACTED ? this.#match(row) : undefined;
    if (row.salt || JSON.stringify(row.data) !== '{}') return 'was redacted, and has content';
    this.#count++;
    this.#waiting.set(row.id, { by: redactedById, named: redactedEvent(previous, row) });
    return undefined;
  }

  /** The first redacted event that no event names as such, by its sequence. */
  get unexplained(): bigint | undefined {
    const [first] = this.#waiting.values();
    return first && BigInt(first.named.sequence);
  }

  #match({ id, data }: Row): string | undefined {
    for (const named of (data as unknown as RedactionData).after.events) {
      const redacted = this.#waiting.get(named.id);
      if (redacted?.by !== id || !isSame(redacted.named, named))
        return `says that event ${named.sequence} was redacted, which is not as it says`;
      this.#waiting.delete(named.id);
    }
    return undefined;
  }
}

const isSame = (a: RedactedEvent, b: RedactedEvent): boolean =>
  a.sequence === b.sequence && a.hash === b.hash && a.restHash === b.restHash;
