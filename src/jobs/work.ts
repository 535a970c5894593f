import { isAway } from '../db/away.ts';
import type { QueueName } from '../db/jobs.ts';
import { Bell } from '../lib/bell.ts';
import { SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';
import { handlers } from './handlers.ts';
import { wakeWebhooks } from './webhook.ts';

/** How often a queue is looked at for jobs of other processes, and for those that become due. */
const LOOK = 2 * SECOND;

const MAINTAIN = 30 * SECOND;

/** How many jobs of a queue a process does at a time: one receiver that is slow must not hold up the others. */
const AT_ONCE: Partial<Record<QueueName, number>> = { webhook: 4 };

export const QUEUES = Object.keys(handlers) as QueueName[];

/** Does the next job of a queue; false when none is due. Throws what its handler does; the job comes again. */
export const doNext = (ctx: JobContext, queue: QueueName): Promise<boolean> =>
  ctx.db.jobs.next(queue, (data) => handlers[queue](ctx, data as never));

/**
 * Works on all queues until it is stopped; stopping waits for the jobs under way. What this process enqueues is begun at
 * once, and so is what webhooks are to be sent of the events that it made.
 */
export function work(ctx: JobContext): { stop(): Promise<void> } {
  const { jobs } = ctx.db;
  const workers = QUEUES.flatMap((queue) =>
    Array.from({ length: AT_ONCE[queue] ?? 1 }, () => ({ queue, bell: new Bell() })),
  );
  const ring = (wanted: QueueName) => {
    for (const { queue, bell } of workers) if (queue === wanted) bell.ring();
  };
  let stopped = false;

  /** After one that failed, others may be waiting; not so where there is no database to tell of them. */
  const one = (queue: QueueName) =>
    doNext(ctx, queue).catch((error) => {
      ctx.log.error({ err: error, queue }, 'a job failed');
      return !isAway(error);
    });

  async function serve(queue: QueueName, bell: Bell): Promise<void> {
    while (!stopped) if (!(await one(queue))) await bell.sleep(LOOK);
  }

  const served = workers.map(({ queue, bell }) => serve(queue, bell));
  jobs.onDue = ring;
  ctx.db.news.onOwn = waking(ctx);
  const maintaining = setInterval(
    () => jobs.maintain().catch((error) => ctx.log.error({ err: error }, 'the queues were not maintained')),
    MAINTAIN,
  );
  return {
    async stop() {
      stopped = true;
      clearInterval(maintaining);
      ctx.db.news.onOwn = () => {};
      for (const { bell } of workers) bell.ring();
      await Promise.all(served);
    },
  };
}

/** One look at a time, for all the organizations that have had events since the last. What it misses, the queue makes up for. */
function waking(ctx: JobContext): (organizationId: string) => void {
  const organizations = new Set<string>();
  let looking = false;
  return async (organizationId) => {
    organizations.add(organizationId);
    if (looking) return;
    looking = true;
    while (organizations.size > 0) {
      const wanted = [...organizations];
      organizations.clear();
      await wakeWebhooks(ctx, wanted).catch((error) =>
        ctx.log.error({ err: error }, 'webhooks were not woken'),
      );
    }
    looking = false;
  };
}
