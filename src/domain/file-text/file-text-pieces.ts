import { shortenMarks } from '../../lib/text/normalize.ts';

/** A piece of a text, with the page it begins on, from 1. A form feed separates pages within it. */
export interface Piece {
  firstPage: number;
  text: string;
}

const PAGE_BREAK = '\f';

/** In UTF-16 code units. */
const MAX_PIECE_LENGTH = 16_000;

/**
 * Cuts a text into pieces of as many pages as fit; a longer page is cut between words. Long runs of combining marks are
 * shortened, since the index would take seconds to normalize 16,000 of them.
 */
export function cutText(pages: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, page] of pages.entries())
    for (const [position, part] of [...splitPage(shortenMarks(page))].entries()) {
      const open = position === 0 ? pieces.at(-1) : undefined;
      if (open && open.text.length + part.length < MAX_PIECE_LENGTH) open.text += PAGE_BREAK + part;
      else pieces.push({ firstPage: index + 1, text: part });
    }
  return pieces;
}

function* splitPage(page: string): Generator<string> {
  let at = 0;
  while (page.length - at > MAX_PIECE_LENGTH) {
    const end = at + MAX_PIECE_LENGTH;
    const blank = Math.max(page.lastIndexOf(' ', end - 1), page.lastIndexOf('\n', end - 1)) + 1;
    const cut = blank > end - 200 ? blank : /[\ud800-\udbff]/.test(page[end - 1] as string) ? end - 1 : end;
    yield page.slice(at, cut);
    at = cut;
  }
  yield page.slice(at);
}

/** The pages, or parts of pages, in a piece. */
export const pagesOf = ({ firstPage, text }: Piece): { page: number; text: string }[] =>
  text.split(PAGE_BREAK).map((part, index) => ({ page: firstPage + index, text: part }));
