import { ConnectionError } from '../errors.ts';
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
}

/**
 * The results of a subscription, as an async iterable. Connects again after a lost connection or a restart of the server,
 * and continues after the last event. Ends with `break`, or with the signal; throws DocgraphError for a refusal.
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
    const { retry } = this.#transport;
    const { signal, onConnection } = this.#options;
    for (let failures = 0; !signal?.aborted; ) {
      try {
        for await (const result of this.#connect(() => onConnection?.(true))) {
          failures = 0;
          yield result;
        }
        return;
      } catch (error) {
        if (signal?.aborted) return;
        if (!isTransient(error)) throw error;
        onConnection?.(false);
        const wait = pauseAfter(error, Math.min(++failures, 20), retry);
        await pause(wait, signal, true).catch(() => {});
      }
    }
  }

  /** The results of one connection. Throws ConnectionError if it ends without the end of the subscription. */
  async *#connect(connected: () => void): AsyncGenerator<Result, void, undefined> {
    const ending = new AbortController();
    const { signal: outer } = this.#options;
    const signal = outer ? AbortSignal.any([outer, ending.signal]) : ending.signal;
    try {
      const response = await this.#open(signal);
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

  async #open(signal: AbortSignal): Promise<Response> {
    const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'text/event-stream' });
    if (this.lastEventId !== undefined) headers.set('Last-Event-ID', this.lastEventId);
    const init = { method: 'POST', headers, body: this.#body, signal };
    const response = await sendAuthorized(this.#transport, `${this.#transport.url}/graphql`, init);
    if (response.ok && response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response;
    const result = (await response.json().catch(() => undefined)) as GraphResult | undefined;
    throw (result && failureOf(result, response.headers)) ?? errorOfStatus(response);
  }

  #resultOf({ data }: StreamEvent): Result {
    const result = JSON.parse(data) as GraphResult;
    const failure = failureOf(result);
    if (failure) throw failure;
    return result.data as Result;
  }
}
