// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Blob, Buffer, ClusterLevel, Direction, Face, Font, shape, Variation } from 'harfbuzzjs';

/**
 * A glyph of a shaped text, in units of its font. `cluster`: the offset of its characters in that text.
 * @typedef {{ id: number, cluster: number, advance: number, x: number, y: number }} Glyph
 */

const REGULAR = 400;

/** A font file in one weight, for shaping (OpenType). */
export class Typeface {
  #font;
  #buffer = new Buffer();
  #characters;

  /** @param {string} file @param {Uint8Array} bytes of a TrueType font @param {number} weight */
  constructor(file, bytes, weight) {
    const face = new Face(new Blob(bytes));
    this.file = file;
    this.bytes = bytes;
    this.weight = weight;
    this.unitsPerEm = face.upem;
    this.#characters = new Set(face.collectUnicodes());
    this.#font = new Font(face);
    this.isVariable = 'wght' in face.getAxisInfos();
    if (this.isVariable) this.#font.setVariations([new Variation('wght', weight)]);
  }

  /** @param {number} codePoint */
  has(codePoint) {
    return this.#characters.has(codePoint);
  }

  /**
   * The glyphs of a text in visual order, from left to right.
   * @param {string} text in one direction @param {boolean} rightToLeft
   * @returns {Glyph[]}
   */
  shape(text, rightToLeft) {
    this.#buffer.reset();
    this.#buffer.setClusterLevel(ClusterLevel.MONOTONE_GRAPHEMES);
    this.#buffer.addText(text);
    this.#buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
    this.#buffer.guessSegmentProperties();
    shape(this.#font, this.#buffer);
    return this.#buffer
      .getGlyphInfosAndPositions()
      .map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
        id: codepoint,
        cluster,
        advance: xAdvance,
        x: xOffset,
        y: yOffset,
      }));
  }

  /** @param {number} glyph */
  widthOf(glyph) {
    return this.#font.glyphHAdvance(glyph);
  }

  /** Whether something of the glyph is visible. @param {number} glyph */
  hasInk(glyph) {
    const extents = this.#font.glyphExtents(glyph);
    return extents !== undefined && extents.width !== 0 && extents.height !== 0;
  }

  /** The characters of the font that are visible: the others are blanks of any width. */
  visibleCharacters() {
    return [...this.#characters].filter((character) => {
      const glyph = this.#font.nominalGlyph(character);
      return glyph !== undefined && this.hasInk(glyph);
    });
  }

  get characters() {
    return this.#characters;
  }

  /** Above and below the baseline. */
  get extents() {
    return this.#font.hExtents();
  }
}

/** Fonts in memory: those of East Asian scripts are split into hundreds. */
const MAX_LOADED = 200;

/** By file and weight. @type {Map<string, Promise<Typeface>>} */
const loaded = new Map();

/**
 * Loads a font once.
 * @param {string} file of a package: a TTF, or a WOFF2 @param {number} [weight] of a variable font
 */
export function loadTypeface(file, weight = REGULAR) {
  const key = `${file} ${weight}`;
  if (!loaded.has(key) && loaded.size >= MAX_LOADED) {
    loaded.clear();
    files.clear();
  }
  return kept(
    loaded,
    key,
    async () => new Typeface(file, await kept(files, file, () => readFont(file)), weight),
  );
}

/** Loads a font for a look at it. @param {string} file */
export const openTypeface = async (file) => new Typeface(file, await readFont(file), REGULAR);

/** The bytes of a font, which its weights share. @type {Map<string, Promise<Uint8Array>>} */
const files = new Map();

/**
 * What a map has, or is given; a failure is not kept.
 * @template Value
 * @param {Map<string, Promise<Value>>} map @param {string} key @param {() => Promise<Value>} make
 * @returns {Promise<Value>}
 */
export function kept(map, key, make) {
  const value = map.get(key) ?? make();
  map.set(key, value);
  value.catch(() => map.delete(key));
  return value;
}

/** @param {string} file */
async function readFont(file) {
  const content = await readFile(fileURLToPath(import.meta.resolve(file)));
  return file.endsWith('.woff2') ? decompressed(content) : content;
}

/** Loaded when needed: texts in Latin, Greek and Cyrillic do without. @param {Uint8Array} content */
async function decompressed(content) {
  const { default: decompress } = await import('woff2-encoder/decompress');
  return decompress(content);
}
