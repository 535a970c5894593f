// Plain JavaScript without Node, so that it also runs in a browser.

/**
 * A strict reader of PDF objects (ISO 32000-2 §7.3) as pdf-lib writes them, without comments. Offsets are those of the file. All
 * functions throw a RangeError for anything else. Each takes time linear in the length of what it reads.
 */

/** Arrays and dictionaries within one another. */
const MAX_DEPTH = 50;

/** Entries of a dictionary that is read; those of others are only counted. */
const MAX_ENTRIES = 100_000;

const [TAB, LINE_FEED, FORM_FEED, RETURN, SPACE] = [9, 10, 12, 13, 32];
const WHITE = new Set([0, TAB, LINE_FEED, FORM_FEED, RETURN, SPACE]);

/** @param {string} text */
const code = (text) => text.charCodeAt(0);
const [OPEN, CLOSE, LESS, GREATER, SLASH, BACKSLASH] = [...'()<>/\\'].map(code);
const [ARRAY, ARRAY_END] = [...'[]'].map(code);
const HEX = new Set([...'0123456789abcdefABCDEF'].map(code));
const DELIMITERS = new Set([...'()<>[]{}/%'].map(code));

/** @param {number} at @param {string} problem @returns {never} */
export function fail(at, problem) {
  throw new RangeError(`PDF, byte ${at}: ${problem}`);
}

/** Arguments of one call. */
const CHUNK = 8_192;

/** The text of these bytes, one character each. @param {Uint8Array} file @param {number} start @param {number} end */
export function textOf(file, start, end) {
  let text = '';
  for (let at = start; at < end; at += CHUNK)
    text += String.fromCharCode(...file.subarray(at, Math.min(at + CHUNK, end)));
  return text;
}

/** The bytes of a text of such characters. @param {string} text */
export function bytesOf(text) {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** @param {Uint8Array} file @param {number} at */
export function skipWhite(file, at) {
  let next = at;
  while (WHITE.has(file[next] ?? -1)) next++;
  return next;
}

/** The offset after this keyword. @param {Uint8Array} file @param {number} at @param {string} keyword */
export function skipKeyword(file, at, keyword) {
  const end = at + keyword.length;
  if (textOf(file, at, Math.min(end, file.length)) !== keyword || isRegular(file[end]))
    fail(at, `${keyword} was expected`);
  return end;
}

/** @param {number | undefined} byte */
const isRegular = (byte) => byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte);

/** @param {Uint8Array} file @param {number} at */
function skipRegular(file, at) {
  let next = at;
  while (isRegular(file[next])) next++;
  return next;
}

/** A non-negative integer, and the offset after it. @param {Uint8Array} file @param {number} at */
export function integerAt(file, at) {
  const end = skipRegular(file, at);
  if (end === at || end - at > 10 || !/^\d+$/.test(textOf(file, at, end)))
    fail(at, 'an integer was expected');
  return { value: Number(textOf(file, at, end)), end };
}

/**
 * The number of the object that an indirect reference names, and the offset after it; undefined for another value. The
 * generation must be 0, as it is in files that were written anew.
 * @param {Uint8Array} file @param {number} at
 */
export function referenceAt(file, at) {
  const match = /^(\d{1,10}) 0 R(?![^\s()<>[\]{}/%])/.exec(textOf(file, at, Math.min(at + 20, file.length)));
  return match ? { number: Number(match[1]), end: at + match[0].length } : undefined;
}

/** The offset after the value that begins here. @param {Uint8Array} file @param {number} at @returns {number} */
export function skipValue(file, at, depth = 0) {
  if (depth > MAX_DEPTH) fail(at, 'too many nested objects');
  const byte = file[at];
  if (byte === OPEN) return skipString(file, at);
  if (byte === SLASH) return skipRegular(file, at + 1);
  if (byte === ARRAY) return arrayAt(file, at, depth).end;
  if (byte === LESS)
    return file[at + 1] === LESS ? skipDictionary(file, at, undefined, depth) : skipHexString(file, at);
  const reference = referenceAt(file, at);
  if (reference) return reference.end;
  const end = skipRegular(file, at);
  const isKnown =
    end > at && end - at < 40 && /^([+-]?\d*\.?\d*|true|false|null)$/.test(textOf(file, at, end));
  return isKnown ? end : fail(at, 'an object was expected');
}

/** @param {Uint8Array} file @param {number} start */
function skipString(file, start) {
  let open = 0;
  for (let at = start; at < file.length; at++) {
    const byte = file[at];
    if (byte === BACKSLASH) at++;
    else if (byte === OPEN) open++;
    else if (byte === CLOSE && --open === 0) return at + 1;
  }
  return fail(start, 'a string without an end');
}

/** @param {Uint8Array} file @param {number} start */
function skipHexString(file, start) {
  let at = start + 1;
  while (HEX.has(file[at] ?? -1) || WHITE.has(file[at] ?? -1)) at++;
  return file[at] === GREATER ? at + 1 : fail(at, 'a hexadecimal digit was expected');
}

/**
 * An array: its length, the offsets of its last item, of its `]`, and after it.
 * @param {Uint8Array} file @param {number} start
 * @returns {{ count: number, last: number | undefined, close: number, end: number }}
 */
export function arrayAt(file, start, depth = 0) {
  if (file[start] !== ARRAY) fail(start, 'an array was expected');
  let [count, last] = [0, /** @type {number | undefined} */ (undefined)];
  let at = skipWhite(file, start + 1);
  while (file[at] !== ARRAY_END) {
    [count, last] = [count + 1, at];
    at = skipWhite(file, skipValue(file, at, depth + 1));
  }
  return { count, last, close: at, end: at + 1 };
}

/**
 * A dictionary: the offsets of its values by their keys, and after it.
 * @param {Uint8Array} file @param {number} start
 * @returns {{ values: Map<string, number>, end: number }}
 */
export function dictionaryAt(file, start) {
  /** @type {Map<string, number>} */
  const values = new Map();
  const end = skipDictionary(file, start, (key, at) => {
    if (values.has(key)) fail(at, `the key ${key} is there twice`);
    if (values.size >= MAX_ENTRIES) fail(at, 'too many keys');
    values.set(key, at);
  });
  return { values, end };
}

/**
 * The offset after a dictionary.
 * @param {Uint8Array} file @param {number} start @param {(key: string, at: number) => void} [onEntry]
 */
function skipDictionary(file, start, onEntry, depth = 0) {
  if (file[start] !== LESS || file[start + 1] !== LESS) fail(start, 'a dictionary was expected');
  let at = skipWhite(file, start + 2);
  while (file[at] !== GREATER) {
    if (file[at] !== SLASH) fail(at, 'a key was expected');
    const end = skipRegular(file, at + 1);
    const value = skipWhite(file, end);
    onEntry?.(nameOf(file, at + 1, end), value);
    at = skipWhite(file, skipValue(file, value, depth + 1));
  }
  return file[at + 1] === GREATER ? at + 2 : fail(at, 'the end of a dictionary was expected');
}

/** A name, whose characters may be written as # and two digits (§7.3.5). @param {Uint8Array} file @param {number} start @param {number} end */
export function nameOf(file, start, end) {
  if (end - start > 1_000) fail(start, 'a long key');
  return textOf(file, start, end).replace(/#([0-9a-fA-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
