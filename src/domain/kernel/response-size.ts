import { DomainError } from './errors.ts';

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

/** `field`: where the limit was reached. `changed`: the fields of a mutation that were carried out. */
export const responseTooLarge = (limit: number, field: string, changed: readonly string[] = []) =>
  new DomainError(
    'COST_LIMIT_EXCEEDED',
    `The response would have more than ${limit} bytes, at ${field}. ${changed.length > 0 ? `The changes of ${changed.join(', ')} were made: read what came of them in smaller parts.` : 'Request fewer items or fields at a time.'}`,
  );
