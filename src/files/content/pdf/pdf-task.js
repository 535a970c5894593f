// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerTasks, requestFromParent } from '../../child/child-task.js';

/** @typedef {import('./pdf-workers.ts').PdfTask} PdfTask */

const BLOCK_BYTES = 128 * 2 ** 10;
const WORN_OVER = 256 * 2 ** 20;

/** Text stays sharp, and a scanned page stays well under 500 KB. */
const QUALITY = 82;

/** @type {Promise<Worker> | undefined} */
let started;

answerTasks(async (/** @type {PdfTask} */ task) => {
  started ??= start();
  const answer = await converse(await started, task);
  return 'draw' in task.question && task.question.as === 'webp' ? encode(answer) : answer;
}, WORN_OVER);

/** PDFium reads synchronously, so it runs in a thread that sleeps while this one gets the bytes from the server. */
async function start() {
  const worker = new Worker(new URL('./pdf-worker.js', import.meta.url), {
    // The heap of the glue code only: pdf-worker.js bounds the WebAssembly memory, which these do not count.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  await once(worker, 'message');
  return worker;
}

/**
 * @param {Worker} worker
 * @param {PdfTask} task
 * @returns {Promise<any>}
 */
function converse(worker, task) {
  const shared = new SharedArrayBuffer(4 + BLOCK_BYTES);
  return new Promise((resolve, reject) => {
    const receive = (/** @type {{ block: number } | { answer: unknown }} */ message) => {
      if ('block' in message) return giveBlock(task.size, message.block, shared);
      worker.off('message', receive);
      resolve(message.answer);
    };
    // An error of the thread ends this process: the server starts another for the next file.
    worker.on('message', receive).once('error', reject);
    worker.postMessage({ ...task.question, size: task.size, shared });
  });
}

/**
 * Puts a block of the file where the sleeping thread looks for it, and wakes it with the number of bytes.
 * @param {number} size
 * @param {number} block
 * @param {SharedArrayBuffer} shared
 */
async function giveBlock(size, block, shared) {
  const start = block * BLOCK_BYTES;
  const bytes = await requestFromParent({ start, end: Math.min(start + BLOCK_BYTES, size) - 1 });
  new Uint8Array(shared, 4).set(bytes);
  const length = new Int32Array(shared, 0, 1);
  Atomics.store(length, 0, bytes.length);
  Atomics.notify(length, 0);
}

/**
 * The library is loaded where a picture is wanted only: it takes 30 MiB.
 * @param {import('../ocr/ocr.ts').Bitmap | null} bitmap
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
