import { nullIfCostly } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/** A part of a page as displayed, in fractions of its width and height from the upper left corner. */
export interface PageBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How pages are compared, from page `from` (0) up to `pages`. */
export interface Comparison {
  from: number;
  pages: number;
  /** By page: where the later document may differ. */
  boxes: readonly (readonly PageBox[])[];
  /** Text may have been added outside of the boxes, as where what was an annotation became part of the page. */
  mayAddText: boolean;
}

/** The first page (from 1) that differs: as it is drawn on a screen or in print, in its text, or because it cannot be read. */
export interface Difference {
  page: number;
  what: 'PICTURE' | 'PRINT' | 'TEXT' | 'MISSING';
}

type Batch = { next: number } | { difference: Difference } | null;

/** Of one batch, in ms of work. */
const BATCH_LIMIT = 20_000;

/**
 * The first difference between the first pages of two PDFs, as PDFium draws and reads them; null if there is none. In
 * batches, between which other files use PDFium. Throws as askPdf does, but for a page that takes too much work or memory.
 */
export async function findDifference(
  before: ByteSource,
  after: ByteSource,
  { pages, boxes = [], mayAddText = false }: Partial<Comparison> & { pages: number },
): Promise<Difference | null> {
  for (let from = 0; from < pages; ) {
    const compare = { from, pages, boxes, mayAddText };
    const call = { timeLimit: BATCH_LIMIT, after };
    const batch: Batch = await askPdf<Batch>(before, { compare }, call).catch(nullIfCostly);
    if (!batch) return { page: from + 1, what: 'MISSING' };
    if ('difference' in batch) return batch.difference;
    from = batch.next;
  }
  return null;
}
