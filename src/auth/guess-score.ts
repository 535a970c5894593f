import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Busy, FairSlots } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { GuessTask } from './strength-worker.js';

/** Milliseconds for one check, with the start of the thread on a busy machine. */
const TIMEOUT = 10 * SECOND;

/** Milliseconds after a check when the thread ends, as it keeps 37 MB of lists. */
const IDLE = MINUTE;

/** Checks run one at a time, and networks take turns. */
const slots = new FairSlots({ slots: 1, perKey: 1, waiting: 20, patience: TIMEOUT });

let idleThread: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/** From 0 (guessed at once) to 4, estimated in a thread of its own: it takes up to some hundred milliseconds. Throws Busy. */
export const guessScore = (network: string, task: GuessTask): Promise<number> =>
  slots.run(network, async () => {
    const worker = takeThread();
    try {
      worker.postMessage(task);
      const [score] = await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT) });
      keepThread(worker);
      return score;
    } catch (error) {
      void worker.terminate();
      throw (error as Error).name === 'AbortError' ? new Busy() : error;
    }
  });

function takeThread(): Worker {
  if (!idleThread) return startThread();
  const { worker, timer } = idleThread;
  idleThread = undefined;
  clearTimeout(timer);
  worker.ref();
  return worker;
}

/** An error of an idle thread ends it only; without a listener, it would end this process. */
const startThread = (): Worker =>
  new Worker(new URL('./strength-worker.js', import.meta.url), { env: {}, execArgv: [] })
    .on('error', () => {})
    .once('exit', forgetThread);

/** An idle thread does not keep the process running. */
function keepThread(worker: Worker): void {
  worker.unref();
  const timer = setTimeout(() => {
    forgetThread.call(worker);
    void worker.terminate();
  }, IDLE);
  idleThread = { worker, timer: timer.unref() };
}

function forgetThread(this: Worker): void {
  if (idleThread?.worker === this) idleThread = undefined;
}
