import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { LogSync } from './log-sync.ts';
import { syncFolder } from './sync-folder.ts';
import { SyncedFiles } from './synced-files.ts';

/** `-F` turns fsync off. Emscripten ignores fdatasync, PostgreSQL's first choice for its log, but calls fsync. */
const START = [...PGlite.defaultStartParams.filter((each) => each !== '-F'), '-c', 'wal_sync_method=fsync'];

/** Exists in the folder while it is closed and completely synced; a start without it syncs the folder first. */
const MARKER = 'docgraph.synced';

/** Opens a folder without syncs: data survive the end of the process, but not of the machine. */
export async function openUnsynced(folder: string, options: PGliteOptions): Promise<PGlite> {
  await rm(join(folder, MARKER), { force: true });
  return PGlite.create({ ...options, dataDir: folder });
}

/** An embedded PostgreSQL that returns no result before the log it depends on is on disk. */
export class SyncedPGlite extends PGlite {
  readonly #folder: string;
  readonly #log: LogSync;

  private constructor(folder: string, log: LogSync, options: PGliteOptions) {
    super(options);
    this.#folder = folder;
    this.#log = log;
  }

  /** `onFailure` is called when a sync fails: earlier writes may be lost. */
  static async open(
    folder: string,
    options: PGliteOptions,
    onFailure: (error: Error) => void,
  ): Promise<SyncedPGlite> {
    const isNew = !existsSync(folder);
    const marker = join(folder, MARKER);
    if (!isNew && !existsSync(marker)) await syncFolder(folder);
    await rm(marker, { force: true });
    const log = new LogSync(onFailure);
    const fs = new SyncedFiles(folder, log);
    const pglite = new SyncedPGlite(folder, log, { ...options, fs, startParams: START });
    await pglite.waitReady;
    if (isNew) await syncFolder(dirname(folder));
    fs.opened();
    return pglite;
  }

  override async query<Row>(...args: Parameters<PGlite['query']>) {
    const result = await super.query<Row>(...args);
    await this.#log.done();
    return result;
  }

  override async exec(...args: Parameters<PGlite['exec']>) {
    const results = await super.exec(...args);
    await this.#log.done();
    return results;
  }

  override async transaction<Result>(...args: Parameters<typeof PGlite.prototype.transaction<Result>>) {
    const result = await super.transaction<Result>(...args);
    await this.#log.done();
    return result;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#log.done();
    await writeFile(join(this.#folder, MARKER), '');
  }
}
