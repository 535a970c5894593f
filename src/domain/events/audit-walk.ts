import type { Event } from '../../generated/prisma/client.ts';
import { eventHash } from '../kernel/audit.ts';

/** The last event of an organization as its head knows it. */
export interface Head {
  sequence: bigint;
  hash: Uint8Array;
}

/** The first row that is not what was recorded. */
export interface Finding {
  sequence: bigint;
  /** A sentence for whoever has to look into it. */
  text: string;
}

const finding = (sequence: bigint, text: string): Finding => ({
  sequence,
  text: `Event ${sequence} ${text}`,
});

/** Follows a chain of events row by row; of the rows behind it keeps nothing but the last hash. */
export class ChainWalk {
  #last: Head = { sequence: 0n, hash: new Uint8Array() };

  /** The place of the last row that was in order. */
  get at(): bigint {
    return this.#last.sequence;
  }

  /** Takes the next row in the order of the sequence; what it finds there ends the walk. */
  step({ hash, ...row }: Event): Finding | undefined {
    const expected = this.#last.sequence + 1n;
    if (row.sequence > expected) return finding(expected, 'is missing.');
    if (row.sequence < expected) return finding(row.sequence, 'stands there twice.');
    if (!same(eventHash(this.#last.hash, row as Parameters<typeof eventHash>[1]), hash))
      return finding(
        row.sequence,
        `(${row.kind}) does not match its hash: it was altered or put in another's place; or the one before it was, and its hash with it.`,
      );
    this.#last = { sequence: row.sequence, hash };
    return undefined;
  }

  /** Holds the end of the rows against the head, which was read after them. */
  end(head: Head | undefined): Finding | undefined {
    const { sequence, hash } = this.#last;
    if (!head)
      return sequence > 0n
        ? finding(sequence, 'is the last one, but the head of the chain is missing.')
        : undefined;
    if (head.sequence > sequence)
      return finding(
        sequence + 1n,
        `is missing; the head of the chain says that ${head.sequence} is the last one.`,
      );
    if (head.sequence < sequence)
      return finding(head.sequence + 1n, 'was added behind the head of the chain.');
    if (!same(head.hash, hash))
      return finding(sequence, 'is the last one, but the head of the chain has another hash.');
    return undefined;
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
