import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { LogSync } from './log-sync.ts';

/** The private parts of Emscripten's NODEFS that are replaced here; test/db/postgres/private-parts.test.ts checks them. */
interface Nodefs {
  node_ops: Record<(typeof AFTER_LOG)[number], (...args: never[]) => unknown>;
  stream_ops: {
    fsync?: (stream: Stream) => number;
    write: (stream: Stream, ...args: never[]) => number;
    setattr: (stream: Stream, ...args: never[]) => void;
    close: (stream: Stream) => void;
  };
  tryFSOperation<Result>(operation: () => Result): Result;
}

interface Stream {
  nfd: number;
  node: Node;
}

interface Node {
  mode: number;
  parent: { name: string };
}

/** Operations on directory entries; PostgreSQL relies on the log being flushed before them. */
const AFTER_LOG = ['setattr', 'rename', 'unlink', 'rmdir'] as const;

const isLog = ({ node }: Stream): boolean => node.parent.name === 'pg_wal';

const isFile = ({ node }: Stream): boolean => (node.mode & 0o170000) === 0o100000;

/**
 * The files of the embedded PostgreSQL in a folder, with an fsync, which NODEFS lacks. Syncs of the write-ahead log are left
 * to `log`, which completes them before anything else is written, renamed or removed.
 */
export class SyncedFiles extends NodeFS {
  readonly #log: LogSync;
  #opening = true;

  constructor(folder: string, log: LogSync) {
    super(folder);
    this.#log = log;
  }

  /** Call when the database is open. Until then, files not written since the start count as synced by the caller. */
  opened(): void {
    this.#opening = false;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? [])];
    preRun.push((module) => this.#replaceIn((module as unknown as Emscripten).FS.filesystems.NODEFS));
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #replaceIn({ node_ops: nodes, stream_ops: streams, tryFSOperation: attempt }: Nodefs): void {
    const { write, setattr, close } = streams;
    const written = new WeakSet<Node>();
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
      const operation = nodes[name];
      nodes[name] = (...args) => {
        afterLog();
        return operation(...args);
      };
    }
  }

  #syncAfterLog(file: number): void {
    this.#log.syncNow();
    fsyncSync(file);
  }
}

interface Emscripten {
  FS: { filesystems: { NODEFS: Nodefs } };
}
