import type { PageBox } from '../../files/content/pdf/comparison.ts';
import { findDifference } from '../../files/content/pdf/pdf-compare.ts';
import { bytesSource } from '../../files/store/byte-source.ts';
import { NotSealable } from './not-sealable.ts';

/**
 * Compares each page of the copy that people saw with the same page of the file that was drawn on it, as PDFium draws and reads both,
 * outside of what was filled in. Throws NotSealable with the first page that differs; as findDifference does.
 */
export async function requireSamePages(
  { content, organizationId }: { content: Uint8Array; organizationId: string },
  { bytes, boxes }: { bytes: Uint8Array; boxes: readonly (readonly PageBox[])[] },
): Promise<void> {
  const difference = await findDifference(
    bytesSource(content, organizationId),
    bytesSource(bytes, organizationId),
    { pages: boxes.length, boxes },
  );
  if (difference)
    throw new NotSealable(
      `Page ${difference.page} of the sealed file would not show what was signed, so it was not sealed.`,
    );
}
