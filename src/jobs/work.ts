import type { QueueName } from '../db/jobs.ts';
import { SECOND } from '../lib/time.ts';
import { Bell } from './bell.ts';
import type { JobContext } from './context.ts';
import { handlers } from './handlers.ts';

/** How often a queue is looked at for jobs of other processes, and for those that become due. */
const LOOK = 2 * SECOND;

const MAINTAIN = 30 * SECOND;

export const QUEUES = Object.keys(handlers) as QueueName[];

/** Does the next job of a queue; false when none is due. Throws what its handler does; the job comes again. */
export const doNext = (ctx: JobContext, queue: QueueName): Promise<boolean> =>
  ctx.db.jobs.next(queue, (data) => handlers[queue](ctx, data as never));

/**
 * Works on all queues, on one job of each at a time, until it is stopped; stopping waits for the jobs under way. What
 * this process enqueues is begun at once.
 */
export function work(ctx: JobContext): { stop(): Promise<void> } {
  const { jobs } = ctx.db;
  const bells = new Map(QUEUES.map((queue) => [queue, new Bell()]));
  let stopped = false;

  /** After one that failed, others may be waiting. */
  const one = (queue: QueueName) =>
    doNext(ctx, queue).catch((error) => {
      ctx.log.error({ err: error, queue }, 'a job failed');
      return true;
    });

  async function serve(queue: QueueName, bell: Bell): Promise<void> {
    while (!stopped) if (!(await one(queue))) await bell.sleep(LOOK);
  }

  const served = [...bells].map(([queue, bell]) => serve(queue, bell));
  jobs.onDue = (queue) => bells.get(queue)?.ring();
  const maintaining = setInterval(
    () => jobs.maintain().catch((error) => ctx.log.error({ err: error }, 'the queues were not maintained')),
    MAINTAIN,
  );
  return {
    async stop() {
      stopped = true;
      clearInterval(maintaining);
      for (const bell of bells.values()) bell.ring();
      await Promise.all(served);
    },
  };
}
