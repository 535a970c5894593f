// Plain JavaScript, as everything that text-task.js loads.
import { withoutReadings } from './readings.js';

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */
/** @typedef {{ strings: string[], formats: import('./cell-format.js').CellFormats }} Workbook */

/** Longest value of a cell that is a number, an index or a truth value, in UTF-16 code units. */
const MAX_VALUE = 64;

/** Types of cells whose value is their text (ECMA-376 part 1 §18.18.11). */
const OF_TEXT = new Set(['str', 'inlineStr', 'e', 'd']);

/** Headers and footers of the printed pages (§18.3.1.46). */
const PRINTED = new Set('oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter'.split(' '));

/** Codes in them (§18.3.1.39): fonts, sizes and colors; places; and numbers and names that are known when it is printed. */
const CODES = /&(?:&|"[^"]{0,200}"|K(?:[\dA-F]{6}|\d\d[+-]\d{3})|\d{1,3}|[A-Z])/gi;

const withoutCodes = (/** @type {string} */ text) =>
  text.replace(CODES, (code) => (code === '&&' ? '&' : ' '));

const LONGEST_HEADER = 1_000;

/** The cells of a sheet, row by row, as they are shown, then its headers and footers. */
export function addCells(
  /** @type {import('./text-archive.js').Archive} */ archive,
  /** @type {string} */ path,
  /** @type {TextCollector} */ collector,
  /** @type {Workbook} */ workbook,
) {
  let type = '';
  let style = 0;
  let within = '';
  let value = '';
  const listener = withoutReadings({
    open(name, { t, s }) {
      within = name;
      value = '';
      if (name === 'c') [type, style] = [t ?? 'n', Number(s ?? 0)];
    },
    close(name) {
      if (name === 'v') collector.add(shownValue(workbook, type, style, value));
      if (name === 'c') collector.add('\t');
      if (name === 'row') collector.add('\n');
      if (PRINTED.has(name)) collector.add(`\n${withoutCodes(value)}\n`);
      within = '';
      value = '';
    },
    text(text) {
      if (within === 't' || (within === 'v' && OF_TEXT.has(type))) collector.add(text);
      else if (within === 'v' && value.length < MAX_VALUE) value += text.slice(0, MAX_VALUE);
      else if (PRINTED.has(within) && value.length < LONGEST_HEADER) value += text;
    },
  });
  archive.walk(path, listener);
}

/** What is shown of a value that is not text: '' for one that is, and for an index that leads nowhere. */
function shownValue(
  /** @type {Workbook} */ { strings, formats },
  /** @type {string} */ type,
  /** @type {number} */ style,
  /** @type {string} */ value,
) {
  if (value.trim() === '') return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  return Number.isNaN(number) ? value : formats.show(number, style);
}
