// Plain JavaScript, as all that text-task.js loads.

/** What a text is cut off at, in UTF-16 code units, and in pages. */
export const MOST_TEXT = 10_000_000;
export const MOST_PAGES = 20_000;

/** How many parts of a page are kept apart: each takes memory of its own, however short it is. */
const MOST_PARTS = 4_096;

/** The file is broken, locked or hostile: its message is for the people who own the file. */
export class Unreadable extends Error {}

/** Ends the reading of a file that has more text than is kept. */
export class TextFull extends Error {}

/** The text of a file as it is found, page by page. */
export class TextCollector {
  /** @type {string[]} */
  #pages = [];
  /** @type {string[]} the page that is being read: what is joined, and what is not yet */
  #joined = [];
  /** @type {string[]} */
  #parts = [];
  #length = 0;

  /** Throws TextFull. */
  add(/** @type {string} */ text) {
    const room = MOST_TEXT - this.#length;
    this.#parts.push(text.slice(0, room));
    this.#length += text.length;
    if (this.#parts.length >= MOST_PARTS) this.#join();
    if (text.length > room) throw new TextFull();
  }

  /** What comes from now on stands on the next page. Throws TextFull. */
  nextPage() {
    if (this.#pages.length + 1 >= MOST_PAGES) throw new TextFull();
    this.#pages.push(this.#page());
    this.#joined = [];
  }

  /** Page by page, without what no text column takes, and without runs of blanks. */
  pages() {
    return [...this.#pages, this.#page()];
  }

  #join() {
    this.#joined.push(this.#parts.join(''));
    this.#parts = [];
  }

  #page() {
    this.#join();
    return tidy(this.#joined.join(''));
  }
}

/** @param {string} text */
export const tidy = (text) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
