import { MINUTE } from '../../../lib/time.ts';
import { nullIfCostly } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { askPdf } from './pdf-workers.ts';

/** Why PDFium writes no copy: its form is of XFA only, the file is locked with a password, broken, or too complex. */
export type CopyFault = 'XFA' | 'LOCKED' | 'BROKEN' | 'COSTLY';

export type PdfCopy = { bytes: Uint8Array<ArrayBuffer>; pages: number } | { fault: CopyFault };

/**
 * The PDF as PDFium understands it, written anew: each object once, decrypted, and with the appearances that fields of a
 * form lack. Throws as askPdf does, but for what takes too much work or memory.
 */
export async function writeCopy(source: ByteSource): Promise<PdfCopy> {
  const answer = await askPdf<PdfCopy>(source, { save: true }, { timeLimit: MINUTE }).catch(nullIfCostly);
  if (!answer) return { fault: 'COSTLY' };
  return 'fault' in answer ? answer : { ...answer, bytes: new Uint8Array(answer.bytes) };
}
