import bidiFactory from 'bidi-js';

/** @typedef {import('@cantoo/pdf-lib').PDFFont} PDFFont */
/** @typedef {{ font: PDFFont, level: number, part: string }} Run of characters in one font and one direction */

// The package's types declare a default export, which its CommonJS module does not have.
const bidi = /** @type {() => import('bidi-js').Bidi} */ (/** @type {unknown} */ (bidiFactory))();

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The runs of a line in visual order, from left to right (Unicode Bidirectional Algorithm, UAX #9). Within a right-to-left
 * run, characters stay in logical order: the font reverses them.
 * @param {string} line @param {(character: string) => PDFFont} fontOf
 */
export function inDisplayOrder(line, fontOf) {
  if (!RIGHT_TO_LEFT.test(line)) return runsOf(line, fontOf, () => 0);
  const { levels } = bidi.getEmbeddingLevels(line);
  return inVisualOrder(runsOf(line, fontOf, (at) => levels[at] ?? 0)).map(({ font, level, part }) => ({
    font,
    part: level % 2 === 0 ? part : mirrorBrackets(part),
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

/** Rule L2: from the highest level down, reverses each sequence of runs at that level or higher. @param {Run[]} runs */
function inVisualOrder(runs) {
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

/** Rule L4. The font reverses only letters of right-to-left scripts; other runs are reversed here. @param {string} part */
function mirrorBrackets(part) {
  const mirrored = [...part].map((character) => bidi.getMirroredCharacter(character) ?? character);
  return (RIGHT_TO_LEFT.test(part) ? mirrored : mirrored.reverse()).join('');
}
