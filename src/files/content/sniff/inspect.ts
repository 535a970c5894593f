import { TryLater } from '../../../lib/fair-slots.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { countPages, type PageFault } from '../pdf/pdf-pages.ts';
import { sniffContentType } from './sniff.ts';

/** The images that image-picture.ts scales down. */
export const DRAWABLE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

/** The images of which only the text is read: pages of a scan, and pictures that are not scaled down. */
export const SCAN_TYPES = ['image/tiff', 'image/avif', 'image/apng'] as const;

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

/** The extensions of the office files that are converted to PDF, by type. */
export const OFFICE_EXTENSIONS: Readonly<Record<string, string>> = {
  [`${OOXML}.wordprocessingml.document`]: 'docx',
  [`${OOXML}.spreadsheetml.sheet`]: 'xlsx',
  [`${OOXML}.presentationml.presentation`]: 'pptx',
  [`${ODF}.text`]: 'odt',
  [`${ODF}.spreadsheet`]: 'ods',
  [`${ODF}.presentation`]: 'odp',
};

/**
 * The number of pages of stored bytes: `READY` with the number, or with null for a file that is not a PDF; the fault of a PDF
 * without one; `PENDING` for a PDF that could not be opened now.
 */
export interface Pages {
  pageCount: number | null;
  pageStatus: 'READY' | 'PENDING' | PageFault;
}

export type Inspection = { contentType: string } & Pages;

const NONE: Pages = { pageCount: null, pageStatus: 'READY' };
const LATER: Pages = { pageCount: null, pageStatus: 'PENDING' };

/**
 * The media type of uploaded bytes, detected from the bytes, and the pages of a PDF; `signal` ends the wait for
 * these. The name only refines plain text. Rejects only when `read` does.
 */
export async function inspectBytes({
  filename,
  signal,
  ...source
}: ByteSource & { filename: string; signal?: AbortSignal }): Promise<Inspection> {
  const contentType = await sniffContentType(source, filename);
  if (contentType !== 'application/pdf') return { contentType, ...NONE };
  try {
    return { contentType, ...(await inspectPages(source, undefined, signal)) };
  } catch (error) {
    if (error instanceof TryLater || signal?.aborted) return { contentType, ...LATER };
    throw error;
  }
}

/** Counts the pages of a PDF. Throws like countPages. */
export async function inspectPages(...count: Parameters<typeof countPages>): Promise<Pages> {
  const counted = await countPages(...count);
  return 'pages' in counted
    ? { pageCount: counted.pages, pageStatus: 'READY' }
    : { pageCount: null, pageStatus: counted.fault };
}
