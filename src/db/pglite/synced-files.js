import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * The private parts of Emscripten's NODEFS that are replaced here; test/db/postgres/private-parts.test.ts checks them.
 * @typedef {{ mode: number, parent: { name: string } }} Node
 * @typedef {{ nfd: number, node: Node }} Stream
 * @typedef {object} Nodefs
 * @property {Record<string, (...args: any[]) => unknown>} node_ops
 * @property {{
 *   fsync?: (stream: Stream) => number,
 *   write: (stream: Stream, ...args: any[]) => number,
 *   setattr: (stream: Stream, ...args: any[]) => void,
 *   close: (stream: Stream) => void,
 * }} stream_ops
 * @property {<Result>(operation: () => Result) => Result} tryFSOperation
 */

/** Operations on directory entries; PostgreSQL relies on the log being flushed before them. */
const AFTER_LOG = ['setattr', 'rename', 'unlink', 'rmdir'];

const isLog = (/** @type {Stream} */ { node }) => node.parent.name === 'pg_wal';

const isFile = (/** @type {Stream} */ { node }) => (node.mode & 0o170000) === 0o100000;

/**
 * The files of the embedded PostgreSQL in a folder, with an fsync, which NODEFS lacks. Syncs of the write-ahead log are left
 * to `log`, which completes them before anything else is written, renamed or removed.
 */
export class SyncedFiles extends NodeFS {
  #log;
  #opening = true;

  /**
   * @param {string} folder
   * @param {import('./log-sync.js').LogSync} log
   */
  constructor(folder, log) {
    super(folder);
    this.#log = log;
  }

  /** Call when the database is open. Until then, files not written since the start count as synced by the caller. */
  opened() {
    this.#opening = false;
  }

  /**
   * @override
   * @type {NodeFS['init']}
   */
  async init(...args) {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? [])];
    preRun.push((module) => this.#replaceIn(/** @type {any} */ (module).FS.filesystems.NODEFS));
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  /** @param {Nodefs} nodefs */
  #replaceIn({ node_ops: nodes, stream_ops: streams, tryFSOperation: attempt }) {
    const { write, setattr, close } = streams;
    /** @type {WeakSet<Node>} */
    const written = new WeakSet();
    const afterLog = () => attempt(() => this.#log.syncNow());
    streams.write = (stream, ...args) => {
      if (!isLog(stream)) afterLog();
      written.add(stream.node);
      return write(stream, ...args);
    };
    streams.setattr = (stream, ...args) => {
      afterLog();
      written.add(stream.node);
      setattr(stream, ...args);
    };
    streams.fsync = (stream) => {
      if (this.#opening && isFile(stream) && !written.has(stream.node)) return 0;
      if (isLog(stream) && isFile(stream)) this.#log.request(stream.nfd);
      else attempt(() => this.#syncAfterLog(stream.nfd));
      return 0;
    };
    streams.close = (stream) => attempt(() => this.#log.closing(stream.nfd, () => close(stream)));
    for (const name of AFTER_LOG) {
      const operation = /** @type {(...args: any[]) => unknown} */ (nodes[name]);
      nodes[name] = (...args) => {
        afterLog();
        return operation(...args);
      };
    }
  }

  /** @param {number} file */
  #syncAfterLog(file) {
    this.#log.syncNow();
    fsyncSync(file);
  }
}
