// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { Worker } from 'node:worker_threads';

/** A thread of its own: a child that is busy for ever would not notice that the server is gone. */
const GUARD = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
`;

/** @type {((answer: any) => void) | undefined} */
let answered;

/**
 * The side of child-pool.ts in the child: answers each task with what `work` returns. A `work` that throws ends the
 * process. A child whose resident memory exceeds `wornOver` bytes afterwards is not used again.
 * @template Task
 * @param {(task: Task) => unknown} work
 * @param {number} wornOver
 */
export function answerTasks(work, wornOver) {
  new Worker(GUARD, { eval: true, workerData: process.ppid }).unref();
  process.on('message', async (/** @type {{ task: Task } | { reply: unknown }} */ message) => {
    if (!('task' in message)) return answered?.(message.reply);
    const answer = await work(message.task);
    process.send?.({ answer, worn: process.memoryUsage.rss() > wornOver });
  });
  process.once('disconnect', () => process.exit());
}

/**
 * Asks the server for something that belongs to the task, one request at a time.
 * @param {unknown} request
 * @returns {Promise<any>}
 */
export const requestFromParent = (request) =>
  new Promise((resolve) => {
    answered = resolve;
    process.send?.({ request });
  });

const BLOCK = 2 ** 20;

/**
 * The bytes that the task is about, asked for block by block (`giveBytes` in child-pool.ts answers): the server is never
 * busy with a large file for long.
 * @param {number} size
 */
export async function requestBytes(size) {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += BLOCK)
    bytes.set(await requestFromParent({ start, end: Math.min(start + BLOCK, size) - 1 }), start);
  return bytes;
}
