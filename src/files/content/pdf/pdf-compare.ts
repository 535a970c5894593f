import { nullIfCostly } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import type { Comparison, Difference } from './comparison.ts';
import { askPdf } from './pdf-workers.ts';

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
