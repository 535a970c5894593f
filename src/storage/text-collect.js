// Plain JavaScript, as all that text-worker.js loads.

/** What a text is cut off at, in UTF-16 code units. */
export const MOST_TEXT = 10_000_000;

/** The file is broken, locked or hostile: its message is for the people who own the file. */
export class Unreadable extends Error {}

/** Ends the reading of a file that has more text than is kept. */
export class TextFull extends Error {}

/** The text of a file as it is found, page by page. */
export class TextCollector {
  /** @type {string[][]} */
  #pages = [[]];
  #length = 0;

  /** Throws TextFull. */
  add(/** @type {string} */ text) {
    const room = MOST_TEXT - this.#length;
    this.#pages.at(-1)?.push(text.slice(0, room));
    this.#length += text.length;
    if (text.length > room) throw new TextFull();
  }

  /** What comes from now on stands on the next page. */
  nextPage() {
    this.#pages.push([]);
  }

  /** Page by page, without what no text column takes, and without runs of blanks. */
  pages() {
    return this.#pages.map((parts) => tidy(parts.join('')));
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
