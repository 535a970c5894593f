// Plain JavaScript, as everything that text-task.js loads.
import { Parser } from 'htmlparser2';
import { Unreadable } from '../../child/text-collect.js';
import { textIn } from './text-encoding.js';

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */
/** @typedef {{ open?: (name: string, attributes: Record<string, string>) => void, close?: (name: string) => void, text?: (text: string) => void }} Listener */

const MAX_DEPTH = 1_000;
const MAX_ELEMENTS = 10_000_000;
const MAX_ATTRIBUTES = 10_000;

/**
 * Reports elements, by their local names, and text to the listener. Reads no document type: entities are the five of XML, or
 * those of HTML, and nothing external is loaded. Throws Unreadable for markup that is nested too deep,
 * or of too many elements or attributes.
 *
 * @param {Iterable<string>} source
 * @param {Listener} listener
 * @param {{ xmlMode: boolean }} mode
 */
function walk(source, { open, close, text }, mode) {
  let depth = 0;
  let elements = 0;
  let attributesOfOne = 0;
  const parser = new Parser(
    {
      onopentagname() {
        attributesOfOne = 0;
        if (++elements > MAX_ELEMENTS) throw new Unreadable('It has more than 10,000,000 elements.');
      },
      onattribute() {
        if (++attributesOfOne > MAX_ATTRIBUTES)
          throw new Unreadable('One of its elements has more than 10,000 attributes.');
      },
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new Unreadable('Its elements are nested too deep.');
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
  for (const piece of source) parser.write(piece);
  parser.end();
}

const local = (/** @type {string} */ name) => name.slice(name.indexOf(':') + 1);

/** @param {Uint8Array} bytes @param {Listener} listener */
export const walkXml = (bytes, listener) => walk(textIn(bytes, 'utf-8'), listener, { xmlMode: true });

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'template', 'noscript']);
const CELLS = new Set(['td', 'th']);
const LINES = new Set(
  'address article aside blockquote br caption dd div dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav option p pre section table title tr'.split(
    ' ',
  ),
);

/** The text of a web page as a reader sees it: no scripts, a line for each block. */
export function addHtml(/** @type {TextCollector} */ collector, /** @type {Iterable<string>} */ source) {
  let hiddenDepth = 0;
  walk(
    source,
    {
      open(name) {
        if (HIDDEN_ELEMENTS.has(name)) hiddenDepth++;
        else if (LINES.has(name)) collector.add('\n');
        else if (CELLS.has(name)) collector.add('\t');
      },
      close(name) {
        if (HIDDEN_ELEMENTS.has(name)) hiddenDepth--;
        else if (LINES.has(name)) collector.add('\n');
      },
      text(text) {
        if (hiddenDepth === 0) collector.add(text);
      },
    },
    { xmlMode: false },
  );
}

/** The text between the tags of any XML. */
export const addXml = (/** @type {TextCollector} */ collector, /** @type {Uint8Array} */ bytes) =>
  walkXml(bytes, { text: (text) => collector.add(text), close: () => collector.add(' ') });
