import type { ByteSource } from '../../store/byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/** Why a PDF has no number of pages, whenever it is looked at again: broken, locked with a password, or too complex. */
export type PageFault = 'BROKEN' | 'LOCKED' | 'COSTLY';

export type PageCount = { pages: number } | { fault: PageFault };

/**
 * The number of pages of a PDF, or why there is none. Throws Busy and ChildFailed where another try may tell, what
 * `read` throws, and the reason of `signal`.
 */
export async function countPages(
  source: ByteSource,
  timeLimit?: number,
  signal?: AbortSignal,
): Promise<PageCount> {
  const answer = await askPdf<PageCount>(source, { count: true }, timeLimit, signal);
  return answer ?? { fault: 'COSTLY' };
}
