import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ByteSource } from './byte-source.ts';
import { turns } from './turns.ts';

/**
 * What can be asked about a PDF: how many pages it has, a page (from 0) drawn so many pixels wide, or the text of some
 * pages from one (from 0) on, of about so many characters.
 */
type Question = { count: true } | { draw: number; width: number } | { textFrom: number; most: number };

/** What the worker says at the end; a worn one grew too big, or is in doubt, and is not used again. */
type Verdict = { answer: unknown; worn: boolean };
type Message = Verdict | { block: number };

const TIME_LIMIT = 10_000;
const WORKERS = 2;
const BLOCK_BYTES = 128 * 1024;

/** PDFium's file access counts in 32 bits. */
const LARGEST = 2 ** 32 - 1;

const idle = new Set<Worker>();
const turn = turns(WORKERS);

/**
 * The worker's answer to a question about a PDF, or null when there is none: the file is broken, locked with a
 * password, over 4 GiB, or the answer took longer than `timeLimit` ms (before which it waits at most 30 s for one of
 * two workers). PDFium does the reading, as WebAssembly in a worker thread, and gets 128 KiB at a time. Rejects when
 * `read` does or no worker can start.
 */
export async function askPdf<Answer>(
  source: ByteSource,
  question: Question,
  timeLimit = TIME_LIMIT,
): Promise<Answer | null> {
  if (source.size > LARGEST || !(await turn.begin())) return null;
  try {
    return (await askWorker(await takeWorker(), source, question, timeLimit)) as Answer | null;
  } finally {
    turn.end();
  }
}

async function takeWorker(): Promise<Worker> {
  const [worker] = idle;
  if (!worker) return startWorker();
  idle.delete(worker);
  worker.ref();
  return worker;
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./pdf-worker.js', import.meta.url), {
    // Hostile bytes are parsed in there: it gets no secrets, and plain JavaScript needs no loader of ours.
    env: {},
    execArgv: [],
    // The heap of the glue code only: pdf-worker.js bounds the WebAssembly memory, which these do not count.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  await once(worker, 'message'); // it is ready; a file missing from the installation rejects here
  worker.on('error', () => {}); // unheard, it would end the process; the `exit` that follows settles the count
  worker.once('exit', () => idle.delete(worker));
  return worker;
}

async function askWorker(worker: Worker, source: ByteSource, question: Question, timeLimit: number) {
  let worn = true;
  try {
    const verdict = await converse(worker, source, question, timeLimit);
    worn = verdict.worn;
    return verdict.answer;
  } finally {
    if (worn) await worker.terminate();
    else keep(worker);
  }
}

function keep(worker: Worker): void {
  worker.unref(); // an idle worker must not hold the process
  idle.add(worker);
}

function converse(
  worker: Worker,
  source: ByteSource,
  question: Question,
  timeLimit: number,
): Promise<Verdict> {
  const shared = new SharedArrayBuffer(4 + BLOCK_BYTES);
  return new Promise<Verdict>((resolve, reject) => {
    const hear = (message: Message) => {
      if ('block' in message) giveBlock(source, message.block, shared).catch(end(reject));
      else end(resolve)(message);
    };
    const giveUp = () => end(resolve)({ answer: null, worn: true });
    const timer = setTimeout(giveUp, timeLimit);
    const end =
      <T>(settle: (outcome: T) => void) =>
      (outcome: T) => {
        clearTimeout(timer);
        worker.off('message', hear).off('exit', giveUp);
        settle(outcome);
      };
    worker.on('message', hear).on('exit', giveUp);
    worker.postMessage({ ...question, size: source.size, shared });
  });
}

/** Puts a block of the file where the sleeping worker looks for it, and wakes it with the number of bytes. */
async function giveBlock(
  { size, read }: ByteSource,
  block: number,
  shared: SharedArrayBuffer,
): Promise<void> {
  const start = block * BLOCK_BYTES;
  const bytes = await read(start, Math.min(start + BLOCK_BYTES, size) - 1);
  new Uint8Array(shared, 4).set(bytes);
  const length = new Int32Array(shared, 0, 1);
  Atomics.store(length, 0, bytes.length);
  Atomics.notify(length, 0);
}
