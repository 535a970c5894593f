import { ownPath } from '../documents/hrefs.ts';
import type { Visit } from '../ui/visit.ts';
import type { ConsoleDocument } from './console-document.ts';

/** How many pages of a document are shown at once; the operation has a field for each. */
export const PAGES_SHOWN = 6;

type PageVariables = Record<'page1' | 'page2' | 'page3' | 'page4' | 'page5' | 'page6', number>;

/** The first page to show, by the query of the page of a document. */
export function firstPageOf({ query }: Visit): number {
  const page = Number(query('page') ?? 1);
  return Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 1;
}

export const pageVariables = (first: number): PageVariables => ({
  page1: first,
  page2: first + 1,
  page3: first + 2,
  page4: first + 3,
  page5: first + 4,
  page6: first + 5,
});

export interface PagePicture {
  number: number;
  path: string;
}

type Revision = ConsoleDocument['currentRevision'];

/** The pictures of pages that there are, from `first` on. */
export const picturesOf = (
  { page1, page2, page3, page4, page5, page6 }: Revision,
  first: number,
): PagePicture[] =>
  [page1, page2, page3, page4, page5, page6].flatMap((url, index) =>
    url ? [{ number: first + index, path: ownPath(url) }] : [],
  );
