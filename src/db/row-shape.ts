import pg from 'pg';
import { camelCase } from './rows.ts';

export type Row = Record<string, unknown>;

/** What RowDescription says of a column. */
export interface Column {
  name: string;
  dataTypeID: number;
}

type Read = (bytes: Buffer, from: number, to: number) => unknown;

/** A signed integer of four bytes, which must be there: Buffer's own looks at more, and takes twice as long. */
const int32 = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

const { builtins, getTypeParser } = pg.types;

const utf8: Read = (bytes, from, to) => bytes.toString('utf8', from, to);

const otherInstant = getTypeParser(builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown;

/** `2026-03-04 09:15:27.402+00`, as a session in UTC writes it. Years beyond 9999 and infinity are written in other ways. */
const instant = (text: string): unknown =>
  text.charCodeAt(10) === 32 && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : otherInstant(text);

const TEXT: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: instant,
};

/** Milliseconds from 1970 to 2000, which is where PostgreSQL counts from. */
const EPOCH = Date.UTC(2000, 0, 1);

/** int8 as a number, exact up to 2^53: microseconds reach beyond the year 2200. */
const micros = (bytes: Buffer, from: number): number =>
  int32(bytes, from) * 2 ** 32 + (int32(bytes, from + 4) >>> 0);

const TEXT_ARRAY = 1009;

/** One dimension at most, as all of ours have: counts and the type, then each item with its length. */
function texts(bytes: Buffer, from: number): (string | null)[] {
  const dimensions = int32(bytes, from);
  const items: (string | null)[] = [];
  let at = from + 20;
  for (let left = dimensions && int32(bytes, from + 12); left > 0; left--) {
    const length = int32(bytes, at);
    at += 4;
    items.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return items;
}

/** Types as their binary form is read (their send functions in PostgreSQL's source); what is missing is asked for as text. */
const BINARY: Record<number, Read> = {
  [builtins.TEXT]: utf8,
  [builtins.VARCHAR]: utf8,
  [builtins.BOOL]: (bytes, from) => bytes[from] === 1,
  [builtins.INT2]: (bytes, from) => bytes.readInt16BE(from),
  [builtins.INT4]: int32,
  [builtins.INT8]: (bytes, from) => bytes.readBigInt64BE(from),
  [builtins.FLOAT8]: (bytes, from) => bytes.readDoubleBE(from),
  [builtins.TIMESTAMPTZ]: (bytes, from) => new Date(EPOCH + Math.floor(micros(bytes, from) / 1_000)),
  [builtins.BYTEA]: (bytes, from, to) => Buffer.from(bytes.subarray(from, to)),
  [builtins.JSON]: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from, to)),
  // A version comes first.
  [builtins.JSONB]: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from + 1, to)),
  [TEXT_ARRAY]: texts,
};

function asText(type: number): Read {
  const parse = TEXT[type] ?? (getTypeParser(type, 'text') as (text: string) => unknown);
  return (bytes, from, to) => parse(bytes.toString('utf8', from, to));
}

/** How the rows of a statement are read: their names are those of the model. */
export class RowShape {
  readonly #names: readonly string[];
  readonly #reads: readonly Read[];
  readonly #Lazy: new (
    bytes: Buffer,
    at: number,
  ) => object;

  constructor(names: readonly string[], reads: readonly Read[]) {
    this.#names = names;
    this.#reads = reads;
    this.#Lazy = lazyRow(names, reads);
  }

  /** A row with all its values. `at`: where the message has the count of its columns. */
  whole(bytes: Buffer, at: number): Row {
    const row: Row = {};
    let next = at + 2;
    for (let index = 0; index < this.#names.length; index++) {
      const length = int32(bytes, next);
      const from = next + 4;
      next = from + Math.max(length, 0);
      row[this.#names[index] as string] = length < 0 ? null : (this.#reads[index] as Read)(bytes, from, next);
    }
    return row;
  }

  /** A row that reads each value when it is asked for it. It has no members of its own: spread, it is empty. */
  lazy(bytes: Buffer, at: number): Row {
    return new this.#Lazy(bytes, at) as Row;
  }
}

function lazyRow(names: readonly string[], reads: readonly Read[]) {
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
      return length < 0 ? null : (reads[index] as Read)(bytes, from + 4, from + 4 + length);
    }
  }
  for (const [index, name] of names.entries())
    Object.defineProperty(LazyRow.prototype, name, {
      get(this: LazyRow) {
        return LazyRow.value(this, index);
      },
    });
  return LazyRow;
}

const known = new Map<string, RowShape>();

/** The same shape for the same columns, whatever they were asked with. */
function shape(columns: readonly Column[], form: string, reads: readonly Read[]): RowShape {
  const key = `${form} ${columns.map(({ name, dataTypeID }) => `${name}:${dataTypeID}`).join()}`;
  const made =
    known.get(key) ??
    new RowShape(
      columns.map(({ name }) => camelCase(name)),
      reads,
    );
  known.set(key, made);
  return made;
}

export const textShape = (columns: readonly Column[]): RowShape =>
  shape(
    columns,
    'text',
    columns.map(({ dataTypeID }) => asText(dataTypeID)),
  );

/** Undefined where a column has to come as text. `enums` are their types' ids. */
export function binaryShape(columns: readonly Column[], enums: ReadonlySet<number>): RowShape | undefined {
  const reads = columns.map(({ dataTypeID: type }) => BINARY[type] ?? (enums.has(type) ? utf8 : undefined));
  return reads.includes(undefined) ? undefined : shape(columns, 'binary', reads as Read[]);
}
