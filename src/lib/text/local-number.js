// Numbers as people write them in their language, with the separators and digits of Intl. Runs on the server and in browsers.

/** @typedef {{ decimal: string, group: string, size: number, digits: string[] }} NumberStyle */

/** @param {Intl.NumberFormat} format */
const digitsOf = (format) => Array.from({ length: 10 }, (_, digit) => format.format(digit));

/** The value of each digit of the numbering systems that Intl knows. */
const DIGITS = new Map(
  (Intl.supportedValuesOf?.('numberingSystem') ?? []).flatMap((numberingSystem) =>
    digitsOf(new Intl.NumberFormat('en', { numberingSystem })).map((digit, value) => [digit, `${value}`]),
  ),
);

/** The same with ASCII digits, one kind of space, minus and apostrophe, and without invisible marks and currency signs. @param {string} text */
export const plainNumber = (text) =>
  [...text.replace(/[\p{Cf}\p{Sc}]/gu, '')]
    .map((each) => DIGITS.get(each) ?? each)
    .join('')
    .replace(/\s/g, ' ')
    .replace(/[\u2212\u2013\ufe63\uff0d]/g, '-')
    .replace(/\u2019/g, "'")
    .trim();

/** `size`: the digits of a group but the last, which has three. @param {string} locale @param {string} [numberingSystem] @returns {NumberStyle} */
function styleOf(locale, numberingSystem) {
  const format = new Intl.NumberFormat(locale, { numberingSystem, maximumFractionDigits: 1 });
  const parts = format.formatToParts(123456789012.5);
  const partOf = (/** @type {string} */ name) => parts.find(({ type }) => type === name)?.value ?? '';
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length);
  return {
    decimal: partOf('decimal'),
    group: partOf('group'),
    size: groups.at(-2) ?? 3,
    digits: digitsOf(format),
  };
}

/** @param {readonly string[]} groups @param {number} size */
function areGroups([first = '', ...more], size) {
  if (more.length === 0) return /^\d*$/.test(first);
  const isSized = (/** @type {string} */ group) => group.length === 3 || group.length === size;
  return (
    /^\d{1,3}$/.test(first) &&
    more.every((each) => /^\d+$/.test(each)) &&
    more.slice(0, -1).every(isSized) &&
    more.at(-1)?.length === 3
  );
}

/** @param {string} typed @param {NumberStyle} style */
function readIn(typed, { decimal, group, size }) {
  const [, sign = '', rest = ''] = /^([+-]?) ?(.*)$/.exec(typed) ?? [];
  const [whole = '', fraction, ...more] = rest.split(plainNumber(decimal) || decimal);
  const separator = /\s/.test(group) ? ' ' : plainNumber(group);
  const groups = separator ? whole.split(separator) : [whole];
  const isFraction = fraction === undefined ? whole !== '' : /^\d+$/.test(fraction);
  if (more.length > 0 || !isFraction || !areGroups(groups, size)) return undefined;
  return `${sign}${groups.join('') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
}

/**
 * Reads a number in the notation of a language: `1.234,5` in German is `1234.5`. What is no number there, and is one in
 * decimal notation, is read as that. Undefined for any other text.
 * @param {string} text
 * @param {string} locale
 * @returns {string | undefined}
 */
export function readLocalNumber(text, locale) {
  const typed = plainNumber(text);
  const read = readIn(typed, styleOf(locale)) ?? readIn(typed, styleOf(locale, 'latn'));
  return read ?? (/^[+-]?\d+(?:\.\d+)?$/.test(typed) ? typed : undefined);
}

/**
 * A number in decimal notation as a language writes it, without groups: its only separator is the decimal one.
 * @param {string} number
 * @param {string} locale
 */
export function formatLocalNumber(number, locale) {
  const { decimal, digits } = styleOf(locale);
  return [...number.replace('+', '')]
    .map((each) => (each === '.' ? decimal : (digits[/\d/.test(each) ? Number(each) : -1] ?? each)))
    .join('');
}
