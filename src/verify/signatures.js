// Plain JavaScript, for servers and browsers.

import { readElement } from '../lib/der.js';
import { SealBroken } from './seal-broken.js';

/** A file, and its bytes as characters. @typedef {{ bytes: Uint8Array, text: string }} File */

/**
 * A signature in a file: its dictionary, offsets of the gap for it and of the end of what it covers, and its bytes.
 * @typedef {{ dictionary: string, gap: { start: number, end: number }, end: number, message: Uint8Array }} Found
 */

/** Characters that a signature may take, and signatures of a file. */
const MAX_GAP = 2 ** 20;
const MAX_SIGNATURES = 100;

const RANGE = /\/ByteRange\s*\[\s*0\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s*\]/g;

/** The signatures whose ranges leave out nothing but themselves. @param {File} file @returns {Found[]} */
export function signaturesOf({ bytes, text }) {
  const ranges = [...text.matchAll(RANGE)];
  if (ranges.length > MAX_SIGNATURES) throw new SealBroken(`there are ${ranges.length} signatures`);
  return ranges.flatMap((match) => {
    const [start, next, length] = /** @type {[number, number, number]} */ (match.slice(1).map(Number));
    const at = match.index;
    const end = next + length;
    if (at >= start || end > bytes.length || next - start > MAX_GAP) return [];
    if (!/^<(?:[0-9a-fA-F]{2})*>$/.test(text.slice(start, next))) return [];
    const dictionary =
      text.slice(text.lastIndexOf(' obj', at), start) + text.slice(next, text.indexOf('endobj', next));
    return { dictionary, gap: { start, end: next }, end, message: fromHex(text.slice(start + 1, next - 1)) };
  });
}

/** @param {string} digits */
export const fromHex = (digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );

/** @param {Uint8Array} bytes @param {Pick<Found, 'gap' | 'end'>} found */
export const covered = (bytes, { gap, end }) => [bytes.subarray(0, gap.start), bytes.subarray(gap.end, end)];

/** The reserved space is as large as the signature could become; the rest of it must be zeros. @param {Uint8Array} gap */
export function withoutPadding(gap) {
  const { bytes } = readElement(gap);
  if (gap.subarray(bytes.length).some((byte) => byte !== 0))
    throw new SealBroken('unexpected bytes follow the signature');
  return bytes;
}
