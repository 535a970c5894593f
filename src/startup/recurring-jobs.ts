import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { SECOND } from '../lib/time.ts';

const TEXT_INTERVAL = 30 * SECOND;

/** Queues the recurring jobs, immediately and at their intervals, until the returned function is called. */
export function startRecurringJobs(db: Database, { sweepEvery }: Config, log: Logger): () => void {
  const timers = [
    repeat(db, 'sweep', sweepEvery, log),
    repeat(db, 'text', TEXT_INTERVAL, log),
    repeat(db, 'recognize', TEXT_INTERVAL, log),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** When several processes queue the same job within `every` ms, only one job is created. */
function repeat({ jobs }: Database, queue: 'sweep' | 'text' | 'recognize', every: number, log: Logger) {
  const send = () =>
    jobs
      .send({ queue, data: {} }, { every })
      .catch((error) => log.error({ err: error, queue }, 'a recurring job could not be queued'));
  void send();
  return setInterval(send, every);
}
