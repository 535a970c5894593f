import { kept, openTypeface } from './typeface.js';

/**
 * What a font draws, without the font.
 * @typedef {object} Coverage
 * @property {(codePoint: number) => boolean} has
 * @property {(codePoint: number) => boolean} shows whether something of the character is visible
 */

/**
 * By file, for good: the characters of all fonts take some megabytes, the fonts themselves a hundred times that.
 * @type {Map<string, Promise<Coverage>>}
 */
const coverages = new Map();

/** @param {string} file of a package: a TTF, or a WOFF2 */
export const coverageOf = (file) => kept(coverages, file, () => read(file));

/** @param {string} file @returns {Promise<Coverage>} */
async function read(file) {
  const typeface = await openTypeface(file);
  const characters = typeface.characters;
  const visible = new Set(typeface.visibleCharacters());
  return { has: (codePoint) => characters.has(codePoint), shows: (codePoint) => visible.has(codePoint) };
}
