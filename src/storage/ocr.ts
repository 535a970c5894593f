import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { MINUTE } from '../lib/time.ts';

/** A picture of text: four bytes a pixel, red first, the fourth without a meaning, in a buffer of its own. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
}

const { resolve } = createRequire(import.meta.url);

/** Where the trained data of a language is installed (`eng` for English). Throws where it is not. */
const trainedData = (language: string): string =>
  resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);

export function isInstalled(language: string): boolean {
  try {
    return trainedData(language) !== '';
  } catch {
    return false;
  }
}

/** A page takes seconds, but it comes after all else that the machine does. */
const TIME_LIMIT = 2 * MINUTE;

/**
 * Recognises the text in the pictures of one file, one after the other, with Tesseract as WebAssembly in a worker thread:
 * what a hostile file does to it ends with it. Has to be closed.
 */
export class Recognizer {
  readonly #files: string[];
  readonly #timeLimit: number;
  #worker: Worker | undefined;

  /** Each language that is added takes as much time again. `timeLimit` is that of one picture, in ms. */
  constructor(languages: readonly string[], timeLimit = TIME_LIMIT) {
    this.#files = languages.map(trainedData);
    this.#timeLimit = timeLimit;
  }

  /** The text, empty where there is none; null when it takes too long or too much memory, or `stopping` aborts. */
  async recognize({ pixels, width, height }: Bitmap, stopping?: AbortSignal): Promise<string | null> {
    this.#worker ??= this.#start();
    const text = await this.#ask(this.#worker, { pixels, width, height }, stopping);
    if (text === null) await this.close();
    return text;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./ocr-worker.js', import.meta.url), {
      workerData: this.#files,
      // Hostile pictures are looked at in there: it gets no secrets, and plain JavaScript needs no loader of ours.
      env: {},
      execArgv: [],
      // What it has to say of a picture is said in words; the rest would come out where the server logs.
      stdout: true,
      stderr: true,
      // The heap of the glue code only: ocr-worker.js bounds the WebAssembly memory, which these do not count.
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    });
    worker.on('error', () => {}); // unheard, it would end the process; `exit` follows
    return worker;
  }

  #ask(worker: Worker, picture: Bitmap, stopping?: AbortSignal): Promise<string | null> {
    return new Promise((resolve) => {
      const end = (text: string | null) => {
        clearTimeout(timer);
        stopping?.removeEventListener('abort', giveUp);
        worker.off('message', end).off('exit', giveUp);
        resolve(text);
      };
      const giveUp = () => end(null);
      const timer = setTimeout(giveUp, this.#timeLimit);
      stopping?.addEventListener('abort', giveUp);
      worker.on('message', end).on('exit', giveUp);
      worker.postMessage(picture, [picture.pixels.buffer]);
      if (stopping?.aborted) giveUp();
    });
  }
}
