import type { ExecutionResult } from 'graphql';
import { SECOND } from '../../lib/time.ts';
import type { SubscriptionResult } from '../operations/subscribe.ts';

export interface StreamTimes {
  /** Milliseconds between two heartbeats. */
  heartbeat: number;
  /** Milliseconds without a read until the reader is sent `tooSlow`, and again until the connection is closed. */
  patience: number;
}

export const TIMES: StreamTimes = { heartbeat: 10 * SECOND, patience: 30 * SECOND };

const bytes = new TextEncoder();

const frame = (event: string, data: string, id?: string): Uint8Array =>
  bytes.encode(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata:${data && ` ${data}`}\n\n`);

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
}

/**
 * Results as server-sent events: the "distinct connections mode" of the GraphQL over SSE protocol. The next result is
 * pulled when the reader has taken the last one, so that none are buffered here.
 */
export function eventStream(
  { results, end, tooSlow }: EventStreamOptions,
  times: StreamTimes = TIMES,
): Response {
  let heartbeat: NodeJS.Timeout;
  let lastRead = Date.now();
  let isEnded = false;
  const finish = () => {
    clearInterval(heartbeat);
    end();
    void results.return(undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(':\n\n'));
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) {
          lastRead = Date.now();
          controller.enqueue(bytes.encode(':\n\n'));
          return;
        }
        const idle = Date.now() - lastRead;
        if (isEnded && idle > 2 * times.patience) {
          finish();
          controller.error(new Error('the reader takes nothing'));
        } else if (!isEnded && idle > times.patience) {
          isEnded = true;
          end();
          void results.return(undefined);
          controller.enqueue(frame('next', JSON.stringify(tooSlow)));
          controller.enqueue(frame('complete', ''));
        }
      }, times.heartbeat);
    },
    async pull(controller) {
      lastRead = Date.now();
      const next = isEnded ? undefined : await results.next();
      if (isEnded || !next || next.done) {
        finish();
        if (!isEnded) controller.enqueue(frame('complete', ''));
        controller.close();
        return;
      }
      controller.enqueue(frame('next', JSON.stringify(next.value.result), next.value.id));
    },
    cancel: finish,
  });
  return new Response(body, { headers: HEADERS });
}
