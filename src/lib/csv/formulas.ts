/**
 * The characters that begin a formula, plain or full-width, at each position where a spreadsheet may begin a cell: the
 * start, and after a separator of any locale or a line break, since a program may split the text differently (OWASP, "CSV
 * Injection"). Programs skip blanks and quotation marks before them.
 */
const FORMULA_START =
  /(?<=^|[,;|\t\r\n\v\f\u0085\u060c\u061b\u2028\u2029])([ "\u00a0\u3000\ufeff]*)('*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** The rest of a possible cell. */
const CELL_REST = /[^,;|\t\r\n\v\f\u0085\u060c\u061b\u2028\u2029]*/y;

const NUMBER = /^[+-]\d+(?:\.\d+)?[ "]*$/;

/** Some programs drop these characters at the beginning of a cell. */
const LEADING = /^'*[\t\r\n]/;

/**
 * Makes untrusted text safe for a cell of CSV: puts an apostrophe before each character that would begin a formula, as in
 * a spreadsheet. Numbers such as `-5` stay, so that a column of numbers contains no text.
 */
export function escapeFormulas(text: string): string {
  const safe = text.replace(FORMULA_START, (_, blanks: string, marks: string, at: number) => {
    CELL_REST.lastIndex = at + blanks.length;
    const isNumber = marks === '' && NUMBER.test(CELL_REST.exec(text)?.[0] ?? '');
    return isNumber ? blanks : `${blanks}'${marks}`;
  });
  return LEADING.test(safe) ? `'${safe}` : safe;
}

/** Reverses `escapeFormulas`: removes one of the apostrophes before each formula. */
export function unescapeFormulas(text: string): string {
  const safe = LEADING.test(text) && text.startsWith("'") ? text.slice(1) : text;
  return safe.replace(FORMULA_START, (_, blanks: string, marks: string) => blanks + marks.slice(1));
}
