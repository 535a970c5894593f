import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {Record<string, (...args: number[]) => number> & { memory: WebAssembly.Memory, _initialize: () => void }} Subsetter
 * the functions of hb-subset.h
 */

/** hb_subset_flags_t: no hinting, glyphs keep their numbers, and glyphs that only layout rules name are left out. */
const FLAGS = 0x1 | 0x2 | 0x200;
/** hb_subset_sets_t */
const DROPPED_TABLES = 3;
/** hb_memory_mode_t */
const READ_ONLY = 1;

/** What a font in a PDF does not need: its texts are shaped already. */
const LAYOUT_TABLES = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'JSTF',
  'MATH',
  'kern',
  'DSIG',
  'cmap',
  'name',
  'post',
  'OS/2',
];

/** @type {Promise<Subsetter> | undefined} */
let subsetter;

/** Loads the program for `subset`, once. */
export function loadSubsetter() {
  subsetter ??= instantiate();
  return subsetter;
}

async function instantiate() {
  const file = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'));
  const { instance } = await WebAssembly.instantiate(await readFile(file));
  const exports = /** @type {Subsetter} */ (/** @type {unknown} */ (instance.exports));
  exports._initialize();
  return exports;
}

/**
 * A TrueType font with these glyphs only, in one weight. Glyphs keep their numbers.
 * @param {Subsetter} hb @param {import('./typeface.js').Typeface} typeface @param {Iterable<number>} glyphs
 */
export function subset(hb, { bytes, isVariable, weight, file }, glyphs) {
  const at = copyOf(hb, bytes);
  const face = faceOf(hb, at, bytes.length);
  const input = call(hb, 'hb_subset_input_create_or_fail');
  call(hb, 'hb_subset_input_set_flags', input, FLAGS);
  const dropped = call(hb, 'hb_subset_input_set', input, DROPPED_TABLES);
  for (const table of LAYOUT_TABLES) call(hb, 'hb_set_add', dropped, tag(table));
  const wanted = call(hb, 'hb_subset_input_glyph_set', input);
  for (const glyph of glyphs) call(hb, 'hb_set_add', wanted, glyph);
  if (isVariable) {
    call(hb, 'hb_subset_input_pin_all_axes_to_default', input, face);
    call(hb, 'hb_subset_input_pin_axis_location', input, face, tag('wght'), weight);
  }
  const result = call(hb, 'hb_subset_or_fail', face, input);
  call(hb, 'hb_subset_input_destroy', input);
  call(hb, 'hb_face_destroy', face);
  call(hb, 'free', at);
  if (result === 0) throw new Error(`no subset of the font ${file}`);
  return bytesOf(hb, result);
}

/** @param {Subsetter} hb @param {string} name @param {...number} args */
const call = (hb, name, ...args) => /** @type {(...args: number[]) => number} */ (hb[name])(...args);

/** @param {Subsetter} hb @param {Uint8Array} bytes */
function copyOf(hb, bytes) {
  const at = call(hb, 'malloc', bytes.length);
  if (at === 0) throw new Error('no memory is left for a font');
  new Uint8Array(hb.memory.buffer).set(bytes, at);
  return at;
}

/** @param {Subsetter} hb @param {number} at @param {number} length */
function faceOf(hb, at, length) {
  const blob = call(hb, 'hb_blob_create', at, length, READ_ONLY, 0, 0);
  const face = call(hb, 'hb_face_create', blob, 0);
  call(hb, 'hb_blob_destroy', blob);
  return face;
}

/** The file of a face, which is destroyed. @param {Subsetter} hb @param {number} face */
function bytesOf(hb, face) {
  const blob = call(hb, 'hb_face_reference_blob', face);
  const at = call(hb, 'hb_blob_get_data', blob, 0);
  const bytes = Uint8Array.from(new Uint8Array(hb.memory.buffer, at, call(hb, 'hb_blob_get_length', blob)));
  call(hb, 'hb_blob_destroy', blob);
  call(hb, 'hb_face_destroy', face);
  return bytes;
}

/** @param {string} name of four characters */
const tag = (name) => Buffer.from(name.padEnd(4)).readUInt32BE();
