/**
 * What programs that calculate take for the beginning of a formula, in the plain and the full-width form, where a cell
 * begins, or may begin: behind a separator of any locale, or a line break, a program that splits the text in another way
 * than it was written begins a new cell (OWASP, "CSV Injection"). Blanks and quotation marks before it are skipped there.
 */
const SITE =
  /(?<=^|[,;|\t\r\n\v\f\u0085\u060c\u061b\u2028\u2029])([ "\u00a0\u3000\ufeff]*)('*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** The rest of what may be a cell of its own. */
const REST = /[^,;|\t\r\n\v\f\u0085\u060c\u061b\u2028\u2029]*/y;

const NUMBER = /^[+-]\d+(?:\.\d+)?[ "]*$/;

/** Some programs drop these at the beginning of a cell, and read on. */
const LEADING = /^'*[\t\r\n]/;

/**
 * Text of strangers for a cell of CSV that no program computes: an apostrophe stands before what would begin a formula,
 * as people write it in a spreadsheet. Plain numbers stay: `-5` is computed to -5, and a program that reads the file must
 * not find text in a column of numbers.
 */
export function escapeFormulas(text: string): string {
  const safe = text.replace(SITE, (_, blanks: string, marks: string, at: number) => {
    REST.lastIndex = at + blanks.length;
    const isNumber = marks === '' && NUMBER.test(REST.exec(text)?.[0] ?? '');
    return isNumber ? blanks : `${blanks}'${marks}`;
  });
  return LEADING.test(safe) ? `'${safe}` : safe;
}

/** The text that `neutralized` made of another, as it was: of the apostrophes before a formula, one is taken away. */
export function unescapeFormulas(text: string): string {
  const safe = LEADING.test(text) && text.startsWith("'") ? text.slice(1) : text;
  return safe.replace(SITE, (_, blanks: string, marks: string) => blanks + marks.slice(1));
}
