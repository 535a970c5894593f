import { badInput } from '../../domain/kernel/errors.ts';

/** A field, quoted or not, with the separator after it. Further line ends after it create no records. */
const NEXT = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|(?:\r?\n)+|$)/y;

/** Fields of one record; a value with more commas is longer than any choice. */
const MAX_FIELDS = 1_001;

/**
 * Parses CSV without a header line; empty lines are left out. Throws BAD_USER_INPUT with the line for malformed CSV, and
 * for more than `maxRecords` records.
 */
export function parseCsv(text: string, maxRecords = Number.POSITIVE_INFINITY): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  for (let at = 0; at < text.length; at = NEXT.lastIndex) {
    NEXT.lastIndex = at;
    const match = NEXT.exec(text);
    if (!match) throw lineError(text, at, 'has a quotation mark where none can be');
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (fields.length > MAX_FIELDS) throw lineError(text, at, `has more than ${MAX_FIELDS} fields`);
    if (match[3] === ',' && NEXT.lastIndex < text.length) continue;
    if (match[3] === ',') fields.push('');
    if (fields.length > 1 || fields[0] !== '') records.push(fields);
    if (records.length > maxRecords) throw badInput(`The body has more than ${maxRecords} entries.`, 'body');
    fields = [];
  }
  return records;
}

const lineError = (text: string, at: number, what: string) =>
  badInput(`Line ${text.slice(0, at).split('\n').length} ${what}.`, 'body');
