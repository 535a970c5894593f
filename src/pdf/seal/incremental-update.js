// Plain JavaScript without Node, so that it also runs in a browser.

import { findObject } from './cross-references.js';
import { bytesOf, fail, integerAt, skipValue, textOf } from './object-syntax.js';

/** @typedef {import('./cross-references.js').References} References */

/** The largest number of an object (ISO 32000-2 annex C). */
const MAX_OBJECTS = 8_388_607;

/**
 * The first of so many consecutive numbers that no object has. Throws RangeError. @param {References} references
 * @param {number} count
 */
export function nextNumber(references, count) {
  const { file, newest } = references;
  const size = integerAt(
    file,
    newest.values.get('Size') ?? fail(newest.start, 'a trailer without Size'),
  ).value;
  if (size + count > MAX_OBJECTS) fail(newest.start, 'too many objects');
  for (let number = size; number < size + count; number++)
    if (findObject(references, number) !== undefined)
      fail(newest.start, `object ${number} is not below Size`);
  return size;
}

/** Objects and a table that follow a file (ISO 32000-2 §7.5.6). */
export class Update {
  /** @type {Map<number, number>} */
  #offsets = new Map();
  #text = '';

  /** @param {Uint8Array} file */
  constructor(file) {
    this.file = file;
    if (file.at(-1) !== '\n'.charCodeAt(0)) this.#text = '\n';
  }

  /** Returns the offset of the value. @param {number} number @param {string} value */
  addObject(number, value) {
    const start = this.file.length + this.#text.length;
    this.#offsets.set(number, start);
    const head = `${number} 0 obj\n`;
    this.#text += `${head}${value}\nendobj\n`;
    return start + head.length;
  }

  /** The table of these objects, and the trailer. @param {References} references @param {number} size */
  addTable({ file, newest }, size) {
    const start = file.length + this.#text.length;
    const kept = ['Root', 'Info', 'ID'].flatMap((key) => {
      const at = newest.values.get(key);
      return at === undefined ? [] : [`/${key} ${textOf(file, at, skipValue(file, at))} `];
    });
    this.#text += `xref\n${this.#runs().join('')}trailer\n<< /Size ${size} ${kept.join('')}/Prev ${newest.start} >>\n`;
    this.#text += `startxref\n${start}\n%%EOF\n`;
  }

  /** One subsection for consecutive numbers (§7.5.4), in ascending order. */
  #runs() {
    /** @type {{ first: number, offsets: number[] }[]} */
    const runs = [];
    for (const [number, offset] of [...this.#offsets].sort(([a], [b]) => a - b)) {
      const last = runs.at(-1);
      if (last && last.first + last.offsets.length === number) last.offsets.push(offset);
      else runs.push({ first: number, offsets: [offset] });
    }
    return runs.map(
      ({ first, offsets }) =>
        `${first} ${offsets.length}\n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`,
    );
  }

  finish() {
    const bytes = new Uint8Array(this.file.length + this.#text.length);
    bytes.set(this.file);
    bytes.set(bytesOf(this.#text), this.file.length);
    return bytes;
  }
}
