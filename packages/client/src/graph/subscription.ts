import { ConnectionError, DocgraphError } from '../errors.ts';
import { isTransient, pause, pauseAfter } from '../http/retry.ts';
import { errorOfStatus, sendAuthorized, type Transport } from '../http/transport.ts';
import { eventsIn, type StreamEvent } from './event-stream.ts';
import { failureOf, type GraphResult } from './request.ts';

export interface SubscriptionOptions {
  /** Ends the subscription; the iteration ends without an error. */
  signal?: AbortSignal | undefined;
  /** Continue after this event: the `lastEventId` of an earlier subscription. */
  lastEventId?: string | undefined;
  /** Called when results arrive again, and when the connection is lost and will be made again. */
  onConnection?: ((connected: boolean) => void) | undefined;
  /**
   * Called when it has connected again and cannot continue where it was: results in between may be missing, so read again
   * what they change. That is so for subscriptions whose events have no ids, and where the server no longer knows the id.
   */
  onGap?: (() => void) | undefined;
}

/** Milliseconds after which a connection counts as one that works: if it is lost, the pauses begin anew. */
const STABLE = 10_000;
/** Where a refused position is. */
const POSITIONS = ['after', 'last-event-id'];

/**
 * The results of a subscription, as an async iterable. Connects again after a lost connection, a restart of the server or
 * the end of an access token, and continues after the last event. Ends with `break`, or with the signal; throws
 * DocgraphError for a refusal.
 */
export class Subscription<Result> implements AsyncIterable<Result> {
  /** Id of the last event, at first of where it began; undefined for a subscription without ids. */
  lastEventId: string | undefined;
  readonly #transport: Transport;
  readonly #body: string;
  readonly #options: SubscriptionOptions;

  constructor(transport: Transport, text: string, variables: unknown, options: SubscriptionOptions = {}) {
    this.#transport = transport;
    this.#body = JSON.stringify({ query: text, variables });
    this.#options = options;
    this.lastEventId = options.lastEventId;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
    const { signal, onConnection, onGap } = this.#options;
    let [connections, failures] = [0, 0];
    const connected = () => {
      if (connections++ > 0 && this.lastEventId === undefined) onGap?.();
      onConnection?.(true);
    };
    while (!signal?.aborted) {
      const [begin, before] = [Date.now(), connections];
      try {
        for await (const result of this.#connect(connected)) {
          failures = 0;
          yield result;
        }
        return;
      } catch (error) {
        if (signal?.aborted) return;
        if (!this.#isCurable(error, connections > before, connections > 0)) throw error;
        onConnection?.(false);
        failures = Date.now() - begin > STABLE ? 1 : Math.min(failures + 1, 20);
        await pause(pauseAfter(error, failures, this.#transport.retry), signal, true).catch(() => {});
      }
    }
  }

  /** Whether to connect again after the failure of a connection, which was open or not; `follows` an earlier one. */
  #isCurable(error: unknown, wasOpen: boolean, follows: boolean): boolean {
    if (isTransient(error)) return true;
    if (!(error instanceof DocgraphError)) return false;
    // The access token has ended meanwhile: the next request renews it, or is refused.
    if (error.code === 'UNAUTHENTICATED') return wasOpen;
    // The server does not have this position any more, as after a restored backup.
    const isOfPosition = this.lastEventId !== undefined && POSITIONS.includes(error.at ?? '');
    if (!isOfPosition || !follows || !this.#options.onGap) return false;
    this.lastEventId = undefined;
    return true;
  }

  /** The results of one connection. Throws ConnectionError if it ends without the end of the subscription. */
  async *#connect(connected: () => void): AsyncGenerator<Result, void, undefined> {
    const ending = new AbortController();
    const { signal: outer } = this.#options;
    const signal = outer ? AbortSignal.any([outer, ending.signal]) : ending.signal;
    try {
      const response = await this.#open(ending, signal);
      connected();
      for await (const event of eventsIn(response.body as ReadableStream<Uint8Array>, signal)) {
        if (event.event === 'complete') return;
        if (event.event === 'next') yield this.#resultOf(event);
        if (event.id !== undefined) this.lastEventId = event.id;
      }
      throw new ConnectionError('The server has closed the connection.');
    } finally {
      ending.abort();
    }
  }

  /** Throws ConnectionError where the server does not answer in time. */
  async #open(ending: AbortController, signal: AbortSignal): Promise<Response> {
    const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'text/event-stream' });
    if (this.lastEventId !== undefined) headers.set('Last-Event-ID', this.lastEventId);
    const init = { method: 'POST', headers, body: this.#body, signal };
    const late = () => ending.abort(new DOMException('', 'TimeoutError'));
    const timer = setTimeout(late, this.#transport.timeout);
    try {
      const response = await sendAuthorized(this.#transport, `${this.#transport.url}/graphql`, init);
      const type = response.headers.get('Content-Type');
      if (response.ok && type?.startsWith('text/event-stream')) return response;
      const result = (await response.json().catch(() => undefined)) as GraphResult | undefined;
      throw (result && failureOf(result, response.headers)) ?? errorOfStatus(response);
    } finally {
      clearTimeout(timer);
    }
  }

  #resultOf({ data }: StreamEvent): Result {
    const result = JSON.parse(data) as GraphResult;
    const failure = failureOf(result);
    if (failure) throw failure;
    return result.data as Result;
  }
}
