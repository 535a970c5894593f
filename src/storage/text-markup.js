// Plain JavaScript, as all that text-worker.js loads.
import { Parser } from 'htmlparser2';
import { Unreadable } from './text-collect.js';

/** @typedef {import('./text-collect.js').TextCollector} TextCollector */
/** @typedef {{ open?: (name: string, attributes: Record<string, string>) => void, close?: (name: string) => void, text?: (text: string) => void }} Listener */

const DEEPEST = 1_000;
const PIECE = 64 * 1024;

const BYTE_ORDER_MARKS = /** @type {const} */ ([
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]);

/** Bytes as text: by their byte order mark, as UTF-8, or, where that does not fit, as what is said or Windows-1252. */
export function decode(/** @type {Uint8Array} */ bytes, said = 'windows-1252') {
  const marked = BYTE_ORDER_MARKS.find(([, first, second]) => bytes[0] === first && bytes[1] === second);
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(known(said)).decode(bytes);
  }
}

function known(/** @type {string} */ label) {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'windows-1252';
  }
}

/**
 * Tells the listener of elements, by their names without prefix, and of text. Reads no document type: entities are the
 * five of XML, or those of HTML, and nothing outside is asked for. Throws Unreadable for markup that is nested too deep.
 *
 * @param {string} source
 * @param {Listener} listener
 * @param {{ xmlMode: boolean }} mode
 */
function walk(source, { open, close, text }, mode) {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > DEEPEST) throw new Unreadable('Its elements are nested too deep.');
        open?.(local(name), attributes);
      },
      onclosetag(name) {
        depth--;
        close?.(local(name));
      },
      ontext: (part) => text?.(part),
    },
    mode,
  );
  // In pieces, so that no run of text is handed on that is longer than one of them.
  for (let at = 0; at < source.length; at += PIECE) parser.write(source.slice(at, at + PIECE));
  parser.end();
}

const local = (/** @type {string} */ name) => name.slice(name.indexOf(':') + 1);

/** @param {Uint8Array} bytes @param {Listener} listener */
export const walkXml = (bytes, listener) => walk(decode(bytes, 'utf-8'), listener, { xmlMode: true });

const UNSEEN = new Set(['script', 'style', 'template', 'noscript']);
const CELLS = new Set(['td', 'th']);
const LINES = new Set(
  'address article aside blockquote br caption dd div dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav option p pre section table title tr'.split(
    ' ',
  ),
);

/** The text of a web page as a reader sees it: no scripts, a line for each block. */
export function addHtml(/** @type {TextCollector} */ collector, /** @type {string} */ source) {
  let unseen = 0;
  walk(
    source,
    {
      open(name) {
        if (UNSEEN.has(name)) unseen++;
        else if (LINES.has(name)) collector.add('\n');
        else if (CELLS.has(name)) collector.add('\t');
      },
      close(name) {
        if (UNSEEN.has(name)) unseen--;
        else if (LINES.has(name)) collector.add('\n');
      },
      text(text) {
        if (unseen === 0) collector.add(text);
      },
    },
    { xmlMode: false },
  );
}

/** What a page says of its encoding in its first kilobyte (HTML §4.2.5.4). */
export const charsetOf = (/** @type {Uint8Array} */ bytes) =>
  /<meta[^>]+charset\s*=\s*["']?([\w-]{1,40})/i.exec(
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1'),
  )?.[1];

/** The text between the tags of any XML. */
export const addXml = (/** @type {TextCollector} */ collector, /** @type {Uint8Array} */ bytes) =>
  walkXml(bytes, { text: (text) => collector.add(text), close: () => collector.add(' ') });
