// Plain JavaScript, as everything that text-task.js loads. Offsets are those of the ZIP specification (APPNOTE.TXT) §4.3.
import { Unreadable } from '../../child/text-collect.js';

/** @typedef {{ name: string, method: number, packed: number, size: number, offset: number }} Entry sizes in bytes; `size` is that of the content */

const MAX_ENTRIES = 20_000;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const IN_ZIP64 = 0xff_ff_ff_ff;
const UTF_8 = 0x08_00;

/**
 * How names of entries are compared (ECMA-376 part 2 §6.2.2): without case, `\` is `/`, and escapes of URIs are decoded.
 * @param {string} name
 */
export function entryKey(name) {
  const path = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The entries of an archive by key, of several with one key the first. Throws Unreadable for one of more than 20,000
 * entries, and RangeError where it is broken.
 * @param {DataView} view
 */
export function readDirectory(view) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const { count, start } = findDirectory(view);
  if (count > MAX_ENTRIES) throw new Unreadable('It is an archive of more than 20,000 entries.');
  for (let at = start, index = 0; index < count; index++) {
    require(view, at, 0x02_01_4b_50);
    const entry = readEntry(view, at);
    const key = entryKey(entry.name);
    if (!entries.has(key)) entries.set(key, entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Where the packed bytes of an entry begin. Throws RangeError. */
export function contentStart(/** @type {DataView} */ view, /** @type {Entry} */ { offset }) {
  require(view, offset, 0x04_03_4b_50);
  return offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
}

/** Reads the end record, which a comment may follow, or the ZIP64 one before it. */
function findDirectory(/** @type {DataView} */ view) {
  let at = view.byteLength - END_LENGTH;
  const first = Math.max(at - MAX_COMMENT, 0);
  while (view.getUint32(at, true) !== 0x06_05_4b_50) if (--at < first) throw new RangeError('no directory');
  if (at < 20 || view.getUint32(at - 20, true) !== 0x07_06_4b_50)
    return { count: view.getUint16(at + 10, true), start: view.getUint32(at + 16, true) };
  const end = readLong(view, at - 12);
  require(view, end, 0x06_06_4b_50);
  return { count: readLong(view, end + 32), start: readLong(view, end + 48) };
}

function readEntry(/** @type {DataView} */ view, /** @type {number} */ at) {
  const nameLength = view.getUint16(at + 28, true);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength);
  const encoding = view.getUint16(at + 8, true) & UTF_8 ? 'utf-8' : 'latin1';
  const long = longFields(view, at + 46 + nameLength, view.getUint16(at + 30, true));
  const field = (/** @type {number} */ from) => {
    const value = view.getUint32(at + from, true);
    return value === IN_ZIP64 ? long() : value;
  };
  const size = field(24);
  const packed = field(20);
  const method = view.getUint16(at + 10, true);
  return { name: new TextDecoder(encoding).decode(name), method, packed, size, offset: field(42) };
}

/** Returns a function with the next value of the ZIP64 field at each call (§4.5.3). */
function longFields(/** @type {DataView} */ view, /** @type {number} */ start, /** @type {number} */ length) {
  let at = start;
  while (at < start + length && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  if (at >= start + length) return () => IN_ZIP64;
  at -= 4;
  return () => {
    at += 8;
    return readLong(view, at);
  };
}

const readLong = (/** @type {DataView} */ view, /** @type {number} */ at) =>
  Number(view.getBigUint64(at, true));

function require(/** @type {DataView} */ view, /** @type {number} */ at, /** @type {number} */ signature) {
  if (view.getUint32(at, true) !== signature) throw new RangeError('another record is expected');
}
