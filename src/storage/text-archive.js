// Plain JavaScript, as all that text-worker.js loads.
import { unzipSync } from 'fflate';
import { Unreadable } from './text-collect.js';
import { walkXml } from './text-markup.js';

const MOST_ENTRIES = 20_000;

/** How many bytes an archive may unpack to, all parts that are read together. */
const MOST_BYTES = 128 * 2 ** 20;

/**
 * A ZIP archive in memory, of which single entries are unpacked. An entry never unpacks to more than its directory says,
 * and what that says is added up beforehand: a bomb is refused before it goes off.
 */
export class Archive {
  /** @type {Map<string, number>} */
  #sizes = new Map();
  /** @type {Uint8Array} */
  #bytes;
  #unpacked = 0;

  /** Throws Unreadable where there is no directory, or one that is too long. */
  constructor(/** @type {Uint8Array} */ bytes) {
    this.#bytes = bytes;
    this.#unzip(({ name, originalSize }) => {
      if (this.#sizes.size >= MOST_ENTRIES)
        throw new Unreadable('It is an archive of more than 20,000 entries.');
      this.#sizes.set(name, originalSize);
      return false;
    });
  }

  get names() {
    return [...this.#sizes.keys()];
  }

  /** The bytes of an entry; undefined when there is none. Throws Unreadable. */
  read(/** @type {string} */ name) {
    const size = this.#sizes.get(name);
    if (size === undefined) return undefined;
    this.#unpacked += size;
    if (this.#unpacked > MOST_BYTES) throw new Unreadable('It unpacks to more than 128 MB.');
    let taken = false;
    return this.#unzip((entry) => {
      const wanted = !taken && entry.name === name;
      taken ||= wanted;
      return wanted;
    })[name];
  }

  /** Tells the listener of an XML entry; of nothing when there is none. Throws Unreadable. */
  walk(/** @type {string} */ name, /** @type {import('./text-markup.js').Listener} */ listener) {
    const bytes = this.read(name);
    if (bytes) walkXml(bytes, listener);
  }

  #unzip(/** @type {import('fflate').UnzipFileFilter} */ filter) {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      throw new Unreadable('The archive is broken.', { cause: error });
    }
  }
}
