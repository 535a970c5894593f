import type { ByteSource } from '../../store/byte-source.ts';
import { readPdfText } from '../pdf/pdf-text.ts';
import { drawImage, isPicture } from '../pictures/image-picture.ts';
import { drawRest } from '../pictures/page-image.ts';
import { countScanPages, drawScan, isScan } from '../pictures/scan.ts';
import {
  type PagedFile,
  type Progress,
  type Recognition,
  recognized,
  recognizePages,
  withRecognizedPages,
} from './ocr-pages.ts';
import { readingTime, type TextResult, textResult } from './text.ts';

const PDF = 'application/pdf';

/** A4 at 300 dots per inch. */
const WIDTH = 2_480;
const HEIGHT = 3_508;

/** Whether the pictures of a file may have text: an image, or a PDF of which `result` has pages with pictures or without text. */
export const hasPictures = (contentType: string, result: TextResult): boolean =>
  isPicture(contentType) ||
  isScan(contentType) ||
  (contentType === PDF &&
    ('none' in result ||
      ('text' in result && (result.text.pages.includes('') || result.text.pictured !== undefined))));

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
    if (isPicture(contentType)) return await recognizeImage(source, recognition);
    const file = isScan(contentType) ? scanFile(source) : pdfFile(source);
    const result = await recognizePages(file, recognition, progress);
    if (!result) return { skipped: 'It is broken, or over 100 MB.' };
    return isScan(contentType) ? withoutNumber(result) : result;
  } catch (error) {
    if (recognition.stopping?.aborted) return 'stopped';
    throw error;
  }
}

/** A picture that is all of its file is no page. */
const withoutNumber = (result: TextResult | 'unfinished') =>
  typeof result === 'object' && 'text' in result && result.text.pages.length === 1
    ? { text: { ...result.text, paged: false } }
    : result;

async function recognizeImage(source: ByteSource, recognition: Recognition): Promise<TextResult> {
  const picture = await drawImage(source, HEIGHT);
  if (!picture) return { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
  const text = await recognized(source, picture, recognition);
  if (text === null) return { failed: 'It takes too long to recognize its text.', retries: 0 };
  return withRecognizedPages(textResult([text], false), 1);
}

const pdfFile = (source: ByteSource): PagedFile => ({
  source,
  read: () => readPdfText(source, readingTime(PDF, source.size)),
  draw: (page, onWork) => drawRest(source, page + 1, WIDTH, { onWork }),
});

const scanFile = (source: ByteSource): PagedFile => ({
  source,
  async read() {
    const count = await countScanPages(source);
    return count === null ? null : { pages: Array.from({ length: count }, () => '') };
  },
  draw: (page, onWork) => drawScan(source, page, HEIGHT, onWork),
});
