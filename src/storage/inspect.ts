import type { ByteSource } from './byte-source.ts';
import { countPages } from './pdf-pages.ts';
import { sniffContentType } from './sniff.ts';

/** The images that image-picture.ts makes smaller ones of. */
export const DRAWN = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

/**
 * What uploaded bytes are: their media type, found in the bytes themselves, and the pages of a PDF.
 * `pageCount` is null for everything that is no PDF, and for a PDF that is broken, locked with a password or too
 * costly to open: unknown, not zero. The name only refines plain text. Rejects only when `read` does.
 */
export async function inspectBytes({
  filename,
  ...source
}: ByteSource & { filename: string }): Promise<{ contentType: string; pageCount: number | null }> {
  const contentType = await sniffContentType(source, filename);
  const pageCount = contentType === 'application/pdf' ? await countPages(source) : null;
  return { contentType, pageCount };
}
