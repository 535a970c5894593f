import type { ExecutionResult } from 'graphql';
import { SECOND } from '../../lib/time.ts';
import type { SubscriptionResult } from '../operations/subscribe.ts';

export interface StreamTimes {
  /** Between two signs of life. */
  heartbeat: number;
  /** How long a reader may take nothing, before it is told that it is too slow; and then, before it is cut off. */
  patience: number;
}

export const TIMES: StreamTimes = { heartbeat: 10 * SECOND, patience: 30 * SECOND };

const bytes = new TextEncoder();

const frame = (event: string, data: string, id?: string): Uint8Array =>
  bytes.encode(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata:${data && ` ${data}`}\n\n`);

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A server that stops need not wait for another request on it.
  connection: 'close',
  // Else proxies hold back what comes in small pieces.
  'x-accel-buffering': 'no',
};

export interface Answers {
  told: AsyncGenerator<SubscriptionResult>;
  /** Lets go of what the answers are made from; may be called again. */
  end: () => void;
  /** What a reader is told that takes nothing for too long. */
  tooSlow: ExecutionResult;
}

/**
 * Answers as server-sent events: the "distinct connections mode" of the GraphQL over SSE protocol. The next answer is
 * made when the reader has taken the last, so that nothing piles up here.
 */
export function eventStream({ told, end, tooSlow }: Answers, times: StreamTimes = TIMES): Response {
  let beating: NodeJS.Timeout;
  let taken = Date.now();
  let given = false;
  const finish = () => {
    clearInterval(beating);
    end();
    void told.return(undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(':\n\n'));
      beating = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) {
          taken = Date.now();
          controller.enqueue(bytes.encode(':\n\n'));
          return;
        }
        const idle = Date.now() - taken;
        if (given && idle > 2 * times.patience) {
          finish();
          controller.error(new Error('the reader takes nothing'));
        } else if (!given && idle > times.patience) {
          given = true;
          end();
          void told.return(undefined);
          controller.enqueue(frame('next', JSON.stringify(tooSlow)));
          controller.enqueue(frame('complete', ''));
        }
      }, times.heartbeat);
    },
    async pull(controller) {
      taken = Date.now();
      const next = given ? undefined : await told.next();
      if (given || !next || next.done) {
        finish();
        if (!given) controller.enqueue(frame('complete', ''));
        controller.close();
        return;
      }
      controller.enqueue(frame('next', JSON.stringify(next.value.result), next.value.id));
    },
    cancel: finish,
  });
  return new Response(body, { headers: HEADERS });
}
