import type { QueueName, RowWork } from '../db/jobs.ts';
import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import { SECOND } from '../lib/time.ts';
import { WakeUpSignal } from '../lib/wake-up.ts';
import type { JobContext } from './context.ts';
import { handlers, rowHandlers } from './handlers.ts';
import { READERS } from './text-lane.ts';
import { WebhookSender } from './webhook-sender.ts';

/** How often a queue is polled for jobs of other processes, and for jobs that became due. */
const POLL_INTERVAL = 2 * SECOND;

const MAINTENANCE_INTERVAL = 30 * SECOND;

type Work = keyof typeof handlers | keyof typeof rowHandlers;

/** Workers per kind of work, where more than one: slow work of one organization must not block the others. */
const CONCURRENCY: Partial<Record<Work, number>> = {
  text: READERS,
  recognize: READERS,
  mail: 2,
};

/** The kinds of work that workers take item by item; webhooks have a sender of their own. */
export const WORK = [...Object.keys(handlers), ...Object.keys(rowHandlers)] as Work[];

/** Runs the next due item of a kind of work; false when none is due. Rethrows the handler's error; the item is retried. */
export const doNext = (ctx: JobContext, work: Work): Promise<boolean> =>
  work in rowHandlers
    ? rowHandlers[work as keyof typeof rowHandlers](ctx)
    : ctx.db.jobs.next(work as QueueName, (data) => handlers[work as QueueName](ctx, data as never));

/**
 * Runs all kinds of work until it is stopped; `stop` waits for the work under way. Work and webhook deliveries that this
 * process makes due start at once, without waiting for the next poll.
 */
export function work(ctx: JobContext): { stop(): Promise<void> } {
  const { jobs } = ctx.db;
  const workers = WORK.flatMap((each) =>
    Array.from({ length: CONCURRENCY[each] ?? 1 }, () => ({ work: each, wakeUp: new WakeUpSignal() })),
  );
  const wakeWorkers = (due: QueueName | RowWork) => {
    for (const { work, wakeUp } of workers) if (work === due) wakeUp.wake();
  };
  const sender = new WebhookSender(ctx);
  let stopped = false;

  /** After a failure, looks for more work at once, unless the database is unreachable. */
  const runNext = (work: Work) =>
    doNext(ctx, work).catch((error) => {
      ctx.log.error({ err: error, queue: work }, 'a job failed');
      return !isDatabaseUnreachable(error);
    });

  async function serve({ work, wakeUp }: (typeof workers)[number]): Promise<void> {
    while (!stopped) if (!(await runNext(work))) await wakeUp.sleep(POLL_INTERVAL);
  }

  const running = [...workers.map(serve), sender.run()];
  jobs.onDue = (work) => (work === 'webhook' ? sender.notify() : wakeWorkers(work));
  ctx.db.notifications.onPublish = (organizationId) => {
    sender.notify(organizationId);
    wakeWorkers('notify');
  };
  const maintaining = setInterval(
    () => jobs.maintain().catch((error) => ctx.log.error({ err: error }, 'the queues were not maintained')),
    MAINTENANCE_INTERVAL,
  );
  return {
    async stop() {
      stopped = true;
      clearInterval(maintaining);
      ctx.db.notifications.onPublish = () => {};
      for (const { wakeUp } of workers) wakeUp.wake();
      sender.stop();
      await Promise.all(running);
    },
  };
}
