const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Below it are control characters. */
const SPACE = 0x20;
const ZERO = 0x30;

/** What a JSON string holds as it is (RFC 8259 §7). */
const isPlain = (code: number): boolean => code >= SPACE && code !== QUOTE && code !== BACKSLASH;

/** JSON in UTF-8, written from its beginning to its end. */
export class JsonBytes {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  /** `size`: bytes to begin with. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written so far, which is not copied: nothing is to be written after it. */
  taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets what was written from there on. */
  back(length: number): void {
    this.#length = length;
  }

  /** JSON as it is, in ASCII: a few characters. */
  ascii(json: string): void {
    this.#makeRoom(json.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < json.length; index++) bytes[at++] = json.charCodeAt(index);
    this.#length = at;
  }

  /** The same of bytes. */
  raw(json: Uint8Array): void {
    this.#makeRoom(json.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < json.length; index++) bytes[at++] = json[index] as number;
    this.#length = at;
  }

  /** So many decimal digits of a whole number, and what follows them. */
  digits(number: number, count: number, after: string): void {
    this.#makeRoom(count);
    let rest = number;
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
    this.#length += count;
    this.ascii(after);
  }

  /** What another one wrote between two places. */
  part(other: JsonBytes, from: number, to: number): void {
    this.#makeRoom(to - from);
    other.#bytes.copy(this.#bytes, this.#length, from, to);
    this.#length += to - from;
  }

  /** A value, as JSON.stringify has it; null for what it leaves out. */
  value(value: unknown): void {
    this.#utf8(JSON.stringify(value) ?? 'null');
  }

  #utf8(json: string): void {
    this.#makeRoom(3 * json.length);
    this.#length += this.#bytes.write(json, this.#length);
  }

  /** A string that is there as UTF-8. */
  utf8(source: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from + 2);
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

  #makeRoom(more: number): void {
    const least = this.#length + more;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** What a value is in JSON: a string, a number below 2^31, one below 2^63, true or false, a time as ISO 8601 has it. */
export type Form = 'TEXT' | 'INTEGER' | 'BIG_INTEGER' | 'BOOLEAN' | 'INSTANT';

/** A member of an answer, and the member of a row that it is made of. */
export interface Member {
  key: string;
  name: string;
  form: Form;
  nullable: boolean;
}

/** Writes members of a row, between its braces. False, with nothing written, where a value cannot be written so. */
export type WriteMembers = (row: object, json: JsonBytes) => boolean;

/** Has what writes rows of the same statement, as they came, without making values of them. */
export const UNREAD = Symbol('unread');

/** A row that can be written unread. */
export interface Unread {
  readonly [UNREAD]: {
    /** Undefined where a column has another form. */
    writerOf: (members: readonly Member[]) => WriteMembers | undefined;
  };
}
