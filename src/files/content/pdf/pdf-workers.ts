import { FairSlots } from '../../../lib/fair-slots.ts';
import { type ChildCall, ChildPool } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import type { Comparison } from './comparison.ts';

/** A question about a PDF; pages count from 0. */
export type PdfQuestion = CountQuestion | DrawQuestion | TextQuestion | SaveQuestion | CompareQuestion;

interface CountQuestion {
  count: true;
}

/**
 * A page drawn in this width (pixels): as a WebP image, as its pixels (four bytes each, red first), or, of what is not text of
 * the file, as its gray pixels.
 */
interface DrawQuestion {
  draw: number;
  width: number;
  as: 'webp' | 'colours' | 'rest';
}

/**
 * The text of some pages from `textFrom` on, of about `most` characters; `plain`: of one page, without its annotations and
 * pictures, where these are what PDFium ends with.
 */
interface TextQuestion {
  textFrom: number;
  most: number;
  plain: boolean;
}

interface SaveQuestion {
  save: true;
}

/** Of the file and the one named `after` in the call. */
interface CompareQuestion {
  compare: Comparison;
}

export interface PdfTask {
  question: PdfQuestion;
  /** Of the files, in bytes. */
  sizes: number[];
}

export interface PdfCall extends Pick<ChildCall, 'signal' | 'onWork'> {
  timeLimit?: number;
  /** The file with which it is compared. */
  after?: ByteSource;
}

const TIME_LIMIT = 10_000;
const MEMORY_LIMIT = 640 * 2 ** 20;
/** Where a whole copy is in memory. */
const COPY_MEMORY_LIMIT = 1_024 * 2 ** 20;
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
const pools = { count: newPool(), draw: newPool(), textFrom: newPool(), seal: newPool() };

/**
 * PDFium's answer to a question about a file, given by a process that gets 128 KiB of it at a time; null for a file
 * over 4 GiB. `timeLimit` is in ms of work. Throws Busy, ChildFailed, the reason of `signal`, or what `read` throws.
 */
export async function askPdf<Answer>(
  source: ByteSource,
  question: PdfQuestion,
  { timeLimit = TIME_LIMIT, signal, onWork, after }: PdfCall = {},
): Promise<Answer | null> {
  const files = after ? [source, after] : [source];
  const sizes = files.map(({ size }) => size);
  if (Math.max(...sizes) > MAX_BYTES) return null;
  const limits = { time: timeLimit, memory: 'save' in question ? COPY_MEMORY_LIMIT : MEMORY_LIMIT };
  return (await poolFor(question).ask({ question, sizes }, limits, {
    key: source.organizationId ?? '',
    onRequest: blocksOf(files),
    signal,
    onWork,
  })) as Answer | null;
}

/** Answers requests for a part of one of the files, both ends included. */
const blocksOf = (files: readonly ByteSource[]) => (request: unknown) => {
  const { file, start, end } = request as { file: number; start: number; end: number };
  return (files[file] as ByteSource).read(start, end);
};

function poolFor(question: PdfQuestion): ChildPool<PdfTask, unknown> {
  if ('count' in question) return pools.count;
  if ('save' in question || 'compare' in question) return pools.seal;
  return 'draw' in question ? pools.draw : pools.textFrom;
}
