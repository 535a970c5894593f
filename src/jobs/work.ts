import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import { LOOK_INTERVAL, type Work } from '../db/work.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { WakeUpSignal } from '../lib/wake-up.ts';
import type { JobContext } from './context.ts';
import { handlers } from './handlers.ts';
import { READERS } from './text-lane.ts';
import { WebhookSender } from './webhook-sender.ts';

/** How often workers look for what other processes, or the passing of time, made due. */
const POLL_INTERVAL = 2 * SECOND;

/** Failures in a row after which a worker pauses: single rows may fail, more mean that nothing can succeed now. */
const PAUSE_AFTER = 3;

/** Milliseconds until a worker looks again after so many failures in a row: they double, up to a minute. */
const pauseAfter = (failures: number): number =>
  failures < PAUSE_AFTER ? 0 : Math.min(POLL_INTERVAL * 2 ** (failures - PAUSE_AFTER), MINUTE);

type HandledWork = keyof typeof handlers;

/** Workers per kind of work, where more than one: slow work of one organization must not block the others. */
const CONCURRENCY: Partial<Record<HandledWork, number>> = {
  text: READERS,
  recognize: READERS,
  mail: 2,
};

/** The kinds of work that workers take item by item; webhooks have a sender of their own. */
export const WORK = Object.keys(handlers) as HandledWork[];

/** Runs the next due item of a kind of work; false when none is due. Rethrows the handler's error; the item is retried. */
export const doNext = (ctx: JobContext, work: HandledWork): Promise<boolean> => handlers[work](ctx);

/**
 * Runs all kinds of work until it is stopped; `stop` waits for the work under way. Work and webhook deliveries that this
 * process makes due start at once, without waiting for the next poll.
 */
export function work(ctx: JobContext): { stop(): Promise<void> } {
  const workers = WORK.flatMap((each) =>
    Array.from({ length: CONCURRENCY[each] ?? 1 }, () => ({
      work: each,
      wakeUp: new WakeUpSignal(LOOK_INTERVAL),
    })),
  );
  const wakeWorkers = (due: Work) => {
    for (const { work, wakeUp } of workers) if (work === due) wakeUp.wake();
  };
  const sender = new WebhookSender(ctx);
  let stopped = false;

  /** Takes items until it is stopped, without a pause while some are due. */
  async function serve({ work, wakeUp }: (typeof workers)[number]): Promise<void> {
    let failures = 0;
    while (!stopped) {
      try {
        const wasDue = await doNext(ctx, work);
        failures = 0;
        if (!wasDue) await wakeUp.sleep(POLL_INTERVAL);
      } catch (error) {
        ctx.log.error({ err: error, work }, 'background work failed');
        failures += 1;
        await wakeUp.sleep(isDatabaseUnreachable(error) ? POLL_INTERVAL : pauseAfter(failures));
      }
    }
  }

  const running = [...workers.map(serve), sender.run()];
  ctx.db.work.onDue = (work) => (work === 'webhook' ? sender.notify() : wakeWorkers(work));
  ctx.db.notifications.onPublish = (organizationId) => {
    sender.notify(organizationId);
    wakeWorkers('notify');
  };
  return {
    async stop() {
      stopped = true;
      ctx.db.notifications.onPublish = () => {};
      for (const { wakeUp } of workers) wakeUp.wake();
      sender.stop();
      await Promise.all(running);
    },
  };
}
