// Plain JavaScript, as everything that text-task.js loads.
import { isUtf8 } from 'node:buffer';

/** Longest piece of text, in bytes or UTF-16 code units. */
const PIECE = 64 * 1024;

const BYTE_ORDER_MARKS = /** @type {const} */ ([
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]);

/** By the byte order mark, UTF-8, or, where that does not fit, the encoding that the file declares. */
function encodingOf(/** @type {Uint8Array} */ bytes, /** @type {string} */ declared) {
  const mark = BYTE_ORDER_MARKS.find(([, first, second]) => bytes[0] === first && bytes[1] === second);
  if (mark) return mark[0];
  return isUtf8(bytes) ? 'utf-8' : supportedEncoding(declared);
}

function supportedEncoding(/** @type {string} */ label) {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'windows-1252';
  }
}

/**
 * The decoded text, in pieces, so that a large file is never in memory twice.
 * @param {Uint8Array} bytes
 * @returns {Generator<string>}
 */
export function* textIn(bytes, declared = 'windows-1252') {
  const decoder = new TextDecoder(encodingOf(bytes, declared));
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  yield decoder.decode();
}

/**
 * @param {string} text
 * @returns {Generator<string>}
 */
export function* inPieces(text) {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** The encoding that a web page declares in its first kilobyte (HTML §4.2.5.4). */
export const charsetOf = (/** @type {Uint8Array} */ bytes) =>
  /<meta[^>]+charset\s*=\s*["']?([\w-]{1,40})/i.exec(
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1'),
  )?.[1];
