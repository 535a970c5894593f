// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { Worker } from 'node:worker_threads';

/**
 * A separate thread, because a child in an endless loop would not notice the end of the server or its own memory use.
 * Where the system reports memory, the server checks it too, and more often (child-pool.ts). One reading alone ends nothing.
 */
const GUARD = `
  const { workerData: { parent, limit } } = require('node:worker_threads');
  let over = 0;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    over = limit[0] > 0 && process.memoryUsage.rss() > limit[0] ? over + 1 : 0;
    if (over === 2) process.kill(process.pid, 'SIGTERM');
  }, 50);
`;

/** @type {((answer: any) => void) | undefined} */
let onReply;

/**
 * The side of child-pool.ts in the child: answers each task with the result of `work`. An error of `work` ends the
 * process. A child whose resident memory exceeds `wornOver` bytes afterwards is not used again.
 * @template Task
 * @param {(task: Task) => unknown} work
 * @param {number} wornOver
 */
export function answerTasks(work, wornOver) {
  const limit = new Float64Array(new SharedArrayBuffer(8));
  new Worker(GUARD, { eval: true, workerData: { parent: process.ppid, limit } }).unref();
  process.on(
    'message',
    async (/** @type {{ task: Task, memory: number } | { reply: unknown }} */ message) => {
      if (!('task' in message)) return onReply?.(message.reply);
      limit[0] = message.memory;
      const answer = await work(message.task);
      limit[0] = 0;
      process.send?.({ answer, worn: process.memoryUsage.rss() > wornOver });
    },
  );
  process.once('disconnect', () => process.exit());
}

/**
 * Sends a request about the task to the server, one at a time.
 * @param {unknown} request
 * @returns {Promise<any>}
 */
export const requestFromParent = (request) =>
  new Promise((resolve) => {
    onReply = resolve;
    process.send?.({ request });
  });

const BLOCK = 2 ** 20;

/**
 * The bytes of the task, requested in blocks (`byteResponder` in child-pool.ts answers), so that a large file never blocks
 * the server for long.
 * @param {number} size
 */
export async function requestBytes(size) {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += BLOCK)
    bytes.set(await requestFromParent({ start, end: Math.min(start + BLOCK, size) - 1 }), start);
  return bytes;
}
