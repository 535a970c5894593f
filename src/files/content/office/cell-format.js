// Plain JavaScript, as everything that text-task.js loads.
import { dateFromSerial, format, getFormatFromId, getFormatInfo } from 'numfmt';

/** @typedef {import('./text-archive.js').Archive} Archive */

/** Longest format that is used, in UTF-16 code units: Excel's own limit. */
const MAX_PATTERN = 255;

/** Formats of a workbook, and styles of cells; those beyond are as if they were not there. */
const MAX_FORMATS = 5_000;
const MAX_STYLES = 100_000;

/** The first number that a workbook gives to a format of its own; those before are known (ECMA-376 part 1 §18.8.30). */
const OWN_FORMATS = 164;

/** Days from 1900 to 1904, the first days of the two calendars of workbooks (§18.17.4.1). */
const DAYS_TO_1904 = 1_462;

/** The day after 31 December 9999. */
const END_OF_DAYS = 2_958_466;

const DATES = new Set(['date', 'datetime']);

const twoDigits = (/** @type {number} */ number) => `${number}`.padStart(2, '0');

/** Shows the numbers of a workbook by the formats of its cells. */
export class CellFormats {
  /** @type {Map<number, string>} */
  #own = new Map();
  /** @type {number[]} the number of the format for each style of cells */
  #styles = [];
  /** @type {Map<string, boolean>} whether the formats that are used show dates */
  #showsDate = new Map();
  #shift = 0;

  /** Reads the styles of a workbook. */
  constructor(/** @type {Archive} */ archive, /** @type {string | undefined} */ part, startsIn1904 = false) {
    this.#shift = startsIn1904 ? DAYS_TO_1904 : 0;
    let inCells = false;
    if (part === undefined) return;
    archive.walk(part, {
      open: (name, { numFmtId, formatCode }) => {
        if (name === 'cellXfs') inCells = true;
        if (name === 'numFmt' && formatCode && this.#own.size < MAX_FORMATS)
          this.#own.set(Number(numFmtId), formatCode);
        if (name === 'xf' && inCells && this.#styles.length < MAX_STYLES)
          this.#styles.push(Number(numFmtId ?? 0));
      },
      close: (name) => {
        if (name === 'cellXfs') inCells = false;
      },
    });
  }

  /**
   * A number as it is shown, in English where the format has no language, and as it is stored; a date instead also as year,
   * month and day (2030-02-28). `style` is the number of the style of its cell.
   */
  show(/** @type {number} */ number, /** @type {number} */ style) {
    const pattern = this.#patternOf(style);
    const shown = this.#format(pattern, number);
    const stored = this.#dateOf(pattern, number) ?? `${number}`;
    return shown === stored || shown === '' ? stored : `${shown} ${stored}`;
  }

  #patternOf(/** @type {number} */ style) {
    const id = this.#styles[style] ?? 0;
    return this.#own.get(id) ?? (id < OWN_FORMATS ? getFormatFromId(id) : 'General');
  }

  #format(/** @type {string} */ pattern, /** @type {number} */ number) {
    if (pattern.length > MAX_PATTERN) return '';
    try {
      return format(pattern, this.#isDate(pattern) ? number + this.#shift : number).trim();
    } catch {
      return '';
    }
  }

  #dateOf(/** @type {string} */ pattern, /** @type {number} */ number) {
    const serial = number + this.#shift;
    if (!this.#isDate(pattern) || serial < 1 || serial >= END_OF_DAYS) return undefined;
    const [year, month, day] = dateFromSerial(serial);
    return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  }

  #isDate(/** @type {string} */ pattern) {
    const cached = this.#showsDate.get(pattern);
    if (cached !== undefined) return cached;
    const isDate = pattern.length <= MAX_PATTERN && DATES.has(typeOf(pattern));
    this.#showsDate.set(pattern, isDate);
    return isDate;
  }
}

/** What a format shows; 'error' for one that is broken. */
function typeOf(/** @type {string} */ pattern) {
  try {
    return getFormatInfo(pattern).type;
  } catch {
    return 'error';
  }
}
