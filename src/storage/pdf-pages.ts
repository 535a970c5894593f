import type { ByteSource } from './byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/**
 * The number of pages of a PDF, or null when it cannot be told: broken, locked with a password, over 4 GiB, or not
 * opened within `timeLimit` ms (before which it waits at most 30 s for one of two workers). Rejects when `read` does
 * or no worker can start.
 */
export const countPages = (source: ByteSource, timeLimit?: number): Promise<number | null> =>
  askPdf(source, { count: true }, timeLimit);
