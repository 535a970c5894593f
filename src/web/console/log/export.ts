import type { ConsoleEventFragment, ConsoleLogQuery } from '../../../generated/operations/graphql.ts';
import { escapeFormulas } from '../../../lib/csv/formulas.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../../lib/csv/line.ts';

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

/** All events from a first page on as a file, read page by page as the receiver takes them. */
export function exportOf(
  first: Page,
  pageAfter: (after: string) => Promise<Page>,
  { extension, type, header, line }: Format,
): Response {
  const encoder = new TextEncoder();
  let next: Promise<Page> | undefined = Promise.resolve(first);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(header)),
    async pull(stream) {
      const { events } = await (next as Promise<Page>);
      const { hasNextPage, endCursor } = events.pageInfo;
      next = hasNextPage && endCursor ? pageAfter(endCursor) : undefined;
      // A failure is reported by the pull that awaits the page.
      next?.catch(() => undefined);
      stream.enqueue(encoder.encode(events.nodes.map(line).join('')));
      if (!next) stream.close();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="log-${first.id}.${extension}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
