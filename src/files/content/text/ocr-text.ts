import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { type Bitmap, recognizePicture } from '../ocr/ocr.ts';
import { type PdfTexts, readPdfText } from '../pdf/pdf-text.ts';
import { drawImage, isPicture } from '../pictures/image-picture.ts';
import { drawPage } from '../pictures/page-image.ts';
import { found, pdfResult, readingTime, type TextResult } from './text.ts';

/** A4 at 300 dots per inch. */
const WIDTH = 2_480;
const HEIGHT = 3_508;

/** Of a file: pages, and ms for all of them. */
const MOST_PAGES = 200;
const FILE_TIME = 30 * MINUTE;

/** After so many pages, or ms, it is another file's turn. */
const TURN_PAGES = 4;
const TURN_TIME = 20 * SECOND;

export interface Recognition {
  /** As Tesseract calls them, of which the data has to be installed. */
  languages: readonly string[];
  stopping?: AbortSignal;
  /** Of one picture and of a whole file, in ms. */
  pageTime?: number;
  fileTime?: number;
}

/** A page, from 0: its text, null where none could be recognized, and how many ms that took, null while it waits. */
export interface PageProgress {
  page: number;
  text: string | null;
  spent: number | null;
}

/** How far the recognition of a PDF is: what one turn did, the next one does not do again. */
export interface Progress {
  /** In their order; none before the first turn. */
  pages: readonly PageProgress[];
  /** Writes down which pages are to be recognized. */
  begin(pages: readonly number[]): Promise<void>;
  keep(page: PageProgress): Promise<void>;
}

/** There may be text in the pictures of a file of which so much was read: in an image, and on pages without text. */
export const hasPictures = (contentType: string, result: TextResult): boolean =>
  isPicture(contentType) ||
  (contentType === 'application/pdf' &&
    ('none' in result || ('text' in result && result.text.pages.includes(''))));

/**
 * As `readText`, for files that have pictures: what is written in these is part of the text. Within limits of time and
 * pages; `unfinished` where it is another file's turn, and `stopped` when the server stops. Throws as `readText` does.
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
      ? ofImage(source, recognition)
      : ofPdf(source, recognition, progress));
  } catch (error) {
    if (recognition.stopping?.aborted) return 'stopped';
    throw error;
  }
}

async function ofImage(source: ByteSource, recognition: Recognition): Promise<TextResult> {
  const picture = await drawImage(source, HEIGHT);
  if (!picture) return { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
  const text = await recognized(source, picture, recognition);
  if (text === null) return { failed: 'It takes too long to recognise its text.', retries: 0 };
  return counted(found([text], false), 1);
}

async function ofPdf(source: ByteSource, recognition: Recognition, progress: Progress) {
  const read = () => readPdfText(source, readingTime('application/pdf', source.size));
  let own: PdfTexts | undefined;
  let pages = progress.pages;
  if (pages.length === 0) {
    own = await read();
    const wanted = barePages(own).slice(0, MOST_PAGES);
    pages = wanted.map((page) => ({ page, text: null, spent: null }));
    await progress.begin(wanted);
  }
  const done = await takeTurn(source, recognition, progress, pages);
  if (done.some(({ spent }) => spent === null)) return 'unfinished';
  return withPages(own ?? (await read()), done);
}

/** The pages without text of their own, from 0. */
const barePages = ({ pages }: PdfTexts): number[] => [...pages.keys()].filter((index) => pages[index] === '');

/** The pages as they are after some of those that wait were recognized. */
async function takeTurn(
  source: ByteSource,
  recognition: Recognition,
  progress: Progress,
  pages: readonly PageProgress[],
): Promise<PageProgress[]> {
  const { fileTime = FILE_TIME } = recognition;
  const begun = performance.now();
  const done = [...pages];
  let total = pages.reduce((sum, { spent }) => sum + (spent ?? 0), 0);
  let left = TURN_PAGES;
  for (const [index, { page, spent }] of pages.entries()) {
    if (spent !== null) continue;
    const late = total >= fileTime;
    if (!late && (left-- === 0 || performance.now() - begun > TURN_TIME)) break;
    const now = performance.now();
    const text = late ? null : await ofPage(source, page, recognition);
    const took = Math.ceil(performance.now() - now);
    total += took;
    const result = { page, text, spent: took };
    await progress.keep(result);
    done[index] = result;
  }
  return done;
}

async function ofPage(source: ByteSource, page: number, recognition: Recognition) {
  const picture = await drawPage(source, page + 1, WIDTH).catch(nullIfFailed);
  return picture && recognized(source, picture, recognition);
}

const recognized = (
  { organizationId: key = '' }: ByteSource,
  picture: Bitmap,
  { languages, pageTime, stopping }: Recognition,
): Promise<string | null> =>
  recognizePicture(picture, languages, { key, timeLimit: pageTime, signal: stopping }).catch(nullIfFailed);

/** For what takes too long or too much memory, or ends its process. */
function nullIfFailed(error: unknown): null {
  if (error instanceof ChildFailed) return null;
  throw error;
}

/** What a PDF itself has, and what was recognized on its other pages. */
function withPages(own: PdfTexts, done: readonly PageProgress[]): TextResult {
  const pages = [...own.pages];
  for (const { page, text } of done) if (page < pages.length) pages[page] = text ?? '';
  const recognized = done.filter(({ text }) => text !== null);
  const filled = recognized.filter(({ text }) => text !== '').length;
  const result = counted(pdfResult({ ...own, pages }), filled);
  const missed = barePages(own).length - recognized.length;
  return missed > 0 ? missing(result, missed) : result;
}

const counted = (result: TextResult, count: number): TextResult =>
  'text' in result ? { text: { ...result.text, recognizedPages: count } } : result;

function missing(result: TextResult, count: number): TextResult {
  const note = `${count} of its pages could not be recognised: they take too long, or are too many.`;
  if ('none' in result) return { failed: note, retries: 0 };
  if (!('text' in result)) return result;
  return { text: { ...result.text, note: [result.text.note, note].filter(Boolean).join(' ') } };
}
