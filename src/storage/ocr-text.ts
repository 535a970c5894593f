import { MINUTE } from '../lib/time.ts';
import type { ByteSource } from './byte-source.ts';
import { nullIfCostly } from './child-pool.ts';
import { drawImage, isPicture } from './image-picture.ts';
import { type Bitmap, Recognizer } from './ocr.ts';
import { drawPage } from './page-image.ts';
import { readPdfText } from './pdf-text.ts';
import { found, pdfResult, type TextResult } from './text.ts';

/** A4 at 300 dots per inch. */
const WIDTH = 2_480;
const HEIGHT = 3_508;

const MOST_PAGES = 200;
const FILE_TIME = 30 * MINUTE;

export interface Recognition {
  /** As Tesseract calls them, of which the data has to be installed. */
  languages: readonly string[];
  stopping?: AbortSignal;
  /** Of one picture and of a whole file, in ms. */
  pageTime?: number;
  fileTime?: number;
}

/** There may be text in the pictures of a file of which so much was read: in an image, and on pages without text. */
export const hasPictures = (contentType: string, result: TextResult): boolean =>
  isPicture(contentType) ||
  (contentType === 'application/pdf' &&
    ('none' in result || ('text' in result && result.text.pages.includes(''))));

/**
 * As `readText`, for files that have pictures: what is written in these is part of the text. Within bounds of time and
 * pages; nothing when it was stopped. Rejects when `read` does.
 */
export async function recognizeText(
  source: ByteSource,
  contentType: string,
  recognition: Recognition,
): Promise<TextResult | undefined> {
  const recognizer = new Recognizer(recognition.languages, recognition.pageTime);
  try {
    return await (isPicture(contentType)
      ? ofImage(source, recognizer, recognition)
      : ofPdf(source, recognizer, recognition));
  } finally {
    await recognizer.close();
  }
}

async function ofImage(source: ByteSource, recognizer: Recognizer, { stopping }: Recognition) {
  const picture = await drawImage(source, HEIGHT).catch(nullIfCostly);
  if (!picture) return { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
  const text = await recognizer.recognize(picture, stopping);
  if (stopping?.aborted) return undefined;
  if (text === null) return { failed: 'It takes too long to recognise its text.', mayPass: false };
  return recognized(found([text], false), 1);
}

async function ofPdf(source: ByteSource, recognizer: Recognizer, recognition: Recognition) {
  const { stopping, fileTime = FILE_TIME } = recognition;
  const { pages, ended } = await readPdfText(source);
  const bare = [...pages.keys()].filter((index) => pages[index] === '');
  const end = Date.now() + fileTime;
  let missed = Math.max(0, bare.length - MOST_PAGES);
  let count = 0;
  for (const index of bare.slice(0, MOST_PAGES)) {
    const picture: Bitmap | null =
      Date.now() < end ? await drawPage(source, index + 1, WIDTH).catch(nullIfCostly) : null;
    const text = picture && (await recognizer.recognize(picture, stopping));
    if (stopping?.aborted) return undefined;
    if (text === null) missed++;
    else if (text !== '') count++;
    pages[index] = text ?? '';
  }
  const result = recognized(pdfResult({ pages, ended }), count);
  return missed === 0 ? result : missing(result, missed);
}

const recognized = (result: TextResult, count: number): TextResult =>
  'text' in result ? { text: { ...result.text, recognizedPages: count } } : result;

function missing(result: TextResult, count: number): TextResult {
  const note = `${count} of its pages could not be recognised: they take too long, or are too many.`;
  if ('none' in result) return { failed: note, mayPass: false };
  if (!('text' in result)) return result;
  return { text: { ...result.text, note: [result.text.note, note].filter(Boolean).join(' ') } };
}
