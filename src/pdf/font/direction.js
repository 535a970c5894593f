import bidiFactory from 'bidi-js';

/** @typedef {'ltr' | 'rtl'} Direction */

// The package's types declare a default export, which its CommonJS module does not have.
const bidi = /** @type {() => import('bidi-js').Bidi} */ (/** @type {unknown} */ (bidiFactory))();

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a paragraph, by its first letter (UAX #9, P2 and P3). @param {string} paragraph @returns {Direction} */
export function directionOf(paragraph) {
  if (!RIGHT_TO_LEFT.test(paragraph)) return 'ltr';
  return bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
}

/** The embedding level at each UTF-16 offset of a line; odd ones are right-to-left. @param {string} line @param {Direction} direction @returns {(at: number) => number} */
export function levelsOf(line, direction) {
  if (direction === 'ltr' && !RIGHT_TO_LEFT.test(line)) return () => 0;
  const { levels } = bidi.getEmbeddingLevels(line, direction);
  return (at) => levels[at] ?? 0;
}

/**
 * The characters of a right-to-left text in the order and the form in which they stand from left to right.
 * @param {string} text
 */
export const asDisplayed = (text) =>
  [...text]
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('');

/**
 * Runs of a line from left to right (UAX #9, L2): from the highest level down, reverses each sequence at that level or higher.
 * @template {{ level: number }} Run @param {readonly Run[]} runs
 */
export function inVisualOrder(runs) {
  const line = [...runs];
  for (let level = Math.max(0, ...line.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < line.length; start++) {
      let end = start;
      while ((line[end]?.level ?? -1) >= level) end++;
      line.splice(start, end - start, ...line.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  return line;
}
