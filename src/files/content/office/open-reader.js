// Plain JavaScript, as everything that text-task.js loads.
import { RunningText } from './running-text.js';

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */
/** @typedef {Record<string, string>} Attributes */
/** @typedef {{ shown: boolean, silent: boolean, paragraph: boolean, aside: boolean }} Scope what an element is, until it ends */
/** @typedef {{ paged: boolean, addObject?: (folder: string) => void }} Options `addObject` reads a chart or other object in its folder */

/** Where text is seen: the body, and headers and footers in the styles of pages (OpenDocument 1.3 part 3 §16.10). */
const SHOWN = /^(?:body|(?:header|footer)(?:-left|-first)?)$/;

/** Deleted text, settings, marks of notes, fields that are hidden, and bytes in Base64. */
const SILENT = new Set(
  'tracked-changes notes-configuration forms note-citation hidden-text binary-data'.split(' '),
);

/** Paragraphs, and what has its text without one: headers and footers of slides, and readings. */
const PARAGRAPHS = new Set(['p', 'h', 'header-decl', 'footer-decl', 'ruby-text']);

/** What stands beside its paragraph, as all shapes do: comments, notes, and the reading of ruby text. */
const BESIDE = new Set(['annotation', 'note-body', 'ruby-text']);

const CHARACTERS = new Map([
  ['s', ' '],
  ['tab', '\t'],
  ['line-break', '\n'],
]);

/** Slides and sheets. */
const PAGES = new Set(['page', 'table']);

const CELLS = new Set(['table-cell', 'covered-table-cell']);

const MAX_STYLES = 100_000;
const MAX_OBJECTS = 1_000;
const MAX_VALUE = 64;

/** Reads what a reader of OpenDocument XML sees: text in paragraphs that is neither deleted nor hidden (`text:display`). */
export class OpenReader {
  /** @type {TextCollector} */
  #collector;
  /** @type {RunningText} */
  #text;
  /** @type {Options} */
  #options;
  /** @type {Scope[]} */
  #scopes = [];
  #shown = 0;
  #silent = 0;
  #style = '';
  #hiddenStyles = new Set();
  #pages = 0;
  /** Open slides and sheets: a table on a slide is no sheet. */
  #inPage = 0;
  /** @type {{ stored: string, text: string } | undefined} the cell that is being read, if it has a number or a date */
  #cell;
  /** @type {string[]} */
  #objects = [];

  constructor(/** @type {TextCollector} */ collector, /** @type {Options} */ options) {
    this.#collector = collector;
    this.#text = new RunningText(collector);
    this.#options = options;
  }

  /** @returns {import('../markup/text-markup.js').Listener} */
  get listener() {
    return { open: this.#open.bind(this), close: this.#close.bind(this), text: this.#add.bind(this) };
  }

  #open(/** @type {string} */ name, /** @type {Attributes} */ attributes, /** @type {string} */ qualified) {
    const scope = this.#scopeOf(name, attributes, qualified);
    this.#scopes.push(scope);
    if (scope.shown) this.#shown++;
    if (scope.silent) this.#silent++;
    if (scope.aside) this.#text.openAside();
    if (scope.paragraph) this.#text.openParagraph();
    if (PAGES.has(name) && this.#inPage++ === 0) this.#openPage(attributes['table:name']);
    if (CELLS.has(name)) this.#openCell(attributes);
    this.#add(CHARACTERS.get(name) ?? '');
    this.#readStyle(name, attributes);
  }

  /** @returns {Scope} */
  #scopeOf(
    /** @type {string} */ name,
    /** @type {Attributes} */ attributes,
    /** @type {string} */ qualified,
  ) {
    const isShape = qualified.startsWith('draw:') && this.#text.inParagraph;
    return {
      shown: SHOWN.test(name),
      silent: SILENT.has(name) || this.#isHidden(attributes),
      paragraph: PARAGRAPHS.has(name) && this.#shown > 0,
      aside: BESIDE.has(name) || isShape,
    };
  }

  #isHidden(/** @type {Attributes} */ attributes) {
    const style = attributes['text:style-name'];
    return (
      (style !== undefined && this.#hiddenStyles.has(style)) ||
      attributes['text:display'] === 'none' ||
      attributes['text:is-hidden'] === 'true' ||
      attributes['style:display'] === 'false'
    );
  }

  #close(/** @type {string} */ name) {
    const scope = this.#scopes.pop();
    if (scope?.paragraph) this.#text.closeParagraph();
    if (scope?.aside) this.#text.closeAside();
    if (scope?.silent) this.#silent--;
    if (scope?.shown) this.#shown--;
    if (CELLS.has(name)) this.#closeCell();
    if (PAGES.has(name) && --this.#inPage === 0) this.#addObjects();
    if (name === 'body') this.#addObjects();
  }

  #openPage(/** @type {string | undefined} */ sheet) {
    if (!this.#options.paged || this.#shown === 0) return;
    if (this.#pages++ > 0) this.#collector.nextPage();
    if (sheet !== undefined) this.#collector.add(`${sheet}\n`);
  }

  #openCell(/** @type {Attributes} */ attributes) {
    const number = attributes['office:value'];
    const stored = attributes['office:date-value']?.slice(0, 10) ?? (number && `${Number(number)}`);
    this.#cell = stored ? { stored, text: '' } : undefined;
  }

  /** Adds the number or date of a cell, if it is shown otherwise. */
  #closeCell() {
    const { stored, text } = this.#cell ?? {};
    if (stored && this.#shown > 0 && this.#silent === 0 && text?.trim() !== stored)
      this.#text.add(`${stored}\n`);
    this.#cell = undefined;
  }

  #readStyle(/** @type {string} */ name, /** @type {Attributes} */ attributes) {
    if (name === 'style') this.#style = attributes['style:name'] ?? '';
    if (
      name === 'text-properties' &&
      attributes['text:display'] === 'none' &&
      this.#hiddenStyles.size < MAX_STYLES
    )
      this.#hiddenStyles.add(this.#style);
    const folder = name === 'object' ? attributes['xlink:href'] : undefined;
    if (folder && this.#objects.length < MAX_OBJECTS) this.#objects.push(folder);
  }

  #addObjects() {
    for (const folder of this.#objects) this.#options.addObject?.(folder);
    this.#objects = [];
  }

  #add(/** @type {string} */ text) {
    if (text === '' || this.#shown === 0 || this.#silent > 0 || !this.#text.inParagraph) return;
    if (this.#cell && this.#cell.text.length < MAX_VALUE) this.#cell.text += text;
    this.#text.add(text);
  }
}
