import { int32, type Read } from './binary.ts';

/** A column of the rows of a statement. */
export interface Field {
  /** The name of the member, in camelCase. */
  name: string;
  /** Whether a nested row begins with it (rows.ts). */
  opens: boolean;
  read: Read;
}

/** `at`: the offset of its first column, which begins with the length. */
export type LazyRows = new (bytes: Buffer, at: number) => object;

/** Bytes from which a text is kept once it is decoded, as a response may have it in many places. */
const LONG = 256;

/** A class of rows that decode each value when it is read. The rows have no own properties: spread, they are empty. */
export function lazyRows(all: readonly Field[]): LazyRows {
  const fields = all.slice(0, endOf(all, 0));
  class LazyRow {
    readonly #bytes: Buffer;
    readonly #at: number;
    /** Long texts that were decoded, by column. */
    #texts: Map<number, string> | undefined;

    constructor(bytes: Buffer, at: number) {
      this.#bytes = bytes;
      this.#at = at;
    }

    /** The decoded value of the column at `index`; null for SQL NULL. */
    static value(row: LazyRow, index: number, decode: Read): unknown {
      const text = row.#texts?.get(index);
      if (text !== undefined) return text;
      const bytes = row.#bytes;
      let from = row.#at;
      for (let left = index; left > 0; left--) from += 4 + Math.max(int32(bytes, from), 0);
      const length = int32(bytes, from);
      if (length < 0) return null;
      const value = decode(bytes, from + 4, from + 4 + length);
      if (length >= LONG && typeof value === 'string') row.#keep(index, value);
      return value;
    }

    #keep(index: number, text: string): void {
      this.#texts ??= new Map();
      this.#texts.set(index, text);
    }
  }
  const define = (index: number, name: string, decode: Read) =>
    Object.defineProperty(LazyRow.prototype, name, {
      // Of columns with the same name the last one is read, as in `pg`.
      configurable: true,
      get(this: LazyRow) {
        return LazyRow.value(this, index, decode);
      },
    });
  for (const [index, { name, read }] of fields.entries()) define(index, name, read);
  for (const [index, { name, opens }] of all.entries()) {
    if (!opens) continue;
    const NestedRow = lazyRows(all.slice(index + 1, endOf(all, index + 1)));
    define(index, name, (bytes, _, to) => new NestedRow(bytes, to));
  }
  return LazyRow;
}

/** The index behind the last column of the row that begins at `from`. */
function endOf(all: readonly Field[], from: number): number {
  const end = all.findIndex(({ opens }, index) => opens && index >= from);
  return end < 0 ? all.length : end;
}
