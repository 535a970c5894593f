const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Below it are control characters. */
const SPACE = 0x20;
const ZERO = 0x30;

/** Whether a JSON string holds the character unescaped (RFC 8259 §7). */
const isPlain = (code: number): boolean => code >= SPACE && code !== QUOTE && code !== BACKSLASH;

/** A growing buffer of JSON in UTF-8. */
export class JsonBytes {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  /** `size`: initial capacity in bytes. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes written, not copied: nothing may be written afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Drops everything written after `length` bytes. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** A few characters of JSON, in ASCII. */
  ascii(json: string): void {
    this.#ensureCapacity(json.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < json.length; index++) bytes[at++] = json.charCodeAt(index);
    this.#length = at;
  }

  /** A few bytes of JSON. */
  raw(json: Uint8Array): void {
    this.#ensureCapacity(json.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < json.length; index++) bytes[at++] = json[index] as number;
    this.#length = at;
  }

  /** An integer padded to `count` decimal digits, and the ASCII text `after` it. */
  digits(number: number, count: number, after: string): void {
    this.#ensureCapacity(count);
    let rest = number;
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
    this.#length += count;
    this.ascii(after);
  }

  /** Bytes `from` to `to` of another buffer. */
  copy(other: JsonBytes, from: number, to: number): void {
    this.#ensureCapacity(to - from);
    other.#bytes.copy(this.#bytes, this.#length, from, to);
    this.#length += to - from;
  }

  /** A value as JSON.stringify writes it; null where that is undefined. */
  value(value: unknown): void {
    this.#utf8(JSON.stringify(value) ?? 'null');
  }

  #utf8(json: string): void {
    this.#ensureCapacity(3 * json.length);
    this.#length += this.#bytes.write(json, this.#length);
  }

  /** A JSON string of UTF-8 bytes. */
  utf8(source: Buffer, from: number, to: number): void {
    this.#ensureCapacity(to - from + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let index = from; index < to; index++) {
      const byte = source[index] as number;
      if (!isPlain(byte)) {
        this.#utf8(JSON.stringify(source.toString('utf8', from, to)));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  #ensureCapacity(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** JSON form of a column: a string, an int4, an int8, a boolean, an ISO 8601 string. */
export type Form = 'TEXT' | 'INTEGER' | 'BIG_INTEGER' | 'BOOLEAN' | 'INSTANT';

/** A member of an answer (`key`) and the member of the row that it shows (`name`). */
export interface Member {
  key: string;
  name: string;
  form: Form;
  nullable: boolean;
}

/** Writes members of a row, without braces. Returns false, with nothing written, for a value without such a form. */
export type WriteMembers = (row: object, json: JsonBytes) => boolean;

/** Marks rows that can be written from their bytes, without decoding values. */
export const UNREAD = Symbol('unread');

/** A row that can be written without decoding it. */
export interface Unread {
  readonly [UNREAD]: {
    /** One function for all rows of a statement; undefined if a column is missing or has another form. */
    writerOf: (members: readonly Member[]) => WriteMembers | undefined;
  };
}
