// Plain JavaScript, as everything that text-task.js loads.
import { stripVTControlCharacters } from 'node:util';
import { declaredIn, decoded, encodingOf } from '../encoding/decode.js';
import { addHtml, addXml } from '../markup/text-markup.js';

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */
/** @typedef {(collector: TextCollector, bytes: Uint8Array) => Promise<void>} Reader adds the text of a file. Throws TextFull and Unreadable */

/** Longest sequence that tells a terminal a color or position, in characters. */
const LONGEST_ESCAPE = 32;

/** @type {Reader} */
export async function addPlain(collector, bytes) {
  for (const text of withoutEscapes(decoded(bytes, await encodingOf(bytes)))) collector.add(text);
}

/**
 * Lines that are folded, as those of calendars and cards (RFC 5545 §3.1, §3.3.11, RFC 6350 §3.2): a line that begins with a
 * blank continues the one before, and `\n`, `\,` and `\;` are characters.
 * @type {Reader}
 */
export async function addFolded(collector, bytes) {
  for (const piece of inWhole(decoded(bytes, await encodingOf(bytes)), /[\r\n\\][\r\n]?$/))
    collector.add(
      piece.replace(/\r?\n[ \t]/g, '').replace(/\\([nN,;\\])/g, (_, sign) => (/n/i.test(sign) ? '\n' : sign)),
    );
}

/** @type {Reader} */
export async function addHtmlFile(collector, bytes) {
  addHtml(collector, decoded(bytes, await encodingOf(bytes, declaredIn(bytes))));
}

/** @type {Reader} */
export async function addXmlFile(collector, bytes) {
  addXml(collector, decoded(bytes, await encodingOf(bytes, declaredIn(bytes))));
}

/** Without the sequences that color a log (ECMA-48 §5.4). */
function* withoutEscapes(/** @type {Iterable<string>} */ pieces) {
  for (const piece of inWhole(pieces, new RegExp(`\\x1b[^\\x1b]{0,${LONGEST_ESCAPE}}$`)))
    yield piece.includes('\x1b') ? stripVTControlCharacters(piece) : piece;
}

/**
 * The pieces of a text, of which none ends with the pattern, as far as it is not at the end of the text: what matches waits for
 * the next piece.
 * @param {Iterable<string>} pieces
 * @param {RegExp} unfinished
 */
function* inWhole(pieces, unfinished) {
  let rest = '';
  for (const piece of pieces) {
    const text = rest + piece;
    rest = unfinished.exec(text)?.[0] ?? '';
    yield text.slice(0, text.length - rest.length);
  }
  yield rest;
}
