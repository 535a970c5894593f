import type { ByteSource } from '../../store/byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/** Why a PDF permanently has no page count: broken, locked with a password, or too complex. */
export type PageFault = 'BROKEN' | 'LOCKED' | 'COSTLY';

export type PageCount = { pages: number } | { fault: PageFault };

/**
 * The number of pages of a PDF, or why there is none. Throws Busy and ChildFailed where a retry may help, what
 * `read` throws, and the reason of `signal`.
 */
export async function countPages(
  source: ByteSource,
  timeLimit?: number,
  signal?: AbortSignal,
): Promise<PageCount> {
  const answer = await askPdf<PageCount>(source, { count: true }, { timeLimit, signal });
  return answer ?? { fault: 'COSTLY' };
}
