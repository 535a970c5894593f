import { FairSlots } from '../../../lib/fair-slots.ts';
import { byteResponder, type ChildCall, ChildPool } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';

/** A question about a PDF; pages count from 0. */
export type PdfQuestion = CountQuestion | DrawQuestion | TextQuestion;

interface CountQuestion {
  count: true;
}

/** A page drawn in this width (pixels), as a WebP image or as its pixels. */
interface DrawQuestion {
  draw: number;
  width: number;
  as: 'webp' | 'pixels';
}

/** The text of some pages from `textFrom` on, of about `most` characters. */
interface TextQuestion {
  textFrom: number;
  most: number;
}

export interface PdfTask {
  question: PdfQuestion;
  size: number;
}

export interface PdfCall extends Pick<ChildCall, 'signal' | 'onWork'> {
  timeLimit?: number;
}

const TIME_LIMIT = 10_000;
const MEMORY_LIMIT = 640 * 2 ** 20;
const HEAP_MIB = 128;

/** PDFium's file access counts in 32 bits. */
const MAX_BYTES = 2 ** 32 - 1;

const newPool = () =>
  new ChildPool<PdfTask, unknown>(
    new URL('./pdf-task.js', import.meta.url),
    new FairSlots({ slots: 3 }),
    HEAP_MIB,
  );

/** Separate pools, so that quick questions never wait for slow ones. */
const pools = { count: newPool(), draw: newPool(), textFrom: newPool() };

/**
 * PDFium's answer to a question about a file, given by a process that gets 128 KiB of it at a time; null for a file
 * over 4 GiB. `timeLimit` is in ms of work. Throws Busy, ChildFailed, the reason of `signal`, or what `read` throws.
 */
export async function askPdf<Answer>(
  { size, read, organizationId: key = '' }: ByteSource,
  question: PdfQuestion,
  { timeLimit = TIME_LIMIT, signal, onWork }: PdfCall = {},
): Promise<Answer | null> {
  if (size > MAX_BYTES) return null;
  const onRequest = byteResponder(read);
  const limits = { time: timeLimit, memory: MEMORY_LIMIT };
  return (await poolFor(question).ask({ question, size }, limits, {
    key,
    onRequest,
    signal,
    onWork,
  })) as Answer | null;
}

function poolFor(question: PdfQuestion): ChildPool<PdfTask, unknown> {
  if ('count' in question) return pools.count;
  return 'draw' in question ? pools.draw : pools.textFrom;
}
