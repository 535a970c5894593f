import { SECOND } from '../../../lib/time.ts';
import { nullIfCostly } from '../../child/child-pool.ts';
import { MAX_PAGES, MAX_TEXT } from '../../child/text-collect.js';
import type { ByteSource } from '../../store/byte-source.ts';
import { LEAST_SHARE, type PagePicture } from './pdf-page-pictures.js';
import { askPdf } from './pdf-workers.ts';

/**
 * The texts of pages one after the other. `pictured`: those (from 0) with pictures that their text does not cover. `ended`:
 * why pages are missing.
 */
export interface PdfTexts {
  pages: string[];
  pictured?: number[];
  ended?: 'full' | 'unreadable';
}

/** The texts of some pages and their pictures, and how many pages the document has in all. */
interface Batch {
  texts: string[];
  pictures: PagePicture[][];
  pages: number;
}

/** Of one batch, in ms of work. */
const BATCH_LIMIT = 10 * SECOND;

/** Pages of a document beyond which the same picture on them is a part of its design. */
const REPEATED = 8;

/**
 * The text of a PDF, page by page, in batches, between which other files use PDFium. A page that cannot be read ends it,
 * as does `timeLimit` (ms of work); the pages before are returned. Throws as askPdf does, but for what takes too much
 * work or memory.
 */
export async function readPdfText(source: ByteSource, timeLimit = Infinity): Promise<PdfTexts> {
  const { pictures, ...texts } = await readPages(source, timeLimit);
  return { ...texts, pictured: picturedPages(pictures) };
}

/** The pages with pictures that may have text: one that is on many pages is a letterhead or a background. */
function picturedPages(pictures: readonly PagePicture[][]): number[] {
  const uses = new Map<string, number>();
  for (const page of pictures)
    for (const key of new Set(page.map((picture) => picture.key))) uses.set(key, (uses.get(key) ?? 0) + 1);
  const isRepeated = (key: string) => key !== '' && (uses.get(key) ?? 0) > REPEATED;
  const shareOf = (page: readonly PagePicture[]) =>
    page.reduce((sum, { share, key }) => sum + (isRepeated(key) ? 0 : share), 0);
  return [...pictures.keys()].filter((index) => shareOf(pictures[index] ?? []) >= LEAST_SHARE);
}

async function readPages(source: ByteSource, timeLimit: number) {
  let timeLeft = timeLimit;
  const onWork = (time: number) => {
    timeLeft -= time;
  };
  const pages: string[] = [];
  const pictures: PagePicture[][] = [];
  for (let left = MAX_TEXT, total = 1; pages.length < total; ) {
    if (left <= 0 || pages.length >= MAX_PAGES) return { pages, pictures, ended: 'full' as const };
    const ask = async (plain: boolean) => {
      const question = { textFrom: pages.length, most: left, plain };
      const limits = { timeLimit: Math.min(timeLeft, BATCH_LIMIT), onWork };
      return timeLeft > 0 ? askPdf<Batch>(source, question, limits).catch(nullIfCostly) : null;
    };
    const batch = (await ask(false)) ?? (await ask(true));
    if (!batch || batch.texts.length === 0) return { pages, pictures, ended: 'unreadable' as const };
    total = batch.pages;
    for (const text of batch.texts) pages.push(text);
    for (const page of batch.pictures) pictures.push(page);
    left -= batch.texts.reduce((sum, { length }) => sum + length, 0);
  }
  return { pages, pictures };
}
