import type { Context as Call, MiddlewareHandler } from 'hono';
import { RowsRefused } from '../domain/kernel/response-size.ts';
import { memoize } from '../lib/memoize.ts';
import { nodeBindings } from './node-request.ts';
import { type Reader, ReaderBytes } from './shares/reader-bytes.ts';

/** The rows of one request. Sizes in bytes, as the database sends them. */
export interface HeldByRequest {
  /** Throws RowsRefused: beyond the limit of a request, or of a share while other requests hold rows. */
  add(bytes: number): void;
  /** Once nothing refers to the rows so far. */
  release(): void;
  /** Releases them, and counts no more. */
  end(): void;
}

export interface RowLimits {
  /** Of all requests. */
  total: number;
  /** Of one request. */
  request: number;
}

/** A request with less is not refused because of others. */
const SMALL = 2 ** 16;

/** Counts the bytes of rows that requests have read and whose responses are not built yet. */
export class HeldRows {
  /** Of one request. */
  readonly #limit: number;
  readonly #bytes: ReaderBytes;
  readonly #requests = new WeakMap<Call, HeldByRequest>();

  constructor({ total, request }: RowLimits) {
    this.#limit = request;
    this.#bytes = new ReaderBytes(total);
  }

  get total(): number {
    return this.#bytes.total;
  }

  /** The rows of a request and, of one that goes on, of each of its parts: they count until its connection ends. */
  of(call: Call, reader: Reader): HeldByRequest {
    return memoize(this.#requests, call, () => {
      const rows = this.open(reader);
      nodeBindings(call).outgoing?.once('close', rows.end);
      return rows;
    });
  }

  /** Releases the rows when the response is built. */
  readonly middleware: MiddlewareHandler = (call, next) =>
    next().finally(() => this.#requests.get(call)?.release());

  open(reader: Reader): HeldByRequest {
    let own = 0;
    let ended = false;
    const count = (bytes: number) => {
      own += bytes;
      this.#bytes.add(reader, bytes);
    };
    const release = () => count(-own);
    return {
      add: (bytes) => {
        if (ended) return;
        this.#requireRoom(reader, own, bytes);
        count(bytes);
      },
      release,
      end: () => {
        ended = true;
        release();
      },
    };
  }

  /** For `bytes` more of a request that has `own` bytes. */
  #requireRoom(reader: Reader, own: number, bytes: number): void {
    if (own + bytes > this.#limit)
      throw new RowsRefused(
        'COST_LIMIT_EXCEEDED',
        `The rows of this request have more than ${this.#limit} bytes.`,
      );
    const { total, limit } = this.#bytes;
    const isFull =
      (total > own && total + bytes > limit) || this.#bytes.exceededShare(reader, bytes, own) !== undefined;
    if (isFull && own + bytes > SMALL)
      throw new RowsRefused('UNAVAILABLE', 'Other requests hold too much memory at the moment.');
  }
}
