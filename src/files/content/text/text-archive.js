// Plain JavaScript, as all that text-task.js loads.
import { inflateRawSync } from 'node:zlib';
import { Unreadable } from '../../child/text-collect.js';
import { walkXml } from './text-markup.js';
import { contentStart, readDirectory } from './zip-directory.js';

/** How many bytes an archive may unpack to, all parts that are read together. */
const MOST_BYTES = 128 * 2 ** 20;

const STORED = 0;
const DEFLATED = 8;

/**
 * A ZIP archive in memory, of which single entries are unpacked. An entry never unpacks to more than its directory says,
 * and what that says is added up beforehand: a bomb is refused before it goes off.
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
    this.#entries = whole(() => readDirectory(this.#view));
  }

  get names() {
    return [...this.#entries.keys()];
  }

  /** The bytes of an entry; undefined when there is none. Throws Unreadable. */
  read(/** @type {string} */ name) {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#unpacked += Math.max(entry.size, entry.method === STORED ? entry.packed : 0);
    if (this.#unpacked > MOST_BYTES) throw new Unreadable('It unpacks to more than 128 MB.');
    return whole(() => this.#unpack(entry));
  }

  /** Tells the listener of an XML entry; of nothing when there is none. Throws Unreadable. */
  walk(/** @type {string} */ name, /** @type {import('./text-markup.js').Listener} */ listener) {
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
function whole(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The archive is broken.', { cause: error });
  }
}
