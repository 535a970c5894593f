// Plain JavaScript, as everything that text-task.js loads.

/** Limits of a text, in UTF-16 code units and in pages. */
export const MAX_TEXT = 10_000_000;
export const MAX_PAGES = 20_000;

/** Parts, and their length, before they are joined: each part takes memory, however short it is. */
const MAX_PARTS = 4_096;
const MAX_PENDING = 64 * 1024;

/** The file is broken, locked or hostile; the message is for the owner of the file. */
export class Unreadable extends Error {}

/** Ends the reading of a file with more text than is stored. */
export class TextFull extends Error {}

/** The text of a file as it is found, page by page. */
export class TextCollector {
  /** @type {string[]} */
  #pages = [];
  /** @type {string[]} the page that is being read, as far as it is tidy; then what is not yet */
  #tidied = [];
  /** @type {string[]} */
  #parts = [];
  #pending = 0;
  #length = 0;

  /** Throws TextFull. */
  add(/** @type {string} */ text) {
    const room = MAX_TEXT - this.#length;
    this.#parts.push(text.slice(0, room));
    this.#pending += text.length;
    this.#length += text.length;
    if (this.#parts.length >= MAX_PARTS || this.#pending >= MAX_PENDING) this.#tidy();
    if (text.length > room) throw new TextFull();
  }

  /** Text that is added from now on is on the next page. Throws TextFull. */
  nextPage() {
    if (this.#pages.length + 1 >= MAX_PAGES) throw new TextFull();
    this.#pages.push(this.#page());
    this.#parts = [];
    this.#tidied = [];
  }

  /** Page by page, without characters that no text column accepts, and without runs of blanks. */
  pages() {
    return [...this.#pages, this.#page()];
  }

  /** Blanks at the end wait for what follows: they may be one run. */
  #tidy() {
    const text = squeeze(this.#parts.join(''));
    const trimmed = text.trimEnd();
    this.#tidied.push(trimmed);
    this.#parts = [text.slice(trimmed.length)];
    this.#pending = 0;
  }

  #page() {
    this.#tidy();
    return this.#tidied.join('').toWellFormed().trim();
  }
}

/** @param {string} text */
const squeeze = (text) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');

/** @param {string} text */
export const tidy = (text) => squeeze(text.toWellFormed()).trim();
