import type { Context as Call, MiddlewareHandler } from 'hono';
import { RowsRefused } from '../domain/kernel/response-size.ts';
import { memoize } from '../lib/memoize.ts';
import { nodeBindings } from './node-request.ts';
import type { Reader } from './shares/unread-bytes.ts';

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

/** Shares of the total: of a tenant, and of one user of it. */
const TENANT_SHARE = 1 / 4;
const USER_SHARE = 1 / 8;

/** Counts the bytes of rows that requests have read and whose responses are not built yet. */
export class HeldRows {
  readonly #limits: RowLimits;
  readonly #requests = new WeakMap<Call, HeldByRequest>();
  readonly #byKey = new Map<string, number>();
  #total = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** The rows of a request and, of one that goes on, of each of its parts: they count until its connection ends. */
  of(call: Call, reader: Reader): HeldByRequest {
    return memoize(this.#requests, call, () => {
      const held = this.open(reader);
      nodeBindings(call).outgoing?.once('close', held.end);
      return held;
    });
  }

  /** Releases the rows when the response is built. */
  readonly middleware: MiddlewareHandler = (call, next) =>
    next().finally(() => this.#requests.get(call)?.release());

  open({ tenant, user }: Reader): HeldByRequest {
    const { total, request } = this.#limits;
    const keys = [JSON.stringify([tenant]), JSON.stringify([tenant, user])] as const;
    let held = 0;
    let ended = false;
    /** Whether the rows of other requests leave no room for `bytes` more. */
    const isFull = (sum: number, bytes: number, limit: number) => sum > held && sum + bytes > limit;
    const release = () => {
      this.#count(keys, -held);
      held = 0;
    };
    return {
      add: (bytes) => {
        if (ended) return;
        if (held + bytes > request)
          throw new RowsRefused(
            'COST_LIMIT_EXCEEDED',
            `The rows of this request have more than ${request} bytes.`,
          );
        const full =
          isFull(this.#total, bytes, total) ||
          isFull(this.#sumOf(keys[0]), bytes, TENANT_SHARE * total) ||
          isFull(this.#sumOf(keys[1]), bytes, USER_SHARE * total);
        if (full && held + bytes > SMALL)
          throw new RowsRefused('UNAVAILABLE', 'Other requests hold too much memory at the moment.');
        held += bytes;
        this.#count(keys, bytes);
      },
      release,
      end: () => {
        ended = true;
        release();
      },
    };
  }

  #sumOf(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  #count(keys: readonly string[], bytes: number): void {
    this.#total += bytes;
    for (const key of keys) {
      const sum = this.#sumOf(key) + bytes;
      if (sum > 0) this.#byKey.set(key, sum);
      else this.#byKey.delete(key);
    }
  }
}
