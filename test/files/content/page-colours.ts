import { askPdf } from '../../../src/files/content/pdf/pdf-workers.ts';
import type { ByteSource } from '../../../src/files/store/byte-source.ts';

export interface PageColours {
  width: number;
  height: number;
  /** Four bytes each, red first. */
  pixels: Uint8Array<ArrayBuffer>;
}

/** Page `page` (from 1) of a PDF as its pixels, `width` of them wide. */
export const drawPage = (source: ByteSource, page: number, width: number): Promise<PageColours | null> =>
  askPdf<PageColours>(source, { draw: page - 1, width, as: 'colours' });
