import { FairSlots } from '../../../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed, ChildPool, giveBytes } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import { type PdfTexts, readPdfText } from '../pdf/pdf-text.ts';

/** How the text of a file is read; each has its reader in text-task.js. */
export type Format =
  | 'plain'
  | 'html'
  | 'xml'
  | 'mail'
  | 'word'
  | 'sheets'
  | 'slides'
  | 'openText'
  | 'openPages';

/**
 * The text of a file. `pages` are in their order, the first is page 1; where `paged` is false, there is one, and it is
 * no page of anything. `note` tells what of the text is left out, in words for the owner of the file. On `recognizedPages`
 * of the pages, the text was recognised in a picture.
 */
export interface FileText {
  pages: string[];
  paged: boolean;
  note?: string;
  recognizedPages?: number;
}

/** What came of reading a file: its text; that it has none to read; or why it cannot be read, and how many more tries may help. */
export type TextResult =
  | { text: FileText }
  | { none: true }
  | { skipped: string }
  | { failed: string; retries: number };

/** What text-task.js is asked for, a file of so many bytes, and what it answers. */
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
  [`${OOXML}.wordprocessingml.document`]: 'word',
  [`${OOXML}.spreadsheetml.sheet`]: 'sheets',
  [`${OOXML}.presentationml.presentation`]: 'slides',
  'application/vnd.ms-word.document.macroEnabled.12': 'word',
  'application/vnd.ms-excel.sheet.macroEnabled.12': 'sheets',
  'application/vnd.ms-powerpoint.presentation.macroEnabled.12': 'slides',
  [`${ODF}.text`]: 'openText',
  [`${ODF}.text-template`]: 'openText',
  [`${ODF}.spreadsheet`]: 'openPages',
  [`${ODF}.spreadsheet-template`]: 'openPages',
  [`${ODF}.presentation`]: 'openPages',
  [`${ODF}.presentation-template`]: 'openPages',
};

const PAGED = new Set<Format>(['sheets', 'slides', 'openPages']);

const formatOf = (contentType: string): Format | undefined =>
  FORMATS[contentType] ?? (contentType.startsWith('text/') ? 'plain' : undefined);

/** What is read into memory; of a PDF, only the parts that are needed are. */
const LARGEST = 100 * 2 ** 20;

const MEMORY_LIMIT = 640 * 2 ** 20;
const HEAP_MIB = 320;

/** How much work reading takes at most: so many ms, more for each MiB of the file, up to a limit. */
const PARSING = { least: 5 * SECOND, perMebibyte: SECOND, most: 30 * SECOND };
/** Of a PDF: what was read until then is kept. */
const READING_PDF = { least: 15 * SECOND, perMebibyte: 5 * SECOND, most: 5 * MINUTE };

/** How many times longer the work may take on a busy machine, with a storage that is slow. */
const BUSY = 8;

const CUT = 'Only the first 10,000,000 characters of its text are kept, on 20,000 pages at most.';

/** One more try, in case the machine was busy. */
const ONCE = 1;

/** How many files are read at a time: jobs/text.ts asks for no more. */
const SLOTS = 4;

const pool = new ChildPool<TextTask, TextAnswer>(
  new URL('./text-task.js', import.meta.url),
  new FairSlots({ slots: SLOTS }),
  HEAP_MIB,
);

/** How many ms of work a file of so many bytes may take: a small one that is slow must not delay others for long. */
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
  if (!format) return { none: true };
  if (source.size > LARGEST) return { skipped: 'It is larger than 100 MB.' };
  const answer = await ask(source, format, timeLimit);
  if ('failed' in answer) return answer;
  if ('fault' in answer) return { failed: answer.fault, retries: 0 };
  return found(answer.pages, PAGED.has(format), answer.cut ? CUT : undefined);
}

function ask({ size, read, organizationId: key = '' }: ByteSource, format: Format, time: number) {
  const limits = { processor: time, time: BUSY * time, memory: MEMORY_LIMIT };
  return pool.ask({ format, size }, limits, { key, onRequest: giveBytes(read) }).catch((error: unknown) => {
    if (error instanceof ChildFailed) return { failed: REASONS[error.reason], retries: ONCE };
    throw error;
  });
}

const REASONS = {
  time: 'It took too long to read.',
  memory: 'It takes too much memory to read.',
  died: 'It takes too much memory to read, or ends the program that reads it.',
};

/** Pages without a word are none. */
export const found = (pages: string[], paged: boolean, note?: string): TextResult =>
  pages.some((page) => page !== '') ? { text: { pages, paged, ...(note && { note }) } } : { none: true };

export function pdfResult({ pages, ended }: PdfTexts): TextResult {
  if (ended === 'full') return found(pages, true, CUT);
  if (ended === undefined) return found(pages, true);
  if (pages.length > 0)
    return found(pages, true, `Page ${pages.length + 1} and those after it cannot be read.`);
  return { failed: 'It is broken, locked with a password, or takes too long to read.', retries: ONCE };
}
