// Plain JavaScript, for servers and browsers.

import {
  arrayAt,
  dictionaryAt,
  fail,
  nameOf,
  referenceAt,
  skipValue,
  skipWhite,
  textOf,
} from '../../pdf/seal/object-syntax.js';

/** @param {Uint8Array} file @param {number} at */
const characterAt = (file, at) => String.fromCharCode(file[at] ?? 0);

/** @param {Uint8Array} file @param {number} at */
export const isDictionary = (file, at) => characterAt(file, at) === '<' && characterAt(file, at + 1) === '<';

/** The offsets of the items of an array. Throws RangeError. @param {Uint8Array} file @param {number} start */
export function itemsAt(file, start) {
  const { close } = arrayAt(file, start);
  const items = [];
  for (let at = skipWhite(file, start + 1); at < close; at = skipWhite(file, skipValue(file, at)))
    items.push(at);
  return items;
}

/**
 * A value as a text that is the same for all ways to write it (ISO 32000-2 §7.3): programs that rewrite an object write its
 * strings, names, numbers and white space as they like. Indirect references are not followed. Throws RangeError.
 * @param {Uint8Array} file @param {number} at @returns {string}
 */
export function canonicalAt(file, at) {
  if (isDictionary(file, at)) {
    const entries = [...dictionaryAt(file, at).values].sort(([a], [b]) => (a < b ? -1 : 1));
    return `<<${entries.map(([key, value]) => `${JSON.stringify(key)} ${canonicalAt(file, value)}`).join()}>>`;
  }
  const first = characterAt(file, at);
  if (first === '[')
    return `[${itemsAt(file, at)
      .map((item) => canonicalAt(file, item))
      .join()}]`;
  const end = skipValue(file, at);
  if (first === '/') return `/${JSON.stringify(nameOf(file, at + 1, end))}`;
  const text = textOf(file, at, end);
  if (first === '(') return JSON.stringify(literalText(text));
  if (first === '<') return JSON.stringify(hexText(text));
  return Number.isNaN(Number(text)) ? text : String(Number(text));
}

/** @param {string} digits with `<` and `>` */
function hexText(digits) {
  const pairs = digits.replace(/[^0-9a-fA-F]/g, '').match(/..?/g) ?? [];
  return pairs.map((pair) => String.fromCharCode(Number.parseInt(pair.padEnd(2, '0'), 16))).join('');
}

/** @type {Record<string, string>} */
const ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** @param {string} literal with its parentheses */
const literalText = (literal) =>
  literal.slice(1, -1).replace(/\\([0-7]{1,3}|\r\n|[\s\S])|\r\n?/g, (all, escaped) => {
    if (escaped === undefined) return '\n';
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) % 256);
    return /^[\r\n]/.test(escaped) ? '' : (ESCAPES[escaped] ?? escaped ?? all);
  });

/**
 * Compares dictionaries of a file but for some of their keys. Throws RangeError if they differ.
 * @param {Uint8Array} file @param {Map<string, number>} before @param {Map<string, number>} after @param {readonly string[]} except
 */
export function requireSame(file, before, after, except) {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (except.includes(key)) continue;
    const [from, to] = [before.get(key), after.get(key)];
    if (from === undefined || to === undefined || canonicalAt(file, from) !== canonicalAt(file, to))
      fail(to ?? from ?? 0, `${key} was changed`);
  }
}

/**
 * A dictionary with no other keys than these. Throws RangeError.
 * @param {Uint8Array} file @param {number} at @param {readonly string[]} keys
 */
export function dictionaryOf(file, at, keys) {
  const { values } = dictionaryAt(file, at);
  for (const key of values.keys()) if (!keys.includes(key)) fail(at, `unexpected key ${key}`);
  return values;
}

/** The number that a value refers to. Throws RangeError for another value. @param {Uint8Array} file @param {number} at */
export const requireReferenceAt = (file, at) =>
  (referenceAt(file, at) ?? fail(at, 'a reference was expected')).number;

/**
 * Throws RangeError unless the value of a key is this name.
 * @param {Uint8Array} file @param {Map<string, number>} values @param {string} key @param {string} name
 */
export function requireName(file, values, key, name) {
  const at = values.get(key);
  if (at === undefined || canonicalAt(file, at) !== `/"${name}"`) fail(at ?? 0, `${key} is not ${name}`);
}

/** Throws RangeError unless the four numbers enclose no area. @param {Uint8Array} file @param {number | undefined} at */
export function requireEmptyRectangle(file, at) {
  const numbers = at === undefined ? [] : itemsAt(file, at).map((item) => canonicalAt(file, item));
  const [left, bottom, right, top] = numbers;
  if (numbers.length !== 4 || left !== right || bottom !== top) fail(at ?? 0, 'a rectangle that can be seen');
}
