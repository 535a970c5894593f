// Plain JavaScript, as everything that text-task.js loads.
import { Parser } from 'htmlparser2';
import { Unreadable } from '../../child/text-collect.js';
import { decoded, xmlEncodingOf } from '../encoding/decode.js';

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */
/** @typedef {{ open?: (name: string, attributes: Record<string, string>, qualified: string) => void, close?: (name: string) => void, text?: (text: string) => void }} Listener */

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
        open?.(local(name), attributes, name);
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

/** The value of the attribute with this local name. */
export function attributeOf(/** @type {Record<string, string>} */ attributes, /** @type {string} */ name) {
  for (const key in attributes) if (local(key) === name) return attributes[key];
  return undefined;
}

/** Reports an XML file in the encoding that it declares. @param {Uint8Array} bytes @param {Listener} listener */
export const walkXml = (bytes, listener) =>
  walk(decoded(bytes, xmlEncodingOf(bytes)), listener, { xmlMode: true });

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'template', 'noscript', 'rp']);
const HIDDEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const CELLS = new Set(['td', 'th']);
const LINES = new Set(
  'address article aside blockquote br caption dd div dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav option p pre section table title tr'.split(
    ' ',
  ),
);

/** Longest reading of the characters of a line, in UTF-16 code units. */
const MAX_READING = 10_000;

const isHidden = (/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) =>
  HIDDEN_ELEMENTS.has(name) ||
  'hidden' in attributes ||
  HIDDEN_STYLE.test((attributes.style ?? '').slice(0, MAX_STYLE));

/** The part of a style attribute that is looked at. */
const MAX_STYLE = 1_000;

/**
 * The text of a web page as a reader sees it: no scripts or hidden elements, a line for each block. Readings of ruby text are on
 * the line after that of their characters.
 */
export function addHtml(/** @type {TextCollector} */ collector, /** @type {Iterable<string>} */ source) {
  /** @type {boolean[]} whether each open element is hidden */
  const hidden = [];
  let hiddenDepth = 0;
  let readings = 0;
  let reading = '';
  const addLine = () => {
    collector.add(`\n${reading && `${reading}\n`}`);
    reading = '';
  };
  walk(
    source,
    {
      open(name, attributes) {
        const hides = isHidden(name, attributes);
        hidden.push(hides);
        if (hides) hiddenDepth++;
        if (name === 'rt') readings++;
        if (LINES.has(name)) addLine();
        else if (CELLS.has(name)) collector.add('\t');
      },
      close(name) {
        if (hidden.pop()) hiddenDepth--;
        if (name === 'rt') readings--;
        if (LINES.has(name)) addLine();
      },
      text(text) {
        if (hiddenDepth > 0) return;
        if (readings === 0) collector.add(text);
        else if (reading.length < MAX_READING) reading += text;
      },
    },
    { xmlMode: false },
  );
  addLine();
}

/** Elements of pictures and other data in Base64: flat files of OpenDocument and Office, and FictionBook. */
const BINARY_ELEMENTS = new Set(['binary-data', 'binaryData', 'binData', 'binary']);

/** The text between the tags of any XML, in this encoding. */
export function addXml(/** @type {TextCollector} */ collector, /** @type {Iterable<string>} */ source) {
  let binary = 0;
  walk(
    source,
    {
      open(name) {
        if (BINARY_ELEMENTS.has(name)) binary++;
      },
      close(name) {
        if (BINARY_ELEMENTS.has(name)) binary--;
        collector.add(' ');
      },
      text(text) {
        if (binary === 0) collector.add(text);
      },
    },
    { xmlMode: true },
  );
}
