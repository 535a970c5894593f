// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerTasks, requestFromParent } from '../../child/child-task.js';

/** @typedef {import('./pdf-workers.ts').PdfTask} PdfTask */

const BLOCK_BYTES = 128 * 2 ** 10;
const MAX_MEMORY = 256 * 2 ** 20;

/** WebP quality: text stays sharp, and a scanned page stays well under 500 KB. */
const QUALITY = 82;

/** @type {Promise<Worker> | undefined} */
let workerStart;

answerTasks(async (/** @type {PdfTask} */ task) => {
  workerStart ??= start();
  const answer = await exchange(await workerStart, task);
  return 'draw' in task.question && task.question.as === 'webp' ? encode(answer) : answer;
}, MAX_MEMORY);

/** PDFium reads synchronously, so it runs in a thread that blocks while this one fetches the bytes from the server. */
async function start() {
  const worker = new Worker(new URL('./pdf-worker.js', import.meta.url), {
    // The heap of the glue code only: pdf-worker.js bounds the WebAssembly memory, which these do not count.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  await once(worker, 'message');
  return worker;
}

/**
 * Sends the task to the worker, and blocks of the file as it requests them, until it answers.
 * @param {Worker} worker
 * @param {PdfTask} task
 * @returns {Promise<any>}
 */
function exchange(worker, task) {
  const shared = new SharedArrayBuffer(4 + BLOCK_BYTES);
  return new Promise((resolve, reject) => {
    const receive = (/** @type {{ block: number, file: number } | { answer: unknown }} */ message) => {
      if ('block' in message) return sendBlock(task.sizes, message, shared);
      worker.off('message', receive);
      resolve(message.answer);
    };
    // An error of the thread ends this process: the server starts another for the next file.
    worker.on('message', receive).once('error', reject);
    worker.postMessage({ ...task.question, sizes: task.sizes, shared });
  });
}

/**
 * Copies a block of a file into the shared memory, and wakes the blocked thread with the number of bytes.
 * @param {number[]} sizes
 * @param {{ block: number, file: number }} requested
 * @param {SharedArrayBuffer} shared
 */
async function sendBlock(sizes, { block, file }, shared) {
  const start = block * BLOCK_BYTES;
  const end = Math.min(start + BLOCK_BYTES, sizes[file] ?? 0) - 1;
  const bytes = await requestFromParent({ start, end, file });
  new Uint8Array(shared, 4).set(bytes);
  const length = new Int32Array(shared, 0, 1);
  Atomics.store(length, 0, bytes.length);
  Atomics.notify(length, 0);
}

/**
 * Loads the library only when a picture is requested, as it takes 30 MiB.
 * @param {{ pixels: Uint8Array, width: number, height: number } | null} bitmap
 */
async function encode(bitmap) {
  if (!bitmap) return null;
  const { pixels, width, height } = bitmap;
  const { default: sharp } = await import('sharp');
  const bytes = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality: QUALITY, effort: 3 })
    .toBuffer();
  return { bytes, width, height };
}
