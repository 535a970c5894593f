import pg from 'pg';

/** Decodes the value in `bytes` from `from` to `to`. */
export type Read = (bytes: Buffer, from: number, to: number) => unknown;

/** A signed integer of four bytes, without a bounds check: Buffer's readInt32BE takes twice as long. */
export const int32 = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

/** int8 as a number, exact up to 2^53: enough for microseconds until after the year 2200. */
const int64 = (bytes: Buffer, from: number): number =>
  int32(bytes, from) * 2 ** 32 + (int32(bytes, from + 4) >>> 0);

/** PostgreSQL's epoch, in ms since 1970. */
const EPOCH = Date.UTC(2000, 0, 1);

const time = (bytes: Buffer, from: number): number => EPOCH + Math.floor(int64(bytes, from) / 1_000);

const TEXT_ARRAY = 1009;

/** An array of text of at most one dimension: a header of 20 bytes with the length, then each item with its length. */
function textArray(bytes: Buffer, from: number): (string | null)[] {
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

const text: Read = (bytes, from, to) => bytes.toString('utf8', from, to);

const { builtins } = pg.types;

/** Decoders of the binary format (the send functions in PostgreSQL's source) by type id; other types are requested as text. */
const DECODERS: Record<number, Read> = {
  [builtins.TEXT]: text,
  [builtins.VARCHAR]: text,
  [builtins.BOOL]: (bytes, from) => bytes[from] === 1,
  [builtins.INT2]: (bytes, from) => bytes.readInt16BE(from),
  [builtins.INT4]: int32,
  [builtins.INT8]: (bytes, from) => bytes.readBigInt64BE(from),
  [builtins.FLOAT8]: (bytes, from) => bytes.readDoubleBE(from),
  [builtins.TIMESTAMPTZ]: (bytes, from) => new Date(time(bytes, from)),
  [builtins.BYTEA]: (bytes, from, to) => Buffer.from(bytes.subarray(from, to)),
  [builtins.JSON]: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from, to)),
  // The first byte is a version.
  [builtins.JSONB]: (bytes, from, to) => JSON.parse(bytes.toString('utf8', from + 1, to)),
  [TEXT_ARRAY]: textArray,
};

/** The decoder of a type; undefined for one that has to be requested as text. `enums`: the ids of the enum types. */
export const binaryOf = (type: number, enums: ReadonlySet<number>): Read | undefined =>
  DECODERS[type] ?? (enums.has(type) ? text : undefined);
