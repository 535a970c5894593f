import { DomainError } from './errors.ts';

/** Accounts for what is built for a caller until it is read. Sizes in bytes. */
export interface Delivery {
  /** Throws UNAVAILABLE if a response of this size would be more than the caller may leave unread. */
  requireRoom(bytes: number): void;
  /** Counts a response until the connection has taken or dropped it. */
  hold(bytes: number): void;
  /** Counts a part of a response that goes on, until the returned function is called or the connection closes. */
  holdPart(bytes: number): () => void;
}

/** Strings above this length are measured in UTF-8; below it, their length is near enough. */
const SHORT = 64;

/** The bytes of one response, counted while it is built: names and values, without escapes. */
export class ResponseSize {
  readonly limit: number;
  bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isExceeded(): boolean {
    return this.bytes > this.limit;
  }

  add(bytes: number): void {
    this.bytes += bytes;
  }

  addValue(value: unknown): void {
    this.bytes += sizeOf(value);
  }
}

/** Bytes of a value in JSON, with its separator. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 3 + (value.length > SHORT ? Buffer.byteLength(value) : value.length);
  return typeof value === 'object' ? JSON.stringify(value).length : String(value).length + 1;
}

/** `changed`: the fields of a mutation that were carried out. */
const adviceAfter = (changed: readonly string[]): string =>
  changed.length > 0
    ? `The changes of ${changed.join(', ')} were made: read what came of them in smaller parts.`
    : 'Request fewer items or fields at a time.';

/** `field`: where the limit was reached. */
export const responseTooLarge = (limit: number, field: string, changed: readonly string[] = []) =>
  new DomainError(
    'COST_LIMIT_EXCEEDED',
    `The response would have more than ${limit} bytes, at ${field}. ${adviceAfter(changed)}`,
  );

/** The rows that a request has read take too much memory: alone, or with those of its caller's other requests. It ends the request. */
export class RowsRefused extends DomainError {
  readonly #reason: string;

  constructor(code: 'COST_LIMIT_EXCEEDED' | 'UNAVAILABLE', reason: string) {
    super(code, `${reason} ${code === 'UNAVAILABLE' ? 'Try again.' : adviceAfter([])}`);
    this.#reason = reason;
  }

  /** The error of a mutation of which these fields were carried out: it cannot be sent again. */
  after(changed: readonly string[]): DomainError {
    return changed.length > 0
      ? new DomainError('COST_LIMIT_EXCEEDED', `${this.#reason} ${adviceAfter(changed)}`)
      : this;
  }
}
