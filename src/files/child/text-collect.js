// Plain JavaScript, as all that text-task.js loads.

/** What a text is cut off at, in UTF-16 code units, and in pages. */
export const MOST_TEXT = 10_000_000;
export const MOST_PAGES = 20_000;

/** What is kept apart before it is joined: each part takes memory of its own, however short it is. */
const MOST_PARTS = 4_096;
const MOST_PENDING = 64 * 1024;

/** The file is broken, locked or hostile: its message is for the people who own the file. */
export class Unreadable extends Error {}

/** Ends the reading of a file that has more text than is kept. */
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
    const room = MOST_TEXT - this.#length;
    this.#parts.push(text.slice(0, room));
    this.#pending += text.length;
    this.#length += text.length;
    if (this.#parts.length >= MOST_PARTS || this.#pending >= MOST_PENDING) this.#tidy();
    if (text.length > room) throw new TextFull();
  }

  /** What comes from now on stands on the next page. Throws TextFull. */
  nextPage() {
    if (this.#pages.length + 1 >= MOST_PAGES) throw new TextFull();
    this.#pages.push(this.#page());
    this.#parts = [];
    this.#tidied = [];
  }

  /** Page by page, without what no text column takes, and without runs of blanks. */
  pages() {
    return [...this.#pages, this.#page()];
  }

  /** Blanks at the end wait for what follows: they may be one run. */
  #tidy() {
    const text = squeeze(this.#parts.join(''));
    const kept = text.trimEnd();
    this.#tidied.push(kept);
    this.#parts = [text.slice(kept.length)];
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
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');

/** @param {string} text */
export const tidy = (text) => squeeze(text.toWellFormed()).trim();
