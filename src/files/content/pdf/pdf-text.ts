import { SECOND } from '../../../lib/time.ts';
import { nullIfCostly } from '../../child/child-pool.ts';
import { MAX_PAGES, MAX_TEXT } from '../../child/text-collect.js';
import type { ByteSource } from '../../store/byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/** The texts of pages one after the other; `ended`: why pages are missing. */
export interface PdfTexts {
  pages: string[];
  ended?: 'full' | 'unreadable';
}

/** The texts of some pages, and how many the document has in all. */
interface Batch {
  texts: string[];
  pages: number;
}

/** Of one batch, in ms of work. */
const BATCH_LIMIT = 10 * SECOND;

/**
 * The text of a PDF, page by page, in batches, between which other files use PDFium. A page that cannot be read ends it,
 * as does `timeLimit` (ms of work); the pages before are returned. Throws as askPdf does, but for what takes too much
 * work or memory.
 */
export async function readPdfText(source: ByteSource, timeLimit = Infinity): Promise<PdfTexts> {
  let timeLeft = timeLimit;
  const onWork = (time: number) => {
    timeLeft -= time;
  };
  const pages: string[] = [];
  for (let left = MAX_TEXT, total = 1; pages.length < total; ) {
    if (left <= 0 || pages.length >= MAX_PAGES) return { pages, ended: 'full' };
    if (timeLeft <= 0) return { pages, ended: 'unreadable' };
    const question = { textFrom: pages.length, most: left };
    const limits = { timeLimit: Math.min(timeLeft, BATCH_LIMIT), onWork };
    const batch = await askPdf<Batch>(source, question, limits).catch(nullIfCostly);
    if (!batch || batch.texts.length === 0) return { pages, ended: 'unreadable' };
    total = batch.pages;
    for (const text of batch.texts) pages.push(text);
    left -= batch.texts.reduce((sum, { length }) => sum + length, 0);
  }
  return { pages };
}
