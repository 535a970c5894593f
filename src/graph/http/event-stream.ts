import type { ExecutionResult } from 'graphql';
import { jsonPieces } from '../../lib/json-pieces.ts';
import { inSlices } from '../../lib/slices.ts';
import { SECOND } from '../../lib/time.ts';
import type { SubscriptionResult } from '../operations/subscribe.ts';

export interface StreamTimes {
  /** Milliseconds between two heartbeats. */
  heartbeat: number;
  /** Milliseconds without a read until the reader is sent `tooSlow`, and again until the connection is closed. */
  patience: number;
}

const TIMES: StreamTimes = { heartbeat: 5 * SECOND, patience: 10 * SECOND };

const bytes = new TextEncoder();

const frame = (event: string, data: string): Uint8Array =>
  bytes.encode(`event: ${event}\ndata:${data && ` ${data}`}\n\n`);

/** An id without an event, from which a reader resumes (HTML standard §9.2.6: an empty data buffer dispatches nothing). */
const position = (id: string): Uint8Array => bytes.encode(`id: ${id}\n\n`);

/** A result as a frame, in pieces. */
function* piecesOf({ id, result }: SubscriptionResult): Generator<Uint8Array, void> {
  if (!result) {
    yield position(id as string);
    return;
  }
  yield bytes.encode(`${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: `);
  for (const piece of jsonPieces(result)) yield bytes.encode(piece);
  yield bytes.encode('\n\n');
}

/** A comment, which clients ignore. */
const heartbeat = (): Uint8Array => bytes.encode(':\n\n');

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A stopping server need not wait for another request on this connection.
  connection: 'close',
  // Else proxies buffer small chunks.
  'x-accel-buffering': 'no',
};

export interface EventStreamOptions {
  results: AsyncGenerator<SubscriptionResult>;
  /** Releases the source of the results; may be called twice. */
  end: () => void;
  /** Sent to a reader that is too slow. */
  tooSlow: ExecutionResult;
  /** Breaks the connection; without it the stream fails, which the server logs. */
  disconnect?: () => void;
  /** Counts bytes that wait to be read, until the returned function is called. */
  hold?: (bytes: number) => () => void;
}

/**
 * Results as server-sent events: the "distinct connections mode" of the GraphQL over SSE protocol. The next result is
 * pulled when the reader has read the last one, so that none are buffered here.
 */
export const eventStream = (options: EventStreamOptions, times: StreamTimes = TIMES): Response =>
  new Response(new ReadableStream(new EventSource(options, times)), { headers: HEADERS });

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Its three methods are those of an underlying source (Streams Standard §4.2.3). */
class EventSource implements UnderlyingDefaultSource<Uint8Array> {
  readonly #options: EventStreamOptions;
  readonly #times: StreamTimes;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastRead = Date.now();
  #isEnded = false;
  #isReleased = false;
  /** Releases the bytes of the last two results: one may be in the socket, and the next one here. */
  #holds: (() => void)[] = [];

  constructor(options: EventStreamOptions, times: StreamTimes) {
    this.#options = options;
    this.#times = times;
  }

  start(controller: Controller): void {
    controller.enqueue(heartbeat());
    this.#heartbeat = setInterval(() => this.#beat(controller), this.#times.heartbeat);
  }

  async pull(controller: Controller): Promise<void> {
    this.#lastRead = Date.now();
    const next = this.#isEnded ? undefined : await this.#next(controller);
    if (next === 'broken') return;
    if (this.#isEnded || !next || next.done) {
      this.cancel();
      if (!this.#isEnded) controller.enqueue(frame('complete', ''));
      controller.close();
      return;
    }
    await this.#enqueue(controller, next.value);
  }

  async #enqueue(controller: Controller, result: SubscriptionResult): Promise<void> {
    const { hold } = this.#options;
    const pieces: Uint8Array[] = [];
    for await (const piece of inSlices(piecesOf(result))) pieces.push(piece);
    const all = Buffer.concat(pieces);
    if (this.#isReleased) return;
    if (hold) this.#holds.push(hold(all.length));
    if (this.#holds.length > 2) this.#holds.shift()?.();
    controller.enqueue(all);
  }

  /**
   * The next result. What is thrown breaks the connection without `complete`, which clients would take for the end: they take
   * a broken connection for one to establish again.
   */
  async #next(controller: Controller): Promise<IteratorResult<SubscriptionResult> | 'broken'> {
    try {
      return await this.#options.results.next();
    } catch (error) {
      this.cancel();
      const { disconnect } = this.#options;
      if (disconnect) disconnect();
      else controller.error(error);
      return 'broken';
    }
  }

  cancel(): void {
    clearInterval(this.#heartbeat);
    this.#release();
  }

  #release(): void {
    this.#isReleased = true;
    this.#options.end();
    for (const release of this.#holds.splice(0)) release();
    void this.#options.results.return(undefined);
  }

  #beat(controller: Controller): void {
    if ((controller.desiredSize ?? 0) > 0) {
      this.#lastRead = Date.now();
      this.#holds.shift()?.();
      controller.enqueue(heartbeat());
      return;
    }
    const idle = Date.now() - this.#lastRead;
    if (this.#isEnded && idle > 2 * this.#times.patience) {
      this.cancel();
      controller.error(new Error('The reader has stopped reading.'));
    } else if (!this.#isEnded && idle > this.#times.patience) this.#endSlowReader(controller);
  }

  #endSlowReader(controller: Controller): void {
    this.#isEnded = true;
    this.#release();
    controller.enqueue(frame('next', JSON.stringify(this.#options.tooSlow)));
    controller.enqueue(frame('complete', ''));
  }
}
