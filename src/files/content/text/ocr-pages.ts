import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { type Bitmap, recognizePicture } from '../ocr/ocr.ts';
import type { PdfTexts } from '../pdf/pdf-text.ts';
import type { PageBitmap } from '../pictures/page-image.ts';
import { pdfResult, type TextResult } from './text.ts';

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

/** How a file of pages is read: its own text, null if it is broken, and a page (from 0) as a picture. */
export interface PagedFile {
  source: ByteSource;
  read(): Promise<PdfTexts | null>;
  draw(page: number, onWork: (time: number) => void): Promise<PageBitmap | null>;
}

/**
 * The text of a file, with that in the pictures of its pages; null if it is broken, `unfinished` when another file has its
 * turn.
 */
export async function recognizePages(
  file: PagedFile,
  recognition: Recognition,
  progress: Progress,
): Promise<TextResult | 'unfinished' | null> {
  let texts: PdfTexts | null = null;
  let pages = progress.pages;
  if (pages.length === 0) {
    texts = await file.read();
    if (!texts) return null;
    const pending = pagesToRecognize(texts).slice(0, MAX_PAGES);
    pages = pending.map((page) => ({ page, text: null, spent: null }));
    await progress.begin(pending);
  }
  const done = await takeTurn(file, recognition, progress, pages);
  if (done.some(({ spent }) => spent === null)) return 'unfinished';
  texts ??= await file.read();
  return texts && withPages(texts, done);
}

/** The pages without text, and those with pictures beside it, from 0. */
const pagesToRecognize = ({ pages, pictured = [] }: PdfTexts): number[] => {
  const isPictured = new Set(pictured);
  return [...pages.keys()].filter((index) => pages[index] === '' || isPictured.has(index));
};

/** The pages after some of the pending ones were recognized. */
async function takeTurn(
  file: PagedFile,
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
      : await recognizePage(file, page, recognition);
    total += took;
    const result = { page, text, spent: took };
    await progress.keep(result);
    done[index] = result;
  }
  return done;
}

/** `spent`: ms of work. */
async function recognizePage({ source, draw }: PagedFile, page: number, recognition: Recognition) {
  let spent = 0;
  const onWork = (time: number) => {
    spent += Math.ceil(time);
  };
  const picture = await draw(page, onWork).catch(nullIfFailed);
  if (picture && 'isBlank' in picture) return { text: '', spent };
  const text = picture && (await recognized(source, picture, recognition, onWork));
  return { text, spent };
}

/** The text in a picture; null where recognizing it takes too long or too much memory. */
export const recognized = (
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

/** The text of a file, and on each page the lines that were recognized and are not in it. */
function withPages(texts: PdfTexts, done: readonly PageProgress[]): TextResult {
  const pages = [...texts.pages];
  for (const { page, text } of done)
    if (text && page < pages.length) pages[page] = joined(pages[page] as string, text);
  const recognized = done.filter(({ text }) => text !== null);
  const filled = recognized.filter(({ page }) => pages[page] !== texts.pages[page]).length;
  const { pictured: _, ...rest } = texts;
  const result = withRecognizedPages(pdfResult({ ...rest, pages }), filled);
  const missing = pagesToRecognize(texts).length - recognized.length;
  return missing > 0 ? withMissingNote(result, missing) : result;
}

/** A line is left out if its words are all on the page already: they were recognized in a picture of the text. */
function joined(own: string, recognized: string): string {
  if (own === '') return recognized;
  const ownText = own.toLowerCase();
  const isNew = (line: string) =>
    line
      .toLowerCase()
      .split(/\s+/)
      .some((word) => !ownText.includes(word));
  return [own, ...recognized.split('\n').filter(isNew)].join('\n');
}

/** Counts the pages of a text on which something was recognized. */
export const withRecognizedPages = (result: TextResult, count: number): TextResult =>
  'text' in result ? { text: { ...result.text, recognizedPages: count } } : result;

function withMissingNote(result: TextResult, count: number): TextResult {
  const note = `${count} of its pages could not be recognized: they take too long, are too many, or are broken.`;
  if ('none' in result) return { failed: note, retries: 0 };
  if (!('text' in result)) return result;
  return { text: { ...result.text, note: [result.text.note, note].filter(Boolean).join(' ') } };
}
