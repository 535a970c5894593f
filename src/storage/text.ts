import { Worker } from 'node:worker_threads';
import type { ByteSource } from './byte-source.ts';
import { type PdfTexts, readPdfText } from './pdf-text.ts';

/** How the text of a file is read; each has its reader in text-worker.js. */
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

/** What came of reading a file: its text; that it has none to read; or why it cannot be read, and if a later try may help. */
export type TextResult =
  | { text: FileText }
  | { none: true }
  | { skipped: string }
  | { failed: string; mayPass: boolean };

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
const TIME_LIMIT = 30_000;

const CUT = 'Only the first 10,000,000 characters of its text are kept.';

/**
 * The text of a file of this media type. Parsing happens in a worker thread, within bounds of memory, time (`timeLimit`
 * in ms) and output; nothing outside of the file is read. Rejects only when `read` does, or no worker can start.
 */
export async function readText(
  source: ByteSource,
  contentType: string,
  timeLimit?: number,
): Promise<TextResult> {
  if (source.size === 0) return { none: true };
  if (contentType === 'application/pdf') return pdfResult(await readPdfText(source, timeLimit));
  const format = formatOf(contentType);
  if (!format) return { none: true };
  if (source.size > LARGEST) return { skipped: 'It is larger than 100 MB.' };
  const answer = await ask(await source.read(0, source.size - 1), format, timeLimit ?? TIME_LIMIT);
  if (!('pages' in answer)) return answer;
  return found(answer.pages, PAGED.has(format), answer.cut ? CUT : undefined);
}

/** Pages without a word are none. */
export const found = (pages: string[], paged: boolean, note?: string): TextResult =>
  pages.some((page) => page !== '') ? { text: { pages, paged, ...(note && { note }) } } : { none: true };

export function pdfResult({ pages, ended }: PdfTexts): TextResult {
  if (ended === 'full') return found(pages, true, CUT);
  if (ended === undefined) return found(pages, true);
  if (pages.length > 0)
    return found(pages, true, `Page ${pages.length + 1} and those after it cannot be read.`);
  return { failed: 'It is broken, locked with a password, or takes too long to read.', mayPass: true };
}

type Answer = { pages: string[]; cut: boolean } | { failed: string; mayPass: boolean };

/** A worker of its own for each file: what a hostile one does to it ends with it. */
async function ask(bytes: Uint8Array, format: Format, timeLimit: number): Promise<Answer> {
  const worker = new Worker(new URL('./text-worker.js', import.meta.url), {
    // Hostile bytes are parsed in there: it gets no secrets, and plain JavaScript needs no loader of ours.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  try {
    return await converse(worker, bytes, format, timeLimit);
  } finally {
    await worker.terminate();
  }
}

const converse = (worker: Worker, bytes: Uint8Array, format: Format, timeLimit: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const giveUp = (failed: string, mayPass: boolean) => resolve({ failed, mayPass });
    const timer = setTimeout(() => giveUp('It took too long to read.', true), timeLimit);
    worker.on('message', (answer: { pages: string[]; cut: boolean } | { fault: string }) =>
      'fault' in answer ? giveUp(answer.fault, false) : resolve(answer),
    );
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? giveUp('It takes too much memory to read.', false)
        : reject(error),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      giveUp('It cannot be read.', true);
    });
    const own = Uint8Array.from(bytes);
    worker.postMessage({ bytes: own, format }, [own.buffer]);
  });
