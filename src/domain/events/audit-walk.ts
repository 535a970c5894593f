import type { Event } from '../../generated/prisma/client.ts';
import { eventHash, type HashedEvent } from '../kernel/event-hash.ts';

/** Sequence and hash of an organization's last event. */
export interface Head {
  sequence: bigint;
  hash: Uint8Array;
}

/** The first row that differs from what was recorded. */
export interface Finding {
  sequence: bigint;
  /** A sentence for the operator. */
  text: string;
}

const finding = (sequence: bigint, text: string): Finding => ({
  sequence,
  text: `Event ${sequence} ${text}`,
});

/** Verifies a chain of events row by row; holds only the last hash in memory. */
export class ChainWalk {
  #last: Head = { sequence: 0n, hash: new Uint8Array() };

  /** The sequence of the last valid row. */
  get at(): bigint {
    return this.#last.sequence;
  }

  /** Checks the next row, in order of sequence. A finding ends the walk. */
  step({ hash, ...row }: Event): Finding | undefined {
    const expected = this.#last.sequence + 1n;
    if (row.sequence > expected) return finding(expected, 'is missing.');
    if (row.sequence < expected) return finding(row.sequence, 'is stored twice.');
    if (!same(eventHash(this.#last.hash, row as HashedEvent), hash))
      return finding(
        row.sequence,
        `(${row.kind}) does not match its hash: it was altered or replaced by another one; or the one before it was, together with its hash.`,
      );
    this.#last = { sequence: row.sequence, hash };
    return undefined;
  }

  /** Compares the last row with the head of the chain. */
  end(head: Head | undefined): Finding | undefined {
    const { sequence, hash } = this.#last;
    if (!head)
      return sequence > 0n
        ? finding(sequence, 'is the last one, but the head of the chain is missing.')
        : undefined;
    if (head.sequence > sequence)
      return finding(
        sequence + 1n,
        `is missing; according to the head of the chain, ${head.sequence} is the last one.`,
      );
    if (head.sequence < sequence)
      return finding(head.sequence + 1n, 'was added behind the head of the chain.');
    if (!same(head.hash, hash))
      return finding(sequence, 'is the last one, but the head of the chain has another hash.');
    return undefined;
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
