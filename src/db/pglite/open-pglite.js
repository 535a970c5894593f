import { existsSync, openAsBlob, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { LogSync } from './log-sync.js';
import { syncFolder } from './sync-folder.js';
import { SyncedFiles } from './synced-files.js';

/** `-F` turns fsync off. Emscripten ignores fdatasync, PostgreSQL's first choice for its log, but calls fsync. */
const START = [...PGlite.defaultStartParams.filter((each) => each !== '-F'), '-c', 'wal_sync_method=fsync'];

/** Exists in the folder while it is closed and completely synced; a start without it syncs the folder first. */
const MARKER = 'docgraph.synced';

/**
 * An embedded PostgreSQL. `log`: its results may be passed on only when the syncs of the log are done.
 * @typedef {{ pglite: PGlite, log?: LogSync, close(): Promise<void> }} Embedded
 */

/**
 * Opens the database of a folder, or one in memory. `sync`: commits are synced to disk. `dump`: the file of a prepared database
 * to start from instead of an empty one.
 * @param {{ folder?: string, sync: boolean, dump?: string }} options
 * @param {{ onStderr: (line: string) => boolean, onSyncFailure: (error: Error) => void }} hooks
 * @returns {Promise<Embedded>}
 */
export async function openEmbedded({ folder, sync, dump }, { onStderr, onSyncFailure }) {
  const loadDataDir = dump ? await openAsBlob(dump) : undefined;
  const options = { extensions: { btree_gin, pg_trgm }, onStderr, ...(loadDataDir && { loadDataDir }) };
  if (folder && sync) return openSynced(folder, options, onSyncFailure);
  if (folder) await rm(join(folder, MARKER), { force: true });
  const pglite = await PGlite.create({ ...options, ...(folder && { dataDir: folder }) });
  return { pglite, close: () => pglite.close() };
}

/**
 * @param {string} folder
 * @param {import('@electric-sql/pglite').PGliteOptions} options
 * @param {(error: Error) => void} onSyncFailure Called when a sync fails: earlier writes may be lost.
 * @returns {Promise<Embedded>}
 */
async function openSynced(folder, options, onSyncFailure) {
  const isNew = !existsSync(folder);
  const marker = join(folder, MARKER);
  if (!isNew && !existsSync(marker)) await syncFolder(folder);
  await rm(marker, { force: true });
  const log = new LogSync(onSyncFailure);
  const fs = new SyncedFiles(folder, log);
  const pglite = await PGlite.create({ ...options, fs, startParams: START });
  if (isNew) await syncFolder(dirname(folder));
  fs.opened();
  const close = async () => {
    await pglite.close();
    await log.done();
    writeFileSync(marker, '');
  };
  return { pglite, log, close };
}
