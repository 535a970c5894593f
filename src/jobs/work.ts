import type { QueueName, RowWork } from '../db/jobs.ts';
import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import { SECOND } from '../lib/time.ts';
import { WakeUpSignal } from '../lib/wake-up.ts';
import type { JobContext } from './context.ts';
import { handlers, rowHandlers } from './handlers.ts';
import { READERS } from './text-lane.ts';
import { WebhookSender } from './webhook-sender.ts';

/** How often a queue is looked at for jobs of other processes, and for those that become due. */
const LOOK = 2 * SECOND;

const MAINTAIN = 30 * SECOND;

type Work = keyof typeof handlers | keyof typeof rowHandlers;

/** How many at a time, where it is more than one: what is slow of one organization must not hold up the others. */
const AT_ONCE: Partial<Record<Work, number>> = { text: READERS, recognize: READERS };

/** The kinds of work that are taken one by one. */
export const WORK = [...Object.keys(handlers), ...Object.keys(rowHandlers)] as Work[];

/** Does the next that is due of its kind; false when nothing is. Throws what its handler does; the work comes again. */
export const doNext = (ctx: JobContext, work: Work): Promise<boolean> =>
  work in rowHandlers
    ? rowHandlers[work as keyof typeof rowHandlers](ctx)
    : ctx.db.jobs.next(work as QueueName, (data) => handlers[work as QueueName](ctx, data as never));

/**
 * Does all kinds of work until it is stopped; stopping waits for what is under way. What this process makes due is begun
 * at once, and so is what webhooks are to be sent of the events that it appended.
 */
export function work(ctx: JobContext): { stop(): Promise<void> } {
  const { jobs } = ctx.db;
  const workers = WORK.flatMap((each) =>
    Array.from({ length: AT_ONCE[each] ?? 1 }, () => ({ work: each, bell: new WakeUpSignal() })),
  );
  const ring = (wanted: QueueName | RowWork) => {
    for (const { work, bell } of workers) if (work === wanted) bell.wake();
  };
  const sender = new WebhookSender(ctx);
  let stopped = false;

  /** After one that failed, others may be waiting; not so where there is no database to tell of them. */
  const one = (work: Work) =>
    doNext(ctx, work).catch((error) => {
      ctx.log.error({ err: error, queue: work }, 'a job failed');
      return !isDatabaseUnreachable(error);
    });

  async function serve({ work, bell }: (typeof workers)[number]): Promise<void> {
    while (!stopped) if (!(await one(work))) await bell.sleep(LOOK);
  }

  const served = [...workers.map(serve), sender.run()];
  jobs.onDue = (work) => (work === 'webhook' ? sender.look() : ring(work));
  ctx.db.notifications.onPublish = (organizationId) => sender.look(organizationId);
  const maintaining = setInterval(
    () => jobs.maintain().catch((error) => ctx.log.error({ err: error }, 'the queues were not maintained')),
    MAINTAIN,
  );
  return {
    async stop() {
      stopped = true;
      clearInterval(maintaining);
      ctx.db.notifications.onPublish = () => {};
      for (const { bell } of workers) bell.wake();
      sender.stop();
      await Promise.all(served);
    },
  };
}
