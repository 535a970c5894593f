// Plain JavaScript, as everything that text-task.js loads.
import { legacyEncoding } from './legacy.js';
import { endOfText, markedEncoding, textKind } from './text-kind.js';

/** Longest piece of text, in bytes or UTF-16 code units. */
const PIECE = 64 * 1024;

/**
 * The encoding of a text file, as a label of TextDecoder: by what its bytes show (text-kind.js), else the one that it
 * declares, else by statistics: also where it declares UTF-8 and is not.
 * @param {Uint8Array} bytes
 * @param {string} [declared]
 * @returns {Promise<string>}
 */
export async function encodingOf(bytes, declared) {
  const kind = markedEncoding(bytes) ?? textKind(bytes);
  if (kind && kind !== 'legacy') return kind;
  const label = supportedEncoding(declared);
  return label === undefined || label === 'utf-8' ? legacyEncoding(bytes) : label;
}

/** The encoding of an XML file: by its byte order mark, its declaration, else UTF-8 (XML 1.0 §4.3.3). */
export const xmlEncodingOf = (/** @type {Uint8Array} */ bytes) =>
  markedEncoding(bytes) ?? supportedEncoding(declaredIn(bytes)) ?? 'utf-8';

/** The label of TextDecoder for a declared one; none for UTF-16, which the bytes themselves show. */
function supportedEncoding(/** @type {string | undefined} */ label) {
  try {
    const { encoding } = new TextDecoder(label ?? 'none');
    return encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/**
 * The decoded text, in pieces, so that a large file is never in memory twice. Every call of the decoder says that more
 * follows: otherwise that of Node 20 reads windows-1252 as ISO-8859-1, without € and quotation marks.
 * @param {Uint8Array} bytes
 * @param {string} encoding
 * @returns {Generator<string>}
 */
export function* decoded(bytes, encoding) {
  const decoder = new TextDecoder(encoding);
  const end = encoding.startsWith('utf-16') ? bytes.length : endOfText(bytes);
  for (let at = 0; at < end; at += PIECE)
    yield decoder.decode(bytes.subarray(at, Math.min(at + PIECE, end)), { stream: true });
  yield decoder.decode();
}

/**
 * @param {string} text
 * @returns {Generator<string>}
 */
export function* inPieces(text) {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** Controls that no text has are letters and signs of Windows-1252, which the decoder of Node 20 leaves so. */
export const withoutControls = (/** @type {string} */ text) =>
  text.replace(/[\x80-\x9f]/g, (control) =>
    new TextDecoder('windows-1252').decode(Uint8Array.of(control.charCodeAt(0)), { stream: true }),
  );

/** The encoding that a web page (HTML §4.2.5.4) or an XML file (XML 1.0 §2.8) declares in its first kilobyte. */
export function declaredIn(/** @type {Uint8Array} */ bytes) {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  const match =
    /<\?xml[^>]{1,200}encoding\s*=\s*["']([\w-]{1,40})/i.exec(head) ??
    /<meta[^>]+charset\s*=\s*["']?([\w-]{1,40})/i.exec(head);
  return match?.[1];
}
