import { FairSlots } from '../../../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../../../lib/time.ts';
import { byteResponder, ChildFailed, ChildPool } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { type PdfTexts, readPdfText } from '../pdf/pdf-text.ts';
import { unreadResult } from './unread.ts';

/** The formats of text extraction; each has a reader in text-task.js. */
export type Format =
  | 'plain'
  | 'folded'
  | 'html'
  | 'xml'
  | 'mail'
  | 'word'
  | 'sheets'
  | 'slides'
  | 'openText'
  | 'openPages'
  | 'flatText'
  | 'flatPages';

/**
 * The text of a file. `pages` begin with page 1; if `paged` is false, there is one entry, which is not a page. `note`: what of
 * the text is missing, for the owner of the file. `recognizedPages`: the number of pages with text that came from OCR.
 * `pictured`: pages (from 0) whose pictures may have more text.
 */
interface FileText {
  pages: string[];
  paged: boolean;
  note?: string;
  recognizedPages?: number;
  pictured?: number[];
}

/** The result of reading a file: its text; that it has none, or (`reason`) that it is not read; or why it cannot be read, and how many retries may help. */
export type TextResult =
  | { text: FileText }
  | { none: true; reason?: string }
  | { skipped: string }
  | { failed: string; retries: number };

/** The task of text-task.js, a file of `size` bytes, and its answer. */
export interface TextTask {
  format: Format;
  size: number;
}
export type TextAnswer = { pages: string[]; cut: boolean } | { fault: string };

const PDF = 'application/pdf';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

const FORMATS: Record<string, Format> = {
  'text/html': 'html',
  'application/xml': 'xml',
  'image/svg+xml': 'xml',
  'application/json': 'plain',
  'application/yaml': 'plain',
  'message/rfc822': 'mail',
  'application/mbox': 'mail',
  'text/calendar': 'folded',
  'text/vcard': 'folded',
  [`${OOXML}.wordprocessingml.document`]: 'word',
  [`${OOXML}.spreadsheetml.sheet`]: 'sheets',
  [`${OOXML}.presentationml.presentation`]: 'slides',
  'application/vnd.ms-word.document.macroEnabled.12': 'word',
  'application/vnd.ms-excel.sheet.macroEnabled.12': 'sheets',
  'application/vnd.ms-powerpoint.presentation.macroEnabled.12': 'slides',
  [`${ODF}.text`]: 'openText',
  [`${ODF}.text-template`]: 'openText',
  [`${ODF}.text-master`]: 'openText',
  [`${ODF}.text-flat-xml`]: 'flatText',
  [`${ODF}.spreadsheet`]: 'openPages',
  [`${ODF}.spreadsheet-template`]: 'openPages',
  [`${ODF}.presentation`]: 'openPages',
  [`${ODF}.presentation-template`]: 'openPages',
  [`${ODF}.graphics`]: 'openPages',
  [`${ODF}.graphics-template`]: 'openPages',
  [`${ODF}.spreadsheet-flat-xml`]: 'flatPages',
  [`${ODF}.presentation-flat-xml`]: 'flatPages',
  [`${ODF}.graphics-flat-xml`]: 'flatPages',
};

const PAGED = new Set<Format>(['sheets', 'slides', 'openPages', 'flatPages']);

const formatOf = (contentType: string): Format | undefined =>
  FORMATS[contentType] ?? (contentType.startsWith('text/') ? 'plain' : undefined);

/** Files are read into memory as a whole, except PDFs. */
const MAX_BYTES = 100 * 2 ** 20;

const MEMORY_LIMIT = 640 * 2 ** 20;
const HEAP_MIB = 320;

/** The limit of the work in ms: `least`, and more for each MiB of the file, up to `most`. */
const PARSING = { least: 5 * SECOND, perMebibyte: SECOND, most: 30 * SECOND };
/** Of a PDF, whose text up to the limit is stored. */
const READING_PDF = { least: 15 * SECOND, perMebibyte: 5 * SECOND, most: 5 * MINUTE };

const CUT = 'Only the first 10,000,000 characters of its text are kept, on 20,000 pages at most.';

/** One retry, in case the machine was busy. */
const ONCE = 1;

/** Files that are read at a time: jobs/text.ts requests no more. */
const SLOTS = 4;

const pool = new ChildPool<TextTask, TextAnswer>(
  new URL('./text-task.js', import.meta.url),
  new FairSlots({ slots: SLOTS }),
  HEAP_MIB,
);

/** Limit of the work in ms for a file of `size` bytes: a small slow file must not delay others for long. */
export function readingTime(contentType: string, size: number): number {
  const { least, perMebibyte, most } = contentType === PDF ? READING_PDF : PARSING;
  return Math.min(least + (size / 2 ** 20) * perMebibyte, most);
}

/**
 * The text of a file of this media type. Parsing happens in a child process, within limits of memory, output and time
 * (`timeLimit`, in ms of work); nothing outside of the file is read. Throws Busy, ChildFailed, or what `read` throws.
 */
export async function readText(
  source: ByteSource,
  contentType: string,
  timeLimit = readingTime(contentType, source.size),
): Promise<TextResult> {
  if (source.size === 0) return { none: true };
  if (contentType === PDF) return pdfResult(await readPdfText(source, timeLimit));
  const format = formatOf(contentType);
  if (!format) return unreadResult(source, contentType);
  if (source.size > MAX_BYTES) return { skipped: 'It is larger than 100 MB.' };
  const answer = await ask(source, format, timeLimit);
  if ('failed' in answer) return answer;
  if ('fault' in answer) return { failed: answer.fault, retries: 0 };
  return textResult(answer.pages, PAGED.has(format), answer.cut ? CUT : undefined);
}

function ask({ size, read, organizationId: key = '' }: ByteSource, format: Format, time: number) {
  const limits = { time, memory: MEMORY_LIMIT };
  return pool
    .ask({ format, size }, limits, { key, onRequest: byteResponder(read) })
    .catch((error: unknown) => {
      if (error instanceof ChildFailed) return { failed: REASONS[error.reason], retries: ONCE };
      throw error;
    });
}

const REASONS = {
  time: 'It took too long to read.',
  memory: 'It takes too much memory to read.',
  died: 'It takes too much memory to read, or ends the program that reads it.',
};

/** `none` if all pages are empty. */
export const textResult = (pages: string[], paged: boolean, note?: string): TextResult =>
  pages.some((page) => page !== '') ? { text: { pages, paged, ...(note && { note }) } } : { none: true };

export function pdfResult({ pictured = [], ...texts }: PdfTexts): TextResult {
  const result = pagesResult(texts);
  return 'text' in result && pictured.length > 0 ? { text: { ...result.text, pictured } } : result;
}

function pagesResult({ pages, ended }: PdfTexts): TextResult {
  if (ended === 'full') return textResult(pages, true, CUT);
  if (ended === undefined) return textResult(pages, true);
  if (pages.length > 0)
    return textResult(pages, true, `Page ${pages.length + 1} and those after it cannot be read.`);
  return { failed: 'It is broken, locked with a password, or takes too long to read.', retries: ONCE };
}
