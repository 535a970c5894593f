import type { Event } from '../../generated/prisma/client.ts';
import { MISMATCH, RedactionCheck } from './redaction-check.ts';

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

/** Verifies a chain of events row by row; holds the last hash in memory, and redacted events until their redaction. */
export class ChainWalk {
  readonly #check = new RedactionCheck();
  #last: Head = { sequence: 0n, hash: new Uint8Array() };

  /** The sequence of the last valid row. */
  get at(): bigint {
    return this.#last.sequence;
  }

  /** The number of valid rows whose content was redacted. */
  get redacted(): number {
    return this.#check.count;
  }

  /** Checks the next row, in order of sequence. A finding ends the walk. */
  step(row: Event): Finding | undefined {
    const expected = this.#last.sequence + 1n;
    if (row.sequence > expected) return finding(expected, 'is missing.');
    if (row.sequence < expected) return finding(row.sequence, 'is stored twice.');
    const fault = this.#check.step(this.#last.hash, row);
    if (fault) return finding(row.sequence, `(${row.kind}) ${fault}${fault === MISMATCH ? ALTERED : '.'}`);
    this.#last = { sequence: row.sequence, hash: row.hash };
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
    const { unexplained } = this.#check;
    if (unexplained !== undefined)
      return finding(unexplained, 'has no content, and no event says that it was redacted.');
    return undefined;
  }
}

const ALTERED =
  ': it was altered or replaced by another one; or the one before it was, together with its hash.';

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
