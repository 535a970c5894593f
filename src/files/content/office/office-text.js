// Plain JavaScript, as everything that text-task.js loads.

import { attributeOf } from '../markup/text-markup.js';
import { RunningText } from './running-text.js';
import { symbolText } from './symbol-font.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** What characters are as elements (ECMA-376 part 1 §17.3.3). A soft hyphen is seen at the end of a line only. */
const CHARACTERS = new Map([
  ['tab', '\t'],
  ['ptab', '\t'],
  ['tc', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['noBreakHyphen', '\u2011'],
]);

/** Deleted text, and text at the place from which it was moved (§17.13.5). */
const REMOVED = new Set(['del', 'moveFrom']);

/** What stands beside the paragraph: a text box (§17.17.1), and the reading of ruby text (§17.3.3.24). */
const BESIDE = new Set(['txbxContent', 'rt']);

/** Text of slides' comments (§19.4) and of sheets' threaded comments. */
const TEXTS = new Set(['t', 'text']);

const BRANCHES = new Set(['Choice', 'Fallback']);

/** In these a property of a run is not one of the run that is open (§17.3.1.26, §17.13.5.31). */
const OTHER_PROPERTIES = new Set(['pPr', 'rPrChange']);

const PROPERTIES = new Set(['vanish', 'fldChar', 'sym', 'ddList', 'result', 'listEntry']);

const isOn = (/** @type {string | undefined} */ value) => !['0', 'false', 'off'].includes(value ?? '1');

/** Reads what a reader of WordprocessingML or DrawingML sees: no deleted or hidden text, no codes of fields. */
class OfficeReader {
  /** @type {RunningText} */
  #text;
  #inText = false;
  #silent = 0;
  #otherProperties = 0;
  /** @type {boolean[]} whether each open run is hidden (`vanish`, §17.3.2.41) */
  #runs = [];
  /** @type {boolean[]} whether a branch of each open alternative is read already: one is (part 3 §9.3) */
  #alternatives = [];
  /** @type {boolean[]} whether each open branch is left out */
  #branches = [];
  /** @type {boolean[]} whether each open field is at its code, not at its result (§17.16.18) */
  #fields = [];
  /** @type {string[]} the entries of a list in an old form field, of which one is seen (§17.16.9) */
  #entries = [];
  #chosen = 0;

  constructor(/** @type {TextCollector} */ collector) {
    this.#text = new RunningText(collector);
  }

  open(/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) {
    this.#inText = TEXTS.has(name);
    this.#openScope(name);
    if (name === 'p') this.#text.openParagraph();
    if (BESIDE.has(name)) this.#text.openAside();
    this.#add(CHARACTERS.get(name) ?? '');
    this.#readProperty(name, attributes);
  }

  close(/** @type {string} */ name) {
    this.#inText = false;
    this.#closeScope(name);
    if (name === 'ddList') this.#text.add(this.#entries[this.#chosen] ?? '');
    if (name === 'text') this.#text.add('\n');
    if (name === 'p') this.#closeParagraph();
    if (BESIDE.has(name)) this.#text.closeAside();
  }

  text(/** @type {string} */ text) {
    if (this.#inText) this.#add(text);
  }

  #add(/** @type {string} */ text) {
    if (this.#silent > 0 || this.#runs.includes(true) || this.#fields.includes(true)) return;
    if (text !== '') this.#text.add(text);
  }

  #openScope(/** @type {string} */ name) {
    if (REMOVED.has(name)) this.#silent++;
    if (OTHER_PROPERTIES.has(name)) this.#otherProperties++;
    if (name === 'r') this.#runs.push(false);
    if (name === 'AlternateContent') this.#alternatives.push(false);
    if (BRANCHES.has(name)) this.#openBranch(name);
  }

  #closeScope(/** @type {string} */ name) {
    if (REMOVED.has(name)) this.#silent--;
    if (OTHER_PROPERTIES.has(name)) this.#otherProperties--;
    if (name === 'r') this.#runs.pop();
    if (name === 'AlternateContent') this.#alternatives.pop();
    if (BRANCHES.has(name) && this.#branches.pop()) this.#silent--;
  }

  #openBranch(/** @type {string} */ name) {
    const other = this.#alternatives.at(-1) ?? name === 'Fallback';
    if (this.#alternatives.length > 0) this.#alternatives[this.#alternatives.length - 1] = true;
    this.#branches.push(other);
    if (other) this.#silent++;
  }

  /** A field whose code does not end must not hide the paragraphs after it. */
  #closeParagraph() {
    this.#fields.fill(false);
    this.#text.closeParagraph();
  }

  #readProperty(/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) {
    if (!PROPERTIES.has(name)) return;
    const value = attributeOf(attributes, 'val');
    if (name === 'vanish' && this.#otherProperties === 0 && this.#runs.length > 0)
      this.#runs[this.#runs.length - 1] = isOn(value);
    else if (name === 'fldChar') this.#readField(attributeOf(attributes, 'fldCharType'));
    else if (name === 'sym')
      this.#add(symbolText(attributeOf(attributes, 'font'), attributeOf(attributes, 'char')));
    else if (name === 'ddList') [this.#entries, this.#chosen] = [[], 0];
    else if (name === 'result') this.#chosen = Number(value);
    else if (name === 'listEntry') this.#entries.push(value ?? '');
  }

  #readField(/** @type {string | undefined} */ type) {
    if (type === 'begin') this.#fields.push(true);
    else if (type === 'end') this.#fields.pop();
    else if (type === 'separate' && this.#fields.length > 0) this.#fields[this.#fields.length - 1] = false;
  }
}

/** Adds the text of a part of WordprocessingML or DrawingML, a line for each paragraph. Throws TextFull and Unreadable. */
export const addOfficeText = (
  /** @type {Archive} */ archive,
  /** @type {string} */ part,
  /** @type {TextCollector} */ collector,
) => archive.walk(part, listenerOf(new OfficeReader(collector)));

const listenerOf = (/** @type {OfficeReader} */ reader) => ({
  open: reader.open.bind(reader),
  close: reader.close.bind(reader),
  text: reader.text.bind(reader),
});
