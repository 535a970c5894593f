import { badInput } from '../domain/errors.ts';

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Records as lines of CSV without a heading (RFC 4180). */
export const csv = (records: readonly (readonly string[])[]): string =>
  records.map((each) => `${each.map(field).join(',')}\n`).join('');

/** A record as a line of CSV that ends as RFC 4180 §2 has it. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`;

/**
 * Text of strangers for a cell: programs that calculate would take it for a formula if it began with one of these
 * characters. Plain numbers stay what they are.
 */
export const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;

/** A field with or without quotes, and what ends it. */
const NEXT = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** The records of such text; lines without anything are left out. Throws BAD_USER_INPUT, naming the line. */
export function records(text: string): string[][] {
  const found: string[][] = [];
  let fields: string[] = [];
  for (let at = 0; at < text.length; at = NEXT.lastIndex) {
    NEXT.lastIndex = at;
    const match = NEXT.exec(text);
    if (!match)
      throw badInput(
        `Line ${text.slice(0, at).split('\n').length} has a quotation mark where none can be.`,
        'body',
      );
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',' && NEXT.lastIndex < text.length) continue;
    if (match[3] === ',') fields.push('');
    if (fields.length > 1 || fields[0] !== '') found.push(fields);
    fields = [];
  }
  return found;
}
