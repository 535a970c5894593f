import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { type Bitmap, recognizePicture } from '../ocr/ocr.ts';
import { type PdfTexts, readPdfText } from '../pdf/pdf-text.ts';
import { drawImage, isPicture } from '../pictures/image-picture.ts';
import { drawPage } from '../pictures/page-image.ts';
import { pdfResult, readingTime, type TextResult, textResult } from './text.ts';

/** A4 at 300 dots per inch. */
const WIDTH = 2_480;
const HEIGHT = 3_508;

/** Limits of a file: pages, and ms for all of them. */
const MAX_PAGES = 200;
const FILE_TIME = 30 * MINUTE;

/** Pages, or ms, after which another file has its turn. */
const TURN_PAGES = 4;
const TURN_TIME = 20 * SECOND;

export interface Recognition {
  /** Tesseract's language codes, whose data must be installed. */
  languages: readonly string[];
  stopping?: AbortSignal;
  /** Limits for one picture and for a whole file, in ms. */
  pageTime?: number;
  fileTime?: number;
}

/** A page, from 0: its text, null where none could be recognized, and the ms spent, null while it is pending. */
export interface PageProgress {
  page: number;
  text: string | null;
  spent: number | null;
}

/** The stored progress of the recognition of a PDF: each turn continues after the previous one. */
export interface Progress {
  /** By number; empty before the first turn. */
  pages: readonly PageProgress[];
  /** Stores which pages are to be recognized. */
  begin(pages: readonly number[]): Promise<void>;
  keep(page: PageProgress): Promise<void>;
}

/** Whether the pictures of a file may have text: an image, or a PDF of which `result` has pages without text. */
export const hasPictures = (contentType: string, result: TextResult): boolean =>
  isPicture(contentType) ||
  (contentType === 'application/pdf' &&
    ('none' in result || ('text' in result && result.text.pages.includes(''))));

/**
 * As `readText`, with the text in pictures. Within limits of time and pages; `unfinished` when another file has its turn,
 * `stopped` when the server stops. Throws as `readText` does.
 */
export async function recognizeText(
  source: ByteSource,
  contentType: string,
  recognition: Recognition,
  progress: Progress,
): Promise<TextResult | 'unfinished' | 'stopped'> {
  try {
    recognition.stopping?.throwIfAborted();
    return await (isPicture(contentType)
      ? recognizeImage(source, recognition)
      : recognizePdf(source, recognition, progress));
  } catch (error) {
    if (recognition.stopping?.aborted) return 'stopped';
    throw error;
  }
}

async function recognizeImage(source: ByteSource, recognition: Recognition): Promise<TextResult> {
  const picture = await drawImage(source, HEIGHT);
  if (!picture) return { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
  const text = await recognized(source, picture, recognition);
  if (text === null) return { failed: 'It takes too long to recognize its text.', retries: 0 };
  return withRecognizedPages(textResult([text], false), 1);
}

async function recognizePdf(source: ByteSource, recognition: Recognition, progress: Progress) {
  const read = () => readPdfText(source, readingTime('application/pdf', source.size));
  let embedded: PdfTexts | undefined;
  let pages = progress.pages;
  if (pages.length === 0) {
    embedded = await read();
    const pending = pagesWithoutText(embedded).slice(0, MAX_PAGES);
    pages = pending.map((page) => ({ page, text: null, spent: null }));
    await progress.begin(pending);
  }
  const done = await takeTurn(source, recognition, progress, pages);
  if (done.some(({ spent }) => spent === null)) return 'unfinished';
  return withPages(embedded ?? (await read()), done);
}

/** The pages without embedded text, from 0. */
const pagesWithoutText = ({ pages }: PdfTexts): number[] =>
  [...pages.keys()].filter((index) => pages[index] === '');

/** The pages after some of the pending ones were recognized. */
async function takeTurn(
  source: ByteSource,
  recognition: Recognition,
  progress: Progress,
  pages: readonly PageProgress[],
): Promise<PageProgress[]> {
  const { fileTime = FILE_TIME } = recognition;
  const startedAt = performance.now();
  const done = [...pages];
  let total = pages.reduce((sum, { spent }) => sum + (spent ?? 0), 0);
  let left = TURN_PAGES;
  for (const [index, { page, spent }] of pages.entries()) {
    if (spent !== null) continue;
    const isOverTime = total >= fileTime;
    if (!isOverTime && (left-- === 0 || performance.now() - startedAt > TURN_TIME)) break;
    const { text, spent: took } = isOverTime
      ? { text: null, spent: 0 }
      : await recognizePage(source, page, recognition);
    total += took;
    const result = { page, text, spent: took };
    await progress.keep(result);
    done[index] = result;
  }
  return done;
}

/** `spent`: ms of work. */
async function recognizePage(source: ByteSource, page: number, recognition: Recognition) {
  let spent = 0;
  const onWork = (time: number) => {
    spent += Math.ceil(time);
  };
  const picture = await drawPage(source, page + 1, WIDTH, { onWork }).catch(nullIfFailed);
  const text = picture && (await recognized(source, picture, recognition, onWork));
  return { text, spent };
}

const recognized = (
  { organizationId: key = '' }: ByteSource,
  picture: Bitmap,
  { languages, pageTime, stopping }: Recognition,
  onWork?: (time: number) => void,
): Promise<string | null> =>
  recognizePicture(picture, languages, { key, timeLimit: pageTime, signal: stopping, onWork }).catch(
    nullIfFailed,
  );

/** For `catch`: null when a task failed in its process. */
function nullIfFailed(error: unknown): null {
  if (error instanceof ChildFailed) return null;
  throw error;
}

/** The embedded text of a PDF, and the recognized text of its other pages. */
function withPages(embedded: PdfTexts, done: readonly PageProgress[]): TextResult {
  const pages = [...embedded.pages];
  for (const { page, text } of done) if (page < pages.length) pages[page] = text ?? '';
  const recognized = done.filter(({ text }) => text !== null);
  const filled = recognized.filter(({ text }) => text !== '').length;
  const result = withRecognizedPages(pdfResult({ ...embedded, pages }), filled);
  const missing = pagesWithoutText(embedded).length - recognized.length;
  return missing > 0 ? withMissingNote(result, missing) : result;
}

const withRecognizedPages = (result: TextResult, count: number): TextResult =>
  'text' in result ? { text: { ...result.text, recognizedPages: count } } : result;

function withMissingNote(result: TextResult, count: number): TextResult {
  const note = `${count} of its pages could not be recognized: they take too long, or are too many.`;
  if ('none' in result) return { failed: note, retries: 0 };
  if (!('text' in result)) return result;
  return { text: { ...result.text, note: [result.text.note, note].filter(Boolean).join(' ') } };
}
