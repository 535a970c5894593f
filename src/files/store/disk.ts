import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Disk, isFolder, isKey, openDisk, openFinished, shardOf, statFile } from './disk-files.ts';
import { readOwner, recordOwner } from './disk-owner.ts';
import { append, discard, finish, remove, write } from './disk-write.ts';
import { type BlobStat, type BlobStore, StoreError } from './store.ts';

const READ_BUFFER = 256 * 1024;

/**
 * Blobs as files below `dir` (created if missing): `incoming/<id>` while they are written, then
 * `blobs/<last two characters of the id>/<id>`; the owner in `owner`. Folders get mode 0700, files 0600. Rejects when `dir` cannot be used.
 */
export async function diskStore(dir: string): Promise<BlobStore> {
  const disk = await openDisk(dir);
  return {
    ping: () => access(disk.incoming, constants.R_OK | constants.W_OK | constants.X_OK),
    owner: () => readOwner(disk),
    own: (database, replace) => recordOwner(disk, database, replace),
    stat: async (key) => statFile(disk, key),
    append: async (key, offset, bytes) => append(disk, key, offset, bytes),
    write: async (key, bytes) => write(disk, key, bytes),
    discard: (key) => discard(disk, key),
    finish: (key, size) => finish(disk, key, size),
    read: (key, range) => read(disk, key, range),
    remove: (key) => remove(disk, key),
    list: (after) => list(disk, after),
    // Finishing is a rename, which leaves nothing behind.
    tidy: async () => 0,
  };
}

async function read(disk: Disk, key: string, range?: { start: number; end: number }): Promise<Readable> {
  const file = await openFinished(disk, key);
  if (!file) throw new StoreError('missing', key);
  return file.createReadStream({ ...range, highWaterMark: READ_BUFFER });
}

/** In the order of the folders, so that a listing can continue after any key. */
async function* list(disk: Disk, after?: string): AsyncGenerator<BlobStat & { key: string }> {
  const unfinished = (await readdir(disk.incoming)).filter(isKey);
  const folders = new Set([...(await readdir(disk.blobs)), ...unfinished.map(shardOf)]);
  for (const shard of [...folders].sort()) {
    if (after && shard < shardOf(after)) continue;
    const incoming = unfinished.filter((key) => shardOf(key) === shard);
    for (const key of new Set([...(await finishedIn(disk, shard)), ...incoming].sort())) {
      if (after && shard === shardOf(after) && key <= after) continue;
      const stats = await statFile(disk, key);
      if (stats) yield { key, ...stats };
    }
  }
}

async function finishedIn(disk: Disk, shard: string): Promise<string[]> {
  const folder = join(disk.blobs, shard);
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  return names.filter((name) => isKey(name) && shardOf(name) === shard);
}
