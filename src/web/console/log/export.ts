import type { ConsoleEventFragment, ConsoleLogQuery } from '../../../generated/operations/graphql.ts';
import { escapeFormulas } from '../../../lib/csv/formulas.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../../lib/csv/line.ts';
import { streamedFile } from '../../ui/responses.ts';

type Page = NonNullable<ConsoleLogQuery['organization']>;

interface Format {
  extension: string;
  type: string;
  header: string;
  line: (event: ConsoleEventFragment) => string;
}

const COLUMNS = [
  'sequence',
  'time',
  'kind',
  'person',
  'email',
  'application',
  'project',
  'subject',
  'text',
  'changes',
  'via',
  'tool',
];

/** A cell of a spreadsheet: what people typed begins no formula. */
const csvOf = (event: ConsoleEventFragment): string =>
  csvLine(
    [
      `${event.sequence}`,
      event.createdAt,
      event.kind,
      event.createdBy?.name ?? '',
      event.createdBy?.email ?? '',
      event.application?.name ?? '',
      event.projectId ?? '',
      event.subjectId,
      event.text ?? '',
      event.changes.length > 0 ? JSON.stringify(event.changes) : '',
      event.via ?? '',
      event.tool ?? '',
    ].map(escapeFormulas),
  );

export const FORMATS = {
  jsonl: {
    extension: 'jsonl',
    type: 'application/x-ndjson; charset=utf-8',
    header: '',
    line: (event) => `${JSON.stringify(event)}\n`,
  },
  csv: {
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    header: BYTE_ORDER_MARK + csvLine(COLUMNS),
    line: csvOf,
  },
} as const satisfies Record<string, Format>;

/** All events from a first page on as a file. */
export function exportOf(first: Page, pageAfter: (after: string) => Promise<Page>, format: Format): Response {
  return streamedFile(piecesOf(first, pageAfter, format), `log-${first.id}.${format.extension}`, format.type);
}

async function* piecesOf(
  first: Page,
  pageAfter: (after: string) => Promise<Page>,
  { header, line }: Format,
): AsyncGenerator<string> {
  yield header;
  let next: Promise<Page> | undefined = Promise.resolve(first);
  while (next) {
    const page: Page = await next;
    const { hasNextPage, endCursor } = page.events.pageInfo;
    next = hasNextPage && endCursor ? pageAfter(endCursor) : undefined;
    // A failure is reported when the page is awaited.
    next?.catch(() => undefined);
    yield page.events.nodes.map(line).join('');
  }
}
