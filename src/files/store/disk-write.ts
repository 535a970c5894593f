import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  type Disk,
  finishedPath,
  finishedStat,
  incomingPath,
  nameFailure,
  openFile,
  openFinished,
  ownFolder,
  shardPath,
  syncFolder,
  unless,
} from './disk-files.ts';
import { copyToFile } from './file-copy.ts';
import { type FinishedBlob, StoreError } from './store.ts';

const READ_BUFFER = 1024 * 1024;

/** Loaded at the first use, as not every system has it: there, one process alone may write to the folder. */
let native: { tryLock: (fd: number) => boolean } | undefined;
function lockFile(file: FileHandle): boolean {
  try {
    native ??= createRequire(import.meta.url)('fs-native-extensions') as typeof native;
  } catch {
    native = { tryLock: () => true };
  }
  return native?.tryLock(file.fd) ?? true;
}

/** What changes with every write to a file, and with every other file that takes its name. */
async function markOf(file: FileHandle): Promise<{ size: number; mark: string }> {
  const { ino, size, mtimeNs } = await file.stat({ bigint: true });
  return { size: Number(size), mark: `${ino} ${size} ${mtimeNs}` };
}

/** Between opening a file and locking it, another process may have finished or dropped it. */
async function isStill(file: FileHandle, path: string): Promise<boolean> {
  const [held, named] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(path, { bigint: true }).catch(unless('ENOENT')),
  ]);
  return held.ino === named?.ino && held.dev === named.dev;
}

/** Runs `task` on the unfinished file, alone in this process and, by the kernel's lock, among all. */
async function alone<Result>(
  disk: Disk,
  key: string,
  mode: 'write' | 'create',
  task: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const path = incomingPath(disk, key);
  if (disk.busy.has(key)) throw new StoreError('busy', key);
  disk.busy.add(key);
  try {
    const file = await openFile(path, mode);
    try {
      if (!lockFile(file) || !(await isStill(file, path))) throw new StoreError('busy', key);
      if (await finishedStat(disk, key)) await rejectFinished(key, path);
      return await task(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return nameFailure(key)(error);
  } finally {
    disk.busy.delete(key);
  }
}

/** The file under the unfinished name is one that opening it has just made. */
async function rejectFinished(key: string, path: string): Promise<never> {
  await unlink(path);
  throw new StoreError('finished', key);
}

export function append(disk: Disk, key: string, offset: number, bytes: AsyncIterable<Uint8Array>) {
  return alone(disk, key, 'create', async (file) => {
    const before = await markOf(file);
    if (before.size !== offset) throw new StoreError('offset', key);
    const hash = offset === 0 ? createHash('sha256') : carriedOn(disk, key, before.mark);
    const arrival = await write(file, offset, bytes, hash);
    if (offset === 0) await syncFolder(disk.incoming);
    const { size, mark } = await markOf(file);
    if (hash) disk.hashes.keep(key, { hash, mark });
    if (arrival.broken) throw arrival.error;
    return size;
  });
}

function carriedOn(disk: Disk, key: string, mark: string): Hash | undefined {
  const known = disk.hashes.take(key);
  return known?.mark === mark ? known.hash : undefined;
}

/**
 * A failure of the source ends the writing as an end of the source would, and is handed back; a failure of the disk
 * throws. After a failed sync the kernel may have dropped pages that it calls clean, so nothing of it may count.
 */
async function write(file: FileHandle, offset: number, bytes: AsyncIterable<Uint8Array>, hash?: Hash) {
  const arrival = { broken: false, error: undefined as unknown };
  async function* arriving() {
    try {
      yield* bytes;
    } catch (error) {
      Object.assign(arrival, { broken: true, error });
    }
  }
  try {
    await copyToFile(arriving(), file, offset, hash);
  } catch (error) {
    await file.truncate(offset).catch(() => {});
    throw error;
  }
  return arrival;
}

export async function discard(disk: Disk, key: string): Promise<void> {
  await alone(disk, key, 'write', () => unlink(incomingPath(disk, key))).catch((error) => {
    if (!(error instanceof StoreError && error.code === 'finished')) unless('ENOENT')(error);
  });
}

export async function remove(disk: Disk, key: string): Promise<void> {
  if (await finishedStat(disk, key)) await unlink(finishedPath(disk, key)).catch(unless('ENOENT'));
  await discard(disk, key);
}

export async function finish(disk: Disk, key: string, size: number): Promise<FinishedBlob> {
  const mode = size === 0 ? 'create' : 'write';
  await alone(disk, key, mode, (file) => settle(disk, key, file, size)).catch((error) => {
    if (!(error instanceof StoreError && error.code === 'finished')) unless('ENOENT')(error);
  });
  const done = await digestOf(disk, key);
  if (done?.size !== size) throw new StoreError('offset', key);
  return done;
}

/** The name changes last: whatever is in the finished place is whole and on the disk. */
async function settle(disk: Disk, key: string, file: FileHandle, size: number): Promise<void> {
  const now = await markOf(file);
  if (now.size !== size) throw new StoreError('offset', key);
  const hash = carriedOn(disk, key, now.mark) ?? (await hashOf(file));
  await file.sync();
  await ownFolder(shardPath(disk, key));
  await rename(incomingPath(disk, key), finishedPath(disk, key));
  await Promise.all([disk.incoming, disk.blobs, shardPath(disk, key)].map(syncFolder));
  disk.digests.keep(key, { size, sha256: Uint8Array.from(hash.digest()) });
}

/** Of a finished object; undefined where there is none. */
async function digestOf(disk: Disk, key: string): Promise<FinishedBlob | undefined> {
  const file = await openFinished(disk, key);
  if (!file) return undefined;
  try {
    const known = disk.digests.take(key);
    const { size } = await file.stat();
    const done = known ?? { size, sha256: Uint8Array.from((await hashOf(file)).digest()) };
    disk.digests.keep(key, done);
    return done;
  } finally {
    await file.close();
  }
}

async function hashOf(file: FileHandle): Promise<Hash> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BUFFER);
  let position = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
