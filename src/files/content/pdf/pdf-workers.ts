import { FairSlots } from '../../../lib/fair-slots.ts';
import { ChildPool, giveBytes } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';

/** What can be asked about a PDF; pages count from 0. */
export type PdfQuestion = CountQuestion | DrawQuestion | TextQuestion;

interface CountQuestion {
  count: true;
}

/** A page drawn so many pixels wide, as a WebP image or as its pixels. */
interface DrawQuestion {
  draw: number;
  width: number;
  as: 'webp' | 'pixels';
}

/** The text of some pages from one on, of about so many characters. */
interface TextQuestion {
  textFrom: number;
  most: number;
}

export interface PdfTask {
  question: PdfQuestion;
  size: number;
}

const TIME_LIMIT = 10_000;
const MEMORY_LIMIT = 640 * 2 ** 20;
const HEAP_MIB = 128;

/** PDFium's file access counts in 32 bits. */
const LARGEST = 2 ** 32 - 1;

const newPool = () =>
  new ChildPool<PdfTask, unknown>(
    new URL('./pdf-task.js', import.meta.url),
    new FairSlots({ slots: 3 }),
    HEAP_MIB,
  );

/** Apart, so that what is quick never waits for what is slow. */
const pools = { count: newPool(), draw: newPool(), textFrom: newPool() };

/**
 * PDFium's answer to a question about a file, given by a process that gets 128 KiB of it at a time; null for a file
 * over 4 GiB. `timeLimit` is in ms, from when a process has the file. Throws Busy, ChildFailed, the reason of `signal`,
 * or what `read` throws.
 */
export async function askPdf<Answer>(
  { size, read, organizationId: key = '' }: ByteSource,
  question: PdfQuestion,
  timeLimit = TIME_LIMIT,
  signal?: AbortSignal,
): Promise<Answer | null> {
  if (size > LARGEST) return null;
  const onRequest = giveBytes(read);
  const limits = { time: timeLimit, memory: MEMORY_LIMIT };
  return (await poolFor(question).ask({ question, size }, limits, {
    key,
    onRequest,
    signal,
  })) as Answer | null;
}

function poolFor(question: PdfQuestion): ChildPool<PdfTask, unknown> {
  if ('count' in question) return pools.count;
  return 'draw' in question ? pools.draw : pools.textFrom;
}
