import { type JsonBytes, type Member, UNREAD, type WriteMembers } from '../lib/json-bytes.ts';
import { type Binary, int32 } from './binary.ts';

/** A column of the rows of a statement. */
export interface Field extends Binary {
  /** The model's. */
  name: string;
}

/** `at`: where the message has the count of its columns. */
export type LazyRows = new (bytes: Buffer, at: number) => object;

/**
 * Rows that read each value when it is asked for, or are written unread. They have no members of their own: spread, they
 * are empty.
 */
export function lazyRows(fields: readonly Field[]): LazyRows {
  class LazyRow {
    readonly #bytes: Buffer;
    readonly #at: number;

    constructor(bytes: Buffer, at: number) {
      this.#bytes = bytes;
      this.#at = at + 2;
    }

    static value(row: LazyRow, index: number): unknown {
      const bytes = row.#bytes;
      let from = row.#at;
      for (let left = index; left > 0; left--) from += 4 + Math.max(int32(bytes, from), 0);
      const length = int32(bytes, from);
      return length < 0 ? null : (fields[index] as Field).read(bytes, from + 4, from + 4 + length);
    }

    static write(row: LazyRow, cells: readonly Cell[], json: JsonBytes): boolean {
      const bytes = row.#bytes;
      const begun = json.length;
      findColumns(bytes, row.#at, fields.length);
      for (const cell of cells)
        if (!writeCell(cell, bytes, json)) {
          json.back(begun);
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
  for (const [index, { name }] of fields.entries())
    Object.defineProperty(LazyRow.prototype, name, {
      get(this: LazyRow) {
        return LazyRow.value(this, index);
      },
    });
  return LazyRow;
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
