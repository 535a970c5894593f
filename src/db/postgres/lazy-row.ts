import { type JsonBytes, type Member, UNREAD, type WriteMembers } from '../../lib/json-bytes.ts';
import { type Binary, int32, type Read } from './binary.ts';

/** A column of the rows of a statement. */
export interface Field extends Binary {
  /** The model's. */
  name: string;
  /** Whether it opens a row within the row (rows.ts). */
  opens: boolean;
}

/** `at`: where its first column begins, with its length. */
export type LazyRows = new (bytes: Buffer, at: number) => object;

/**
 * Rows that read each value when it is asked for, or are written unread. They have no members of their own: spread, they
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

    static write(row: LazyRow, cells: readonly Cell[], json: JsonBytes): boolean {
      const bytes = row.#bytes;
      const begun = json.length;
      findColumns(bytes, row.#at, fields.length);
      for (const cell of cells)
        if (!writeCell(cell, bytes, json)) {
          json.truncate(begun);
          return false;
        }
      return true;
    }
  }
  const writerOf = (members: readonly Member[]): WriteMembers | undefined => {
    const cells = members.map((member, index) => cellOf(fields, member, index > 0));
    return cells.includes(undefined)
      ? undefined
      : (row, json) => LazyRow.write(row as LazyRow, cells as Cell[], json);
  };
  Object.defineProperty(LazyRow.prototype, UNREAD, { value: { writerOf } });
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

/** A member to write, and the column that has it. */
interface Cell {
  /** What is before its value. */
  before: Uint8Array;
  index: number;
  nullable: boolean;
  write: NonNullable<Binary['json']>['write'];
}

function cellOf(fields: readonly Field[], { key, name, form, nullable }: Member, further: boolean) {
  const index = fields.findIndex((field) => field.name === name);
  const json = fields[index]?.json;
  if (json?.form !== form) return undefined;
  const before = Buffer.from(`${further ? ',' : ''}"${key}":`);
  const cell: Cell = { before, index, nullable, write: json.write };
  return cell;
}

/** Where the columns of the row begin that is being written: with their lengths. */
let columns = new Int32Array(64);

function findColumns(bytes: Buffer, at: number, count: number): void {
  if (count > columns.length) columns = new Int32Array(count);
  let from = at;
  for (let index = 0; index < count; index++) {
    columns[index] = from;
    from += 4 + Math.max(int32(bytes, from), 0);
  }
}

function writeCell({ before, index, nullable, write }: Cell, bytes: Buffer, json: JsonBytes): boolean {
  const from = columns[index] as number;
  const length = int32(bytes, from);
  json.raw(before);
  if (length >= 0) return write(json, bytes, from + 4, from + 4 + length);
  if (nullable) json.ascii('null');
  return nullable;
}
