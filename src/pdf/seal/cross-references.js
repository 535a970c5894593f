// Plain JavaScript without Node, so that it also runs in a browser.

import {
  dictionaryAt,
  fail,
  integerAt,
  referenceAt,
  skipKeyword,
  skipValue,
  skipWhite,
  textOf,
} from './object-syntax.js';

/**
 * A table of a file: the offset of its first entry for each run of numbers, its trailer, and where both are.
 * @typedef {{ runs: { first: number, count: number, entries: number }[], values: Map<string, number>, start: number, end: number }} Table
 */

/**
 * The tables of a file, the newest first.
 * @typedef {{ file: Uint8Array, tables: Table[], newest: Table }} References
 */

/** Bytes of an entry, with its end of line (ISO 32000-2 §7.5.4). */
const ENTRY = 20;

const TRAILER_KEYS = new Set(['Size', 'Root', 'Info', 'ID', 'Prev']);

/**
 * Reads the cross-reference tables of a file (ISO 32000-2 §7.5.4 to §7.5.6): the last one, and by /Prev those before it, each of
 * which must end where a later one has not begun. Throws RangeError, also for cross-reference streams and encrypted files.
 * @param {Uint8Array} file @returns {References}
 */
export function readReferences(file) {
  const newest = tableAt(file, startOfLast(file), file.length);
  const tables = [newest];
  for (let table = newest, at = table.values.get('Prev'); at !== undefined; at = table.values.get('Prev')) {
    table = tableAt(file, integerAt(file, at).value, table.start);
    tables.push(table);
  }
  return { file, tables, newest };
}

/** @param {Uint8Array} file */
function startOfLast(file) {
  const text = textOf(file, Math.max(0, file.length - 40), file.length);
  const match = /startxref[\r\n ]{1,2}(\d{1,10})[\r\n ]{1,2}%%EOF[\r\n]{0,2}$/.exec(text);
  return match ? Number(match[1]) : fail(file.length, 'the file does not end with startxref and %%EOF');
}

/** @param {Uint8Array} file @param {number} start @param {number} limit where it must have ended @returns {Table} */
function tableAt(file, start, limit) {
  if (start >= limit) fail(start, 'a cross-reference table that is not before the later one');
  /** @type {Table['runs']} */
  const runs = [];
  let at = skipWhite(file, skipKeyword(file, start, 'xref'));
  while (file[at] !== 't'.charCodeAt(0)) {
    const first = integerAt(file, at);
    const count = integerAt(file, skipWhite(file, first.end));
    const entries = skipWhite(file, count.end);
    runs.push({ first: first.value, count: count.value, entries });
    at = skipWhite(file, entries + ENTRY * count.value);
    if (count.value === 0) fail(entries, 'a part of a cross-reference table without entries');
    if (at >= limit) fail(start, 'a cross-reference table beyond its end');
  }
  const { values, end } = dictionaryAt(file, skipWhite(file, skipKeyword(file, at, 'trailer')));
  if (end > limit) fail(start, 'a trailer beyond its end');
  for (const key of values.keys()) if (!TRAILER_KEYS.has(key)) fail(at, `the trailer has ${key}`);
  return { runs, values, start, end };
}

/**
 * The offset of the value of an object, by the newest table that has it; undefined if none has.
 * @param {References} references @param {number} number
 */
export function findObject({ file, tables }, number) {
  for (const { runs } of tables) {
    const run = runs.find(({ first, count }) => number >= first && number < first + count);
    if (run) return valueAtEntry(file, number, run.entries + ENTRY * (number - run.first));
  }
  return undefined;
}

/** @param {Uint8Array} file @param {number} number @param {number} entry offset of its entry */
function valueAtEntry(file, number, entry) {
  const match = /^(\d{10}) 00000 n[ \r]\n$/.exec(textOf(file, entry, Math.min(entry + ENTRY, file.length)));
  if (!match) return fail(entry, `the entry of object ${number} is not one of an object in use`);
  const start = Number(match[1]);
  return skipWhite(file, skipKeyword(file, start, `${number} 0 obj`));
}

/**
 * The offset of the value of an object, and after it. Throws RangeError if it does not exist, or is a stream.
 * @param {References} references @param {number} number
 */
export function requireObject(references, number) {
  const { file } = references;
  const start = findObject(references, number) ?? fail(0, `there is no object ${number}`);
  const end = skipValue(file, start);
  skipKeyword(file, skipWhite(file, end), 'endobj');
  return { start, end };
}

/**
 * The number of the object that a key refers to. Throws RangeError for a key that does not exist, or has another value.
 * @param {Uint8Array} file @param {Map<string, number>} values @param {string} key
 */
export function requireReference(file, values, key) {
  const at = values.get(key) ?? fail(0, `there is no ${key}`);
  return (referenceAt(file, at) ?? fail(at, `${key} is not a reference`)).number;
}
