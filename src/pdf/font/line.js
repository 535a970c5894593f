import { clustersOf } from './clusters.js';
import { asDisplayed, inVisualOrder, levelsOf } from './direction.js';

/** @typedef {import('./typeface.js').Typeface} Typeface */
/** @typedef {import('./typeface.js').Glyph} Glyph */
/** @typedef {{ typeface: Typeface, level: number, text: string }} Run of characters in one font and one direction */
/**
 * Glyphs that show the characters of `text` together. Readers of PDFs expect those of right-to-left text as displayed.
 * @typedef {{ text: string, glyphs: Glyph[] }} Shown
 */

/** Drawn where no font has a character. */
const REPLACEMENT = '\ufffd';

/**
 * The runs of a line from left to right, with their glyphs.
 * @param {string} line @param {import('./direction.js').Direction} direction of its paragraph
 * @param {(cluster: string) => Typeface | null} typefaceOf
 */
export const layOut = (line, direction, typefaceOf) =>
  inVisualOrder(runsOf(line, levelsOf(line, direction), typefaceOf)).map(({ typeface, level, text }) => ({
    typeface,
    shown: shownIn(text, typeface, level % 2 === 1),
  }));

/** @param {string} line @param {(at: number) => number} levelAt @param {(cluster: string) => Typeface | null} typefaceOf */
function runsOf(line, levelAt, typefaceOf) {
  /** @type {Run[]} */
  const runs = [];
  let at = 0;
  for (const cluster of clustersOf(line)) {
    const own = typefaceOf(cluster);
    const typeface = own ?? /** @type {Typeface} */ (typefaceOf(REPLACEMENT));
    const text = own ? cluster : REPLACEMENT;
    const level = levelAt(at);
    const last = runs.at(-1);
    if (last?.typeface === typeface && last.level === level) last.text += text;
    else runs.push({ typeface, level, text });
    at += cluster.length;
  }
  return runs;
}

/** @param {string} text @param {Typeface} typeface @param {boolean} rightToLeft @returns {Shown[]} */
function shownIn(text, typeface, rightToLeft) {
  const glyphs = typeface.shape(text, rightToLeft);
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? text.length]));
  const inOrder = rightToLeft ? starts.reverse() : starts;
  return inOrder.map((start) => {
    const part = text.slice(start, ends.get(start));
    return {
      text: rightToLeft ? asDisplayed(part) : part,
      glyphs: visible(
        typeface,
        glyphs.filter(({ cluster }) => cluster === start),
      ),
    };
  });
}

/** Without the empty glyphs of joiners and the like. @param {Typeface} typeface @param {Glyph[]} glyphs */
function visible(typeface, glyphs) {
  if (glyphs.length === 1) return glyphs;
  const visible = glyphs.filter(({ id, advance }) => advance !== 0 || typeface.hasInk(id));
  return visible.length > 0 ? visible : glyphs.slice(0, 1);
}
