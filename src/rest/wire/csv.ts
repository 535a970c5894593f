import { badInput } from '../../domain/kernel/errors.ts';

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Records as lines of CSV without a heading (RFC 4180). */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((each) => `${each.map(field).join(',')}\n`).join('');

/** A record as a line of CSV that ends as RFC 4180 §2 has it. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`;

/** A field with or without quotes, and what ends it: further line ends make no records. */
const NEXT = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|(?:\r?\n)+|$)/y;

/** Fields of one record; a value with more commas is longer than any choice. */
const MOST_FIELDS = 1_001;

/**
 * The records of such text; lines without anything are left out. Throws BAD_USER_INPUT, naming the line, for what is no
 * CSV, and for more than `most` records as soon as there are more.
 */
export function parseCsv(text: string, most = Number.POSITIVE_INFINITY): string[][] {
  const found: string[][] = [];
  let fields: string[] = [];
  for (let at = 0; at < text.length; at = NEXT.lastIndex) {
    NEXT.lastIndex = at;
    const match = NEXT.exec(text);
    if (!match) throw fault(text, at, 'has a quotation mark where none can be');
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (fields.length > MOST_FIELDS) throw fault(text, at, `has more than ${MOST_FIELDS} fields`);
    if (match[3] === ',' && NEXT.lastIndex < text.length) continue;
    if (match[3] === ',') fields.push('');
    if (fields.length > 1 || fields[0] !== '') found.push(fields);
    if (found.length > most) throw badInput(`The body has more than ${most} entries.`, 'body');
    fields = [];
  }
  return found;
}

const fault = (text: string, at: number, what: string) =>
  badInput(`Line ${text.slice(0, at).split('\n').length} ${what}.`, 'body');
