import { Worker } from 'node:worker_threads';
import type { Prepared, SealJob } from './job.ts';

/** What cannot be sealed, however often it is tried: the file is broken, locked, or too much. */
export class NotSealable extends Error {}

type Message = { prepared: Prepared } | { fault: { name: string; message: string } };

const TIME_LIMIT = 60_000;
const MIB = 2 ** 20;
/** Bytes of arrays count in no limit of a worker, so the process is watched while it draws. */
const MEMORY_LIMIT = 1_024 * MIB;
const WATCHED_EVERY = 50;

/** One at a time: the next begins when the one before is through, whatever came of it. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws the values and the audit pages, in a worker thread: hostile bytes are parsed there. Throws NotSealable for a
 * file that is broken or locked with a password, for an image that is none, and for what takes more than `timeLimit` ms or 1 GiB.
 */
export function prepare(job: SealJob, timeLimit = TIME_LIMIT): Promise<Prepared> {
  const turn = last.then(() => draw(job, timeLimit));
  last = turn.catch(() => {});
  return turn;
}

async function draw(job: SealJob, timeLimit: number): Promise<Prepared> {
  const worker = new Worker(new URL('./draw-worker.js', import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 },
  });
  try {
    return await answerOf(worker, job, timeLimit);
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, job: SealJob, timeLimit: number): Promise<Prepared> {
  const before = process.memoryUsage.rss();
  return new Promise<Prepared>((resolve, reject) => {
    const fail = (text: string) => end(() => reject(new NotSealable(text)));
    const timer = setTimeout(() => fail(`It took more than ${timeLimit / 1_000} s to draw.`), timeLimit);
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MEMORY_LIMIT) fail(TOO_MUCH);
    }, WATCHED_EVERY);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      settle();
    };
    worker.once('message', (message: Message) => {
      if ('prepared' in message) end(() => resolve(message.prepared));
      else fail(explain(message.fault));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail(TOO_MUCH);
      else end(() => reject(error));
    });
    worker.once('exit', () => end(() => reject(new Error('the drawing ended without an answer'))));
    worker.postMessage(job);
  });
}

const TOO_MUCH = 'It takes too much memory to draw.';

const explain = ({ name, message }: { name: string; message: string }): string =>
  /encrypt|password/i.test(name + message)
    ? 'The PDF is locked with a password.'
    : `The file cannot be drawn: ${message.slice(0, 300)}`;
