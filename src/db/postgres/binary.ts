import pg from 'pg';
import type { Form, JsonBytes } from '../../lib/json-bytes.ts';
import { instantOf } from '../../lib/time.ts';

export type Read = (bytes: Buffer, from: number, to: number) => unknown;

/** Writes a value as JSON of its form; false, with nothing written, for one that has none. */
type Write = (json: JsonBytes, bytes: Buffer, from: number, to: number) => boolean;

/** What comes of a type in its binary form. */
export interface Binary {
  read: Read;
  /** For what can be written without being read. */
  json?: { form: Form; write: Write };
}

/** A signed integer of four bytes, which must be there: Buffer's own looks at more, and takes twice as long. */
export const int32 = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

/** int8 as a number, exact up to 2^53: microseconds reach beyond the year 2200. */
const int64 = (bytes: Buffer, from: number): number =>
  int32(bytes, from) * 2 ** 32 + (int32(bytes, from + 4) >>> 0);

/** Milliseconds from 1970 to 2000, which is where PostgreSQL counts from. */
const EPOCH = Date.UTC(2000, 0, 1);

const time = (bytes: Buffer, from: number): number => EPOCH + Math.floor(int64(bytes, from) / 1_000);

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

function written(form: Form, write: (...given: Parameters<Write>) => void): Binary['json'] {
  return {
    form,
    write(json, bytes, from, to) {
      write(json, bytes, from, to);
      return true;
    },
  };
}

const TEXT: Binary = {
  read: (bytes, from, to) => bytes.toString('utf8', from, to),
  json: written('TEXT', (json, bytes, from, to) => json.utf8(bytes, from, to)),
};

/** The greatest distance from 1970 of a time that JavaScript has, in milliseconds (ECMA-262, Time Values). */
const MOST_TIME = 8.64e15;

function writeInstant(json: JsonBytes, bytes: Buffer, from: number): boolean {
  const ms = time(bytes, from);
  // Infinity, for one.
  if (Math.abs(ms) > MOST_TIME) return false;
  const instant = instantOf(ms);
  json.ascii('"');
  json.ascii(instant.day);
  json.digits(instant.hours, 2, ':');
  json.digits(instant.minutes, 2, ':');
  json.digits(instant.seconds, 2, '.');
  json.digits(instant.ms, 3, 'Z"');
  return true;
}

const { builtins } = pg.types;

/** Types by their ids as their binary form is read (their send functions in PostgreSQL's source); what is missing is asked for as text. */
const TYPES: Record<number, Binary> = {
  [builtins.TEXT]: TEXT,
  [builtins.VARCHAR]: TEXT,
  [builtins.BOOL]: {
    read: (bytes, from) => bytes[from] === 1,
    json: written('BOOLEAN', (json, bytes, from) => json.ascii(bytes[from] === 1 ? 'true' : 'false')),
  },
  [builtins.INT2]: { read: (bytes, from) => bytes.readInt16BE(from) },
  [builtins.INT4]: {
    read: int32,
    json: written('INTEGER', (json, bytes, from) => json.ascii(String(int32(bytes, from)))),
  },
  [builtins.INT8]: {
    read: (bytes, from) => bytes.readBigInt64BE(from),
    json: written('BIG_INTEGER', (json, bytes, from) => json.ascii(String(int64(bytes, from)))),
  },
  [builtins.FLOAT8]: { read: (bytes, from) => bytes.readDoubleBE(from) },
  [builtins.TIMESTAMPTZ]: {
    read: (bytes, from) => new Date(time(bytes, from)),
    json: { form: 'INSTANT', write: writeInstant },
  },
  [builtins.BYTEA]: { read: (bytes, from, to) => Buffer.from(bytes.subarray(from, to)) },
  [builtins.JSON]: { read: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from, to)) },
  // A version comes first.
  [builtins.JSONB]: { read: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from + 1, to)) },
  [TEXT_ARRAY]: { read: texts },
};

/** Undefined for a type that has to come as text. `enums`: the ids of the enum types. */
export const binaryOf = (type: number, enums: ReadonlySet<number>): Binary | undefined =>
  TYPES[type] ?? (enums.has(type) ? TEXT : undefined);
