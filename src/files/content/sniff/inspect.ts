import { TryLater } from '../../../lib/fair-slots.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { countPages, type PageCount, type PageFault } from '../pdf/pdf-pages.ts';
import { sniffContentType } from './sniff.ts';

/** The images that image-picture.ts makes smaller ones of. */
export const DRAWN = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

/**
 * The number of pages of stored bytes: `READY` with the number, or with null for what is no PDF; the fault of a PDF that
 * has none; `PENDING` for one that could not be opened at this moment.
 */
export interface Pages {
  pageCount: number | null;
  pageStatus: 'READY' | 'PENDING' | PageFault;
}

export type Inspected = { contentType: string } & Pages;

const NONE: Pages = { pageCount: null, pageStatus: 'READY' };
const LATER: Pages = { pageCount: null, pageStatus: 'PENDING' };

/**
 * What uploaded bytes are: their media type, found in the bytes themselves, and the pages of a PDF, which `signal` ends
 * the wait for. The name only refines plain text. Rejects only when `read` does.
 */
export async function inspectBytes({
  filename,
  signal,
  ...source
}: ByteSource & { filename: string; signal?: AbortSignal }): Promise<Inspected> {
  const contentType = await sniffContentType(source, filename);
  if (contentType !== 'application/pdf') return { contentType, ...NONE };
  try {
    return { contentType, ...toPages(await countPages(source, undefined, signal)) };
  } catch (error) {
    if (error instanceof TryLater || signal?.aborted) return { contentType, ...LATER };
    throw error;
  }
}

/** What comes of a count. */
export const toPages = (counted: PageCount): Pages =>
  'pages' in counted
    ? { pageCount: counted.pages, pageStatus: 'READY' }
    : { pageCount: null, pageStatus: counted.fault };
