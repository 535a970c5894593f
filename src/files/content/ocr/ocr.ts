import { createRequire } from 'node:module';
import { FairSlots } from '../../../lib/fair-slots.ts';
import { MINUTE } from '../../../lib/time.ts';
import { byteResponder, ChildPool } from '../../child/child-pool.ts';

/** A picture of text: one byte a pixel, 0 for black. It passes through the server, where colours would be four times as much. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
}

const { resolve } = createRequire(import.meta.url);

/** The path of the trained data of a language (`eng` for English). Throws if it is not installed. */
const trainedData = (language: string): string =>
  resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);

export function isInstalled(language: string): boolean {
  try {
    return trainedData(language) !== '';
  } catch {
    return false;
  }
}

/** The task of ocr-task.js: a picture of this size, in the languages of these files. */
export interface OcrTask {
  files: string[];
  width: number;
  height: number;
}

/** A page takes seconds of work, at the lowest priority. */
const TIME_LIMIT = MINUTE;
const SLOTS = 4;
const HEAP_MIB = 128;

/** Bytes of the whole process: with one language, and for each further one. */
const MEMORY_LIMIT = { first: 640 * 2 ** 20, other: 384 * 2 ** 20 };

const pool = new ChildPool<OcrTask, string>(
  new URL('./ocr-task.js', import.meta.url),
  new FairSlots({ slots: SLOTS }),
  HEAP_MIB,
);

/**
 * `key`: the organization; `timeLimit`: ms of work for each language; `signal` cancels the recognition; `onWork` is called
 * with the ms of work.
 */
export interface OcrCall {
  key: string;
  timeLimit?: number;
  signal?: AbortSignal;
  onWork?: (time: number) => void;
}

/**
 * The text in a picture, empty where there is none, recognized by Tesseract as WebAssembly in a child process. Throws Busy,
 * ChildFailed where it takes too long or too much memory, or the reason of `signal`.
 */
export function recognizePicture(
  { pixels, width, height }: Bitmap,
  languages: readonly string[],
  { key, timeLimit = TIME_LIMIT, signal, onWork }: OcrCall,
): Promise<string> {
  const memory = MEMORY_LIMIT.first + (languages.length - 1) * MEMORY_LIMIT.other;
  const onRequest = byteResponder(async (start, end) => pixels.subarray(start, end + 1));
  const task = { files: languages.map(trainedData), width, height };
  return pool.ask(task, { time: timeLimit * languages.length, memory }, { key, onRequest, signal, onWork });
}
