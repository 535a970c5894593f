// Plain JavaScript, for servers and browsers.

import { findObject } from '../../pdf/seal/cross-references.js';
import { fail, referenceAt } from '../../pdf/seal/object-syntax.js';
import { inflate } from './inflate.js';
import { sizeOf, streamAt } from './update.js';
import { dictionaryOf, requireName } from './value.js';

/** @typedef {import('./update.js').AppendedUpdate} AppendedUpdate */

/** The offset of a value, and its number if it is an object of its own. @typedef {{ number: number | undefined, at: number }} Located */

/** Bytes of a stream after decompression. */
const MAX_CONTENT = 2 ** 20;

/** The objects of an update, of which each has to be accounted for. */
export class UpdatedObjects {
  /**
   * `isReferenced`: whether the file before the update refers to a number; `sealedSize`: above all numbers of the sealed file.
   * @param {Uint8Array} file @param {AppendedUpdate} update
   * @param {{ isReferenced: (number: number) => boolean, sealedSize: number }} facts
   */
  constructor(file, update, { isReferenced, sealedSize }) {
    this.file = file;
    this.update = update;
    this.unjudged = new Set(update.objects.keys());
    this.firstNew = sizeOf(update.before);
    this.sealedSize = sealedSize;
    this.isReferenced = isReferenced;
  }

  /** The offset of an object as it was before the update. Throws RangeError. @param {number} number */
  before(number) {
    return findObject(this.update.before, number) ?? fail(0, `there was no object ${number}`);
  }

  /** The offset of an object as it is since. Throws RangeError. @param {number} number */
  after(number) {
    return this.update.objects.get(number)?.value ?? this.before(number);
  }

  /** @param {number} number */
  isUpdated(number) {
    return this.update.objects.has(number);
  }

  /**
   * The update may have this object instead of the one before it, both of which are judged. Throws RangeError unless it is new
   * or has the same number.
   * @param {Located} before @param {Located} after
   */
  acceptInstead(before, after) {
    if (after.number === undefined) return;
    if (after.number === before.number) this.acceptRewritten(after.number);
    else this.acceptNew(after.number);
  }

  /**
   * An object that nothing before the update can refer to. Returns its offset. Throws RangeError.
   * @param {number} number
   */
  acceptNew(number) {
    const added = this.update.objects.get(number);
    if (!added || number < this.firstNew || this.isReferenced(number))
      return fail(added?.start ?? 0, `object ${number} is not new`);
    this.unjudged.delete(number);
    return added.value;
  }

  /** The value at an offset, or that it refers to, since the update. @param {number} at @returns {Located} */
  follow(at) {
    const reference = referenceAt(this.file, at);
    if (!reference) return { number: undefined, at };
    return { number: reference.number, at: this.after(reference.number) };
  }

  /** The same, before the update. @param {number} at @returns {Located} */
  followBefore(at) {
    const reference = referenceAt(this.file, at);
    if (!reference) return { number: undefined, at };
    return { number: reference.number, at: this.before(reference.number) };
  }

  /** The offset of a value that is direct, or a new object. Throws RangeError. @param {number} at */
  acceptNewAt(at) {
    const reference = referenceAt(this.file, at);
    return reference ? this.acceptNew(reference.number) : at;
  }

  /**
   * An object of which the update may have another version, which is judged. Returns its offset since. Throws RangeError for a
   * stream, also for one that is none any more: another object may refer to it.
   * @param {number} number
   */
  acceptRewritten(number) {
    const after = this.after(number);
    if (!this.isUpdated(number)) return after;
    for (const at of [this.before(number), after])
      if (streamAt(this.file, at)) fail(at, 'a stream was changed');
    this.unjudged.delete(number);
    return after;
  }

  /**
   * A new stream, which has no other keys than these and those of its compression. Rejects with RangeError.
   * @param {number} number @param {readonly string[]} keys
   */
  acceptStream(number, keys) {
    return this.#readStream(this.acceptNew(number), keys);
  }

  /** The decompressed content of a stream as it was. Rejects with RangeError. @param {number} number */
  async streamBefore(number) {
    return (await this.#readStream(this.before(number), ['Type', 'Subtype'])).content;
  }

  /**
   * @param {number} at @param {readonly string[]} keys
   * @returns {Promise<{ values: Map<string, number>, content: Uint8Array }>}
   */
  async #readStream(at, keys) {
    const stream = streamAt(this.file, at) ?? fail(at, 'a stream was expected');
    const values = dictionaryOf(this.file, at, ['Length', 'Filter', ...keys]);
    const content = this.file.subarray(stream.start, stream.end);
    if (!values.has('Filter')) return { values, content };
    requireName(this.file, values, 'Filter', 'FlateDecode');
    return { values, content: await inflate(content, MAX_CONTENT) };
  }
}
