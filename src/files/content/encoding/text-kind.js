// Plain JavaScript, as everything that text-task.js loads.
import { isUtf8 } from 'node:buffer';
import { isUtf16Text, utf16Order } from './utf-16.js';

/** @typedef {'utf-8' | 'utf-16le' | 'utf-16be' | 'iso-2022-jp' | 'legacy'} Kind `legacy`: one of the encodings that only statistics tell apart */

const BYTE_ORDER_MARKS = /** @type {const} */ ([
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]);

const NUL = 0;
/** What CP/M and DOS write at the end of a text. */
const END_OF_FILE = 0x1a;

/** Escape sequences that select JIS X 0208 (ISO-2022-JP, RFC 1468). */
const JAPANESE = ['\x1b$@', '\x1b$B'];

/** How many of the characters of a text that is mostly UTF-8 may be broken: half as many as those that are not ASCII. */
const GOOD_FOR_BROKEN = 2;

/** Piece of a text that is examined at a time, in bytes. */
const PIECE = 64 * 1024;

/** The position behind the last byte of the text: NUL and end marks after it are padding. */
export function endOfText(/** @type {Uint8Array} */ bytes) {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === NUL || bytes[end - 1] === END_OF_FILE)) end--;
  return end;
}

/** The encoding that the byte order mark says, if there is one. */
export const markedEncoding = (/** @type {Uint8Array} */ bytes) =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

/**
 * How bytes are to be read as text, or null for binary data: by the byte order mark; UTF-8 where it is valid, or broken in a
 * few places only; UTF-16; else a legacy encoding. The one decision of sniffing and reading. `cutOff`: more bytes follow.
 * @param {Uint8Array} bytes
 * @returns {Kind | null}
 */
export function textKind(bytes, cutOff = false) {
  const marked = markedEncoding(bytes);
  if (marked?.startsWith('utf-16')) return isUtf16Text(bytes, marked) ? marked : null;
  const text = cutOff ? bytes : bytes.subarray(0, endOfText(bytes));
  if (text.length === 0) return null;
  if (text.includes(NUL)) return utf16Order(bytes);
  if (hasBinaryData(text)) return null;
  if (marked) return marked;
  if (isUtf8(whole(text, cutOff))) return isJapanese(text) ? 'iso-2022-jp' : 'utf-8';
  return isMostlyUtf8(text, cutOff) ? 'utf-8' : 'legacy';
}

const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/**
 * The "binary data bytes" of WHATWG MIME Sniffing §3: control characters that no text contains, except the vertical tab,
 * which databases write into the fields of their exports.
 */
function hasBinaryData(/** @type {Uint8Array} */ bytes) {
  for (const byte of bytes) if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) return true;
  return false;
}

/** Without the character at the end of a head that continues behind it. */
function whole(/** @type {Uint8Array} */ bytes, /** @type {boolean} */ cutOff) {
  let end = bytes.length;
  if (!cutOff) return bytes;
  while (end > Math.max(bytes.length - 3, 0) && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : bytes.length);
}

function isJapanese(/** @type {Uint8Array} */ bytes) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return JAPANESE.some((sequence) => text.includes(sequence));
}

function isMostlyUtf8(/** @type {Uint8Array} */ bytes, /** @type {boolean} */ cutOff) {
  const decoder = new TextDecoder('utf-8');
  let good = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; at += PIECE) {
    const stream = cutOff || at + PIECE < bytes.length;
    for (const [run] of decoder.decode(bytes.subarray(at, at + PIECE), { stream }).matchAll(/[^\0-\x7f]+/g)) {
      const whole = run.replaceAll('\ufffd', '').length;
      good += whole;
      broken += run.length - whole;
    }
  }
  return good >= broken * GOOD_FOR_BROKEN;
}
