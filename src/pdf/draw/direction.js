import bidiFactory from 'bidi-js';

/** @typedef {import('@cantoo/pdf-lib').PDFFont} PDFFont */
/** @typedef {{ font: PDFFont, level: number, part: string }} Run of characters in one font and one direction */

// Its types mistake it for a module with a default export (CommonJS has none).
const bidi = /** @type {() => import('bidi-js').Bidi} */ (/** @type {unknown} */ (bidiFactory))();

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The runs of a line from left to right, as the Unicode Bidirectional Algorithm has them (UAX #9). Inside of one that
 * goes from right to left, the characters are as they are read: the font turns them.
 * @param {string} line @param {(character: string) => PDFFont} fontOf
 */
export function inDisplayOrder(line, fontOf) {
  if (!RIGHT_TO_LEFT.test(line)) return runsOf(line, fontOf, () => 0);
  const { levels } = bidi.getEmbeddingLevels(line);
  return reordered(runsOf(line, fontOf, (at) => levels[at] ?? 0)).map(({ font, level, part }) => ({
    font,
    part: level % 2 === 0 ? part : fromRight(part),
  }));
}

/** @param {string} line @param {(character: string) => PDFFont} fontOf @param {(at: number) => number} levelAt */
function runsOf(line, fontOf, levelAt) {
  /** @type {Run[]} */
  const runs = [];
  let at = 0;
  for (const character of line) {
    const [font, level] = [fontOf(character), levelAt(at)];
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.part += character;
    else runs.push({ font, level, part: character });
    at += character.length;
  }
  return runs;
}

/** Rule L2: from the deepest level on, what is at it or deeper is turned around. @param {Run[]} runs */
function reordered(runs) {
  const line = [...runs];
  for (let level = Math.max(...line.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < line.length; start++) {
      let end = start;
      while ((line[end]?.level ?? -1) >= level) end++;
      line.splice(start, end - start, ...line.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  return line;
}

/** Rule L4: brackets are mirrored. A font turns only what it takes for letters of such a script. @param {string} part */
function fromRight(part) {
  const mirrored = [...part].map((character) => bidi.getMirroredCharacter(character) ?? character);
  return (RIGHT_TO_LEFT.test(part) ? mirrored : mirrored.reverse()).join('');
}
