import { FairSlots } from '../../../lib/fair-slots.ts';
import { byteResponder, type ChildCall, type ChildLimits, ChildPool } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import type { Bitmap } from '../ocr/ocr.ts';
import { SCAN_TYPES } from '../sniff/inspect.ts';

/** A scan of `size` bytes, of which a page (from 0) is drawn, at most `side` wide and high, or the pages are counted. */
export interface ScanTask {
  size: number;
  wanted: { page: number; side: number } | { count: true };
}

const MAX_BYTES = 100 * 2 ** 20;

const LIMITS: ChildLimits = { time: 10_000, memory: 640 * 2 ** 20 };
const HEAP_MIB = 64;

const pool = new ChildPool<ScanTask, Bitmap | number | null>(
  new URL('./scan-task.js', import.meta.url),
  new FairSlots({ slots: 2 }),
  HEAP_MIB,
);

export const isScan = (contentType: string): boolean =>
  (SCAN_TYPES as readonly string[]).includes(contentType);

/** The number of pages of a TIFF; 1 for another picture; null if it is broken or over 100 MB. Throws Busy or ChildFailed. */
export const countScanPages = (source: ByteSource): Promise<number | null> =>
  ask<number>(source, { count: true });

/**
 * A page (from 0) on white, upright, with square pixels, at most `side` wide and high. Null if it is broken, or has over 100
 * million pixels. Throws Busy or ChildFailed.
 */
export const drawScan = (
  source: ByteSource,
  page: number,
  side: number,
  onWork?: (time: number) => void,
): Promise<Bitmap | null> => ask<Bitmap>(source, { page, side }, onWork);

async function ask<Answer>(
  { size, read, organizationId: key = '' }: ByteSource,
  wanted: ScanTask['wanted'],
  onWork?: ChildCall['onWork'],
): Promise<Answer | null> {
  if (size > MAX_BYTES) return null;
  const call = { key, onRequest: byteResponder(read), ...(onWork && { onWork }) };
  return (await pool.ask({ size, wanted }, LIMITS, call)) as Answer | null;
}
