const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Records as CSV without a header line (RFC 4180). */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((each) => `${each.map(field).join(',')}\n`).join('');

/** A record as a line of CSV with the line end of RFC 4180 §2. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`;
