// Plain JavaScript, as everything that text-task.js loads.

/** The part of a file by which its byte order is decided, in bytes. */
const SAMPLE = 64 * 1024;

/** No text has these: controls (but for blanks and escapes), and what the decoder makes of half a pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/;

/** What is hardly found in a text: private and unassigned characters. */
const IMPLAUSIBLE = /[\p{Cn}\p{Co}]/u;

/** Characters that nearly every text has some of: ASCII, and the blanks, signs and syllables of East Asian texts. */
const COMMON = /[\t\n\r\x20-\x7e\u3000-\u30ff]/g;
const LEAST_COMMON = 0.05;

/** Characters of two bytes of ASCII: text in ASCII that is taken for UTF-16 consists of them. */
const TWO_OF_ASCII = /[\u2020-\u7e7e]/g;
const MOST_OF_ASCII = 0.6;

/** The beginning of the text, without padding; a pair that is cut off is left out. */
function sampleOf(/** @type {Uint8Array} */ bytes, /** @type {string} */ encoding) {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE), { stream: true });
  let end = text.length;
  while (text[end - 1] === '\0' || text[end - 1] === '\x1a') end--;
  return text.slice(0, end);
}

/** Whether bytes with a byte order mark are text. */
export const isUtf16Text = (/** @type {Uint8Array} */ bytes, /** @type {string} */ encoding) =>
  !BINARY.test(sampleOf(bytes, encoding));

/** The share of common characters, 0 for what is no text. */
function plausibility(/** @type {Uint8Array} */ bytes, /** @type {string} */ encoding) {
  const text = sampleOf(bytes, encoding);
  if (text === '' || BINARY.test(text) || IMPLAUSIBLE.test(text)) return 0;
  const ascii = (text.match(TWO_OF_ASCII) ?? []).filter(isTwoOfAscii).length;
  if (ascii > text.length * MOST_OF_ASCII) return 0;
  return (text.match(COMMON) ?? []).length / text.length;
}

function isTwoOfAscii(/** @type {string} */ character) {
  const low = character.charCodeAt(0) & 0xff;
  return low >= 0x20 && low < 0x7f;
}

/**
 * The byte order of UTF-16 without a mark, of bytes that contain NUL; null where they are not UTF-16.
 * @param {Uint8Array} bytes
 * @returns {'utf-16le' | 'utf-16be' | null}
 */
export function utf16Order(bytes) {
  if (bytes.length % 2 === 1 && bytes.length < SAMPLE) return null;
  const little = plausibility(bytes, 'utf-16le');
  const big = plausibility(bytes, 'utf-16be');
  if (Math.max(little, big) < LEAST_COMMON) return null;
  return little >= big ? 'utf-16le' : 'utf-16be';
}
