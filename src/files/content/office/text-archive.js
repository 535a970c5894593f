// Plain JavaScript, as everything that text-task.js loads.
import { inflateRawSync } from 'node:zlib';
import { Unreadable } from '../../child/text-collect.js';
import { walkXml } from '../markup/text-markup.js';
import { contentStart, entryKey, readDirectory } from './zip-directory.js';

/** Limit of the unpacked bytes of all entries that are read. */
const MAX_UNPACKED_BYTES = 128 * 2 ** 20;

const STORED = 0;
const DEFLATED = 8;

/**
 * A ZIP archive in memory, of which single entries are unpacked, by name. An entry never unpacks to more than its size in the directory,
 * and these sizes are added up beforehand, so a ZIP bomb is refused before it is unpacked.
 */
export class Archive {
  /** @type {Uint8Array} */
  #bytes;
  /** @type {DataView} */
  #view;
  /** @type {Map<string, import('./zip-directory.js').Entry>} */
  #entries;
  #unpacked = 0;

  /** Throws Unreadable where there is no directory, or one that is too long. */
  constructor(/** @type {Uint8Array} */ bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#entries = unreadableIfBroken(() => readDirectory(this.#view));
  }

  /** The keys of the entries. */
  get names() {
    return [...this.#entries.keys()];
  }

  has(/** @type {string} */ name) {
    return this.#entries.has(entryKey(name));
  }

  /** The bytes of an entry, by any spelling of its name; undefined when there is none. Throws Unreadable. */
  read(/** @type {string} */ name) {
    const entry = this.#entries.get(entryKey(name));
    if (!entry) return undefined;
    this.#unpacked += Math.max(entry.size, entry.method === STORED ? entry.packed : 0);
    if (this.#unpacked > MAX_UNPACKED_BYTES) throw new Unreadable('It unpacks to more than 128 MB.');
    return unreadableIfBroken(() => this.#unpack(entry));
  }

  /** Reports an XML entry to the listener; nothing if it does not exist. Throws Unreadable. */
  walk(/** @type {string} */ name, /** @type {import('../markup/text-markup.js').Listener} */ listener) {
    const bytes = this.read(name);
    if (bytes) walkXml(bytes, listener);
  }

  #unpack(/** @type {import('./zip-directory.js').Entry} */ entry) {
    const start = contentStart(this.#view, entry);
    const packed = this.#bytes.subarray(start, start + entry.packed);
    if (entry.method === STORED) return packed;
    if (entry.method !== DEFLATED) throw new RangeError('an unknown compression');
    return inflateRawSync(packed, { maxOutputLength: Math.max(entry.size, 1) });
  }
}

/**
 * @template Result
 * @param {() => Result} read
 */
function unreadableIfBroken(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The archive is broken.', { cause: error });
  }
}
