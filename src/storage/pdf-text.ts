import type { ByteSource } from './byte-source.ts';
import { nullIfCostly } from './child-pool.ts';
import { askPdf } from './pdf-workers.ts';
import { MOST_TEXT } from './text-collect.js';

/** The texts of pages one after the other; `ended` says why they are not all. */
export interface PdfTexts {
  pages: string[];
  ended?: 'full' | 'unreadable';
}

/** The texts of some pages, and how many the document has in all. */
interface Batch {
  texts: string[];
  pages: number;
}

const MOST_PAGES = 20_000;

/**
 * The text of a PDF, page by page, in batches: between them, others get their turn with PDFium. A page that cannot be
 * read ends it; what was read before is kept. Rejects when `read` does, or no worker can start.
 */
export async function readPdfText(source: ByteSource, timeLimit?: number): Promise<PdfTexts> {
  const pages: string[] = [];
  for (let left = MOST_TEXT, total = 1; pages.length < total; ) {
    if (left <= 0 || pages.length >= MOST_PAGES) return { pages, ended: 'full' };
    const question = { textFrom: pages.length, most: left };
    const batch = await askPdf<Batch>(source, question, timeLimit).catch(nullIfCostly);
    if (!batch || batch.texts.length === 0) return { pages, ended: 'unreadable' };
    total = batch.pages;
    pages.push(...batch.texts);
    left -= batch.texts.reduce((sum, { length }) => sum + length, 0);
  }
  return { pages };
}
