const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Records as CSV without a header line (RFC 4180). */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((each) => `${each.map(field).join(',')}\n`).join('');

/** At the beginning of a file it says that the text is UTF-8: Excel reads another encoding without it. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A record as a line of CSV with the line end of RFC 4180 §2. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`;
