// Plain JavaScript, as everything that text-task.js loads.

/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** Longest text beside a paragraph, in UTF-16 code units: it is in memory until the paragraph ends. */
const MAX_ASIDE = 1_000_000;

/**
 * The text of a document in paragraphs. What stands beside a paragraph (a text box, a note, a comment, the reading of a
 * character) follows it on lines of its own, so that the words of the paragraph stay together.
 */
export class RunningText {
  /** @type {TextCollector} */
  #collector;
  /** Open paragraphs; those around a text beside them do not count. */
  #paragraphs = 0;
  /** @type {{ text: string, around: number }[]} the texts that are being read, each beside the one before */
  #open = [];
  /** @type {string[]} the texts beside the paragraph that end already */
  #asides = [];
  #room = MAX_ASIDE;

  constructor(/** @type {TextCollector} */ collector) {
    this.#collector = collector;
  }

  get inParagraph() {
    return this.#paragraphs > 0;
  }

  add(/** @type {string} */ text) {
    const aside = this.#open.at(-1);
    if (!aside) return this.#collector.add(text);
    aside.text += text.slice(0, this.#room);
    this.#room = Math.max(this.#room - text.length, 0);
  }

  openParagraph() {
    if (this.#paragraphs++ > 0) this.add('\n');
  }

  closeParagraph() {
    this.#paragraphs = Math.max(this.#paragraphs - 1, 0);
    this.add('\n');
    if (this.#open.length === 0 && this.#paragraphs === 0) this.#addAsides();
  }

  /** What is added until closeAside() stands beside the paragraph. */
  openAside() {
    this.#open.push({ text: '', around: this.#paragraphs });
    this.#paragraphs = 0;
  }

  closeAside() {
    const aside = this.#open.pop();
    this.#paragraphs = aside?.around ?? 0;
    if (aside?.text.trim()) this.#asides.push(aside.text);
    if (!this.inParagraph && this.#open.length === 0) this.#addAsides();
  }

  #addAsides() {
    for (const text of this.#asides) this.#collector.add(`\n${text}\n`);
    this.#asides = [];
    this.#room = MAX_ASIDE;
  }
}
