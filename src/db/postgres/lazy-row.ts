import { int32, type Read } from './binary.ts';

/** A column of the rows of a statement. */
export interface Field {
  /** The model's. */
  name: string;
  /** Whether it opens a row within the row (rows.ts). */
  opens: boolean;
  read: Read;
}

/** `at`: where its first column begins, with its length. */
export type LazyRows = new (bytes: Buffer, at: number) => object;

/**
 * Rows that read each value when it is asked for. They have no members of their own: spread, they
 * are empty.
 */
export function lazyRows(all: readonly Field[]): LazyRows {
  const fields = all.slice(0, endOf(all, 0));
  class LazyRow {
    readonly #bytes: Buffer;
    readonly #at: number;

    constructor(bytes: Buffer, at: number) {
      this.#bytes = bytes;
      this.#at = at;
    }

    /** Of the column of that number: null, or what is made of the bytes that it has. */
    static value(row: LazyRow, index: number, make: Read): unknown {
      const bytes = row.#bytes;
      let from = row.#at;
      for (let left = index; left > 0; left--) from += 4 + Math.max(int32(bytes, from), 0);
      const length = int32(bytes, from);
      return length < 0 ? null : make(bytes, from + 4, from + 4 + length);
    }
  }
  const define = (index: number, name: string, make: Read) =>
    Object.defineProperty(LazyRow.prototype, name, {
      get(this: LazyRow) {
        return LazyRow.value(this, index, make);
      },
    });
  for (const [index, { name, read }] of fields.entries()) define(index, name, read);
  for (const [index, { name, opens }] of all.entries()) {
    if (!opens) continue;
    const Within = lazyRows(all.slice(index + 1, endOf(all, index + 1)));
    define(index, name, (bytes, _, to) => new Within(bytes, to));
  }
  return LazyRow;
}

/** Where the row ends whose first column has that number. */
function endOf(all: readonly Field[], from: number): number {
  const end = all.findIndex(({ opens }, index) => opens && index >= from);
  return end < 0 ? all.length : end;
}
