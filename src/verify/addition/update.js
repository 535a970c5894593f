// Plain JavaScript, for servers and browsers.

import { readReferences } from '../../pdf/seal/cross-references.js';
import {
  dictionaryAt,
  fail,
  integerAt,
  skipKeyword,
  skipValue,
  skipWhite,
  textOf,
} from '../../pdf/seal/object-syntax.js';
import { isDictionary } from './value.js';

/** @typedef {import('../../pdf/seal/cross-references.js').References} References */

/** Offsets of `N 0 obj` and of its value. @typedef {{ start: number, value: number }} UpdatedObject */

/**
 * An update of a file: its objects by their numbers, the tables before and after it, and the offset after it.
 * @typedef {{ objects: Map<number, UpdatedObject>, before: References, after: References, end: number }} AppendedUpdate
 */

/** All numbers of objects of a file are below this. @param {References} references */
export const sizeOf = ({ file, newest }) =>
  integerAt(file, newest.values.get('Size') ?? fail(newest.start, 'a trailer without Size')).value;

/**
 * Reads the incremental update (ISO 32000-2 §7.5.6) that begins at `from`, by any program: objects one after the other, a
 * cross-reference table that has exactly these, and a trailer. Each byte belongs to one of them, or is white space or a comment
 * between them, so that no reader can find anything else in it. Throws RangeError for another update, also for one with a
 * cross-reference stream.
 * @param {Uint8Array} file @param {number} from @returns {AppendedUpdate}
 */
export function readAppendedUpdate(file, from) {
  const { objects, end: table } = objectsAt(file, from);
  const end = endAfter(file, table);
  const before = readReferences(file.subarray(0, from));
  const after = readReferences(file.subarray(0, end));
  const { start, values, end: trailer } = after.newest;
  const previous = integerAt(file, values.get('Prev') ?? fail(start, 'a trailer without Prev')).value;
  if (start !== table || previous !== before.newest.start) fail(start, 'the tables do not follow each other');
  skipKeyword(file, skipBetween(file, trailer), 'startxref');
  requireListed(after, objects);
  let size = sizeOf(before);
  for (const number of objects.keys()) size = Math.max(size, number + 1);
  if (sizeOf(after) !== size) fail(start, 'Size is not that of the objects');
  return { objects, before, after, end };
}

/** @param {Uint8Array} file @param {number} from */
function objectsAt(file, from) {
  /** @type {Map<number, UpdatedObject>} */
  const objects = new Map();
  let at = skipBetween(file, from);
  while (file[at] !== 'x'.charCodeAt(0)) {
    const number = integerAt(file, at);
    if (objects.has(number.value)) fail(at, `object ${number.value} is there twice`);
    const value = skipWhite(file, skipKeyword(file, at, `${number.value} 0 obj`));
    const stream = streamAt(file, value);
    const end = stream ? skipKeyword(file, skipWhite(file, stream.end), 'endstream') : skipValue(file, value);
    objects.set(number.value, { start: at, value });
    at = skipBetween(file, skipKeyword(file, skipWhite(file, end), 'endobj'));
  }
  return { objects, end: at };
}

/** The content of a stream (§7.3.8.1), undefined for another object. @param {Uint8Array} file @param {number} value */
export function streamAt(file, value) {
  if (!isDictionary(file, value)) return undefined;
  const { values, end } = dictionaryAt(file, value);
  const at = skipWhite(file, end);
  if (textOf(file, at, Math.min(at + 6, file.length)) !== 'stream') return undefined;
  const [first, second] = [file[at + 6], file[at + 7]];
  const start = first === 10 ? at + 7 : first === 13 && second === 10 ? at + 8 : fail(at, 'a line must end');
  const length = integerAt(file, values.get('Length') ?? fail(value, 'a stream without Length')).value;
  return { start, end: start + length };
}

/** The offset after white space and comments. @param {Uint8Array} file @param {number} from */
function skipBetween(file, from) {
  let at = skipWhite(file, from);
  while (file[at] === '%'.charCodeAt(0)) {
    while (at < file.length && file[at] !== 10 && file[at] !== 13) at++;
    at = skipWhite(file, at);
  }
  return at;
}

/** The offset after the first end-of-file marker (§7.5.5), and its end of line. @param {Uint8Array} file @param {number} from */
function endAfter(file, from) {
  for (let at = from; at + 5 <= file.length; at++) {
    if (file[at] !== '%'.charCodeAt(0) || textOf(file, at, at + 5) !== '%%EOF') continue;
    const end = at + 5;
    if (file[end] === 13) return file[end + 1] === 10 ? end + 2 : end + 1;
    return file[end] === 10 ? end + 1 : end;
  }
  return fail(from, '%%EOF was expected');
}

/** Throws RangeError unless the newest table has these objects and no others. @param {References} references @param {AppendedUpdate['objects']} objects */
function requireListed({ file, newest }, objects) {
  let listed = 0;
  for (const { first, count, entries } of newest.runs)
    for (let index = 0; index < count; index++) {
      const at = entries + 20 * index;
      const entry = textOf(file, at, at + 20);
      const number = first + index;
      if (!/ [fn](?: \r| \n|\r\n)$/.test(entry)) fail(at, 'an entry of another length');
      if (number === 0 && entry.startsWith('0000000000 65535 f')) continue;
      const offset = String(objects.get(number)?.start).padStart(10, '0');
      if (!entry.startsWith(`${offset} 00000 n`))
        fail(at, `the entry of object ${number} is not that of its offset`);
      listed++;
    }
  if (listed !== objects.size) fail(newest.start, 'the table has not all objects, or one of them twice');
}
