import { withoutHidden } from '../../lib/text/hidden-text.js';
import { shorten } from '../../lib/text/shorten.js';

/** Isolates a text from the direction of the text around it (UAX #9): FIRST STRONG ISOLATE and its end. */
const ISOLATE = '\u2068';
const END = '\u2069';

/** WORD JOINER: invisible; no mail program makes a link across it. */
const JOINER = '\u2060';

/** Code points of a name that are shown. */
const MAX_NAME = 60;

/** The beginnings of what mail programs make links of: protocols, and dots and at signs within a word. */
const LINK_PARTS = /(:)(?=\/\/)|(?<=[\p{L}\p{N}])([.@\u3002\uff0e\uff61])(?=[\p{L}\p{N}])/gu;

/** A text of a user in which nothing is turned into a link. */
export const withoutLinks = (text: string): string => text.replace(LINK_PARTS, `$&${JOINER}`);

/** A name of a user as one short line without hidden characters and links. */
export function plainName(name: string): string {
  const text = shorten(withoutHidden(name.normalize('NFC')).replace(/\s+/g, ' ').trim(), MAX_NAME, '…');
  return text === '' ? 'No name' : withoutLinks(text);
}

/** A name for a line of plain text, such as a subject. */
export const isolatedName = (name: string): string => `${ISOLATE}${plainName(name)}${END}`;

/** A free text of a user: its lines, without other control characters and links; at most `maxLength` code points. */
export const plainLines = (text: string, maxLength = 2_000): string[] =>
  shorten(withoutHidden(text.normalize('NFC').replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n'), '\n\t'), maxLength)
    .split('\n')
    .map((line) => withoutLinks(line.trimEnd()));
