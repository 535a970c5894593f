import { ChildPool, nullIfCostly } from '../../files/child/child-pool.ts';
import { findDifference } from '../../files/content/pdf/pdf-compare.ts';
import { type CopyFault, writeCopy } from '../../files/content/pdf/pdf-copy.ts';
import { type ByteSource, bytesSource } from '../../files/store/byte-source.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import { shorten } from '../../lib/text/shorten.js';
import { NotSealable } from './not-sealable.ts';

/** A PDF that shows the same in every viewer and in print, and what was removed from it. */
export interface SigningCopy {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
  removed: ActiveContent[];
}

/** Kinds of content that is removed from a PDF before it is signed: what a reader would run, open, send or play. */
export type ActiveContent =
  | 'JAVASCRIPT'
  | 'LAUNCH'
  | 'FORM_ACTION'
  | 'EXTERNAL_FILE'
  | 'EMBEDDED_FILE'
  | 'MEDIA'
  | 'XFA'
  | 'OTHER_ACTION';

export type FixedCopy =
  | { bytes: Uint8Array; pageCount: number; removed: ActiveContent[] }
  | { fault: string };

const LIMITS = { time: 60_000, memory: 1_024 * 2 ** 20 };
const HEAP_MIB = 512;

const pool = new ChildPool<{ bytes: Uint8Array }, FixedCopy>(
  new URL('./copy-task.js', import.meta.url),
  new FairSlots({ slots: 2 }),
  HEAP_MIB,
);

const REASONS: Record<CopyFault, string> = {
  XFA: 'its form is of the kind XFA, which only some viewers show',
  LOCKED: 'it is locked with a password',
  BROKEN: 'it is broken',
  COSTLY: 'it takes too long, or too much memory, to read',
};

const DIFFERENCES = {
  PICTURE: 'viewers would show it in different ways',
  PRINT: 'it shows something else in print than on a screen',
  TEXT: 'its text can be read in different ways',
  MISSING: 'it cannot be drawn',
};

/**
 * Writes the copy of a PDF on which people sign: as PDFium reads it, with what forms, annotations and layers show as part
 * of the pages, without active content, and compared with the original as PDFium draws it. Throws NotSealable with the
 * reason; Busy, ChildFailed, and what `read` throws.
 */
export async function makeSigningCopy(source: ByteSource): Promise<SigningCopy> {
  const key = source.organizationId ?? '';
  const copy = await writeCopy(source);
  if ('fault' in copy) throw new NotSealable(`The PDF cannot be signed: ${REASONS[copy.fault]}.`);
  if (copy.pages === 0) throw new NotSealable('The PDF cannot be signed: it has no pages.');
  const fixed = await pool.ask({ bytes: copy.bytes }, LIMITS, { key }).catch(nullIfCostly);
  if (!fixed) throw new NotSealable(`The PDF cannot be signed: ${REASONS.COSTLY}.`);
  if ('fault' in fixed) throw new NotSealable(`The PDF cannot be signed: ${reasonOf(fixed.fault)}.`);
  const { pageCount, removed } = fixed;
  if (pageCount !== copy.pages)
    throw new NotSealable(
      `The PDF cannot be signed: only ${pageCount} of its ${copy.pages} pages can be read.`,
    );
  const bytes = new Uint8Array(fixed.bytes);
  const difference = await findDifference(source, bytesSource(bytes, key), {
    pages: pageCount,
    mayAddText: true,
  });
  if (difference)
    throw new NotSealable(
      `The PDF cannot be signed: of its page ${difference.page}, ${DIFFERENCES[difference.what]}.`,
    );
  return { bytes, pageCount, removed };
}

const reasonOf = (fault: string): string =>
  fault === 'XFA' ? REASONS.XFA : `it cannot be read (${shorten(fault, 200)})`;
