import { createHash, type Hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  type Disk,
  ensureShard,
  finishedPath,
  finishedStat,
  ignoreError,
  incomingPath,
  nameFailure,
  openFile,
  openFinished,
  syncFolder,
} from './disk-files.ts';
import { copyToFile } from './file-copy.ts';
import { type FinishedBlob, StoreError } from './store.ts';

const READ_BUFFER = 1024 * 1024;

/** Loaded at first use, because not every system has it: without it, only one process may write to the folder. */
let native: { tryLock: (fd: number) => boolean } | undefined;
function lockFile(file: FileHandle): boolean {
  try {
    native ??= createRequire(import.meta.url)('fs-native-extensions') as typeof native;
  } catch {
    native = { tryLock: () => true };
  }
  return native?.tryLock(file.fd) ?? true;
}

/** `mark` changes with every write to the file, and when another file gets its name. */
interface FileState {
  size: number;
  mark: string;
}

const stateFrom = ({ ino, size, mtimeNs }: BigIntStats): FileState => ({
  size: Number(size),
  mark: `${ino} ${size} ${mtimeNs}`,
});

const stateOf = async (file: FileHandle): Promise<FileState> => stateFrom(await file.stat({ bigint: true }));

/** Undefined where the path names another file than the opened one: another process may have finished or deleted it before the lock. */
async function lockedState(file: FileHandle, path: string): Promise<FileState | undefined> {
  const [opened, named] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(path, { bigint: true }).catch(ignoreError('ENOENT')),
  ]);
  return opened.ino === named?.ino && opened.dev === named.dev ? stateFrom(opened) : undefined;
}

/** Runs `task` on the unfinished file, one at a time in this process and, by the kernel's lock, in all processes. */
async function withFileLock<Result>(
  disk: Disk,
  key: string,
  mode: 'write' | 'create',
  task: (file: FileHandle, state: FileState) => Promise<Result>,
): Promise<Result> {
  const path = incomingPath(disk, key);
  if (disk.busy.has(key)) throw new StoreError('busy', key);
  disk.busy.add(key);
  try {
    const file = await openFile(path, mode);
    try {
      const state = lockFile(file) ? await lockedState(file, path) : undefined;
      if (!state) throw new StoreError('busy', key);
      if (await finishedStat(disk, key)) await rejectFinished(key, path);
      return await task(file, state);
    } finally {
      await file.close();
    }
  } catch (error) {
    return nameFailure(key)(error);
  } finally {
    disk.busy.delete(key);
  }
}

/** Deletes the unfinished file, which opening it has just created, and throws StoreError `finished`. */
async function rejectFinished(key: string, path: string): Promise<never> {
  await unlink(path);
  throw new StoreError('finished', key);
}

export function append(disk: Disk, key: string, offset: number, bytes: AsyncIterable<Uint8Array>) {
  return withFileLock(disk, key, 'create', async (file, before) => {
    if (before.size !== offset) throw new StoreError('offset', key);
    const hash = offset === 0 ? createHash('sha256') : takeHash(disk, key, before.mark);
    const source = await copy(file, offset, bytes, hash);
    const size = await keep(disk, key, file, { offset, hash });
    if (source.failed) throw source.error;
    return size;
  });
}

/** As `append` and `finish`, in one step: nothing of it must survive a power cut before the object is whole. */
export function write(disk: Disk, key: string, bytes: AsyncIterable<Uint8Array>): Promise<FinishedBlob> {
  return withFileLock(disk, key, 'create', async (file, before) => {
    if (before.size > 0) throw new StoreError('offset', key);
    const hash = createHash('sha256');
    const source = await copy(file, 0, bytes, hash);
    if (source.failed) {
      await keep(disk, key, file, { offset: 0, hash });
      throw source.error;
    }
    const { size } = await file.stat();
    return publish(disk, key, { size, sha256: Uint8Array.from(hash.digest()) });
  });
}

/** Leaves what was written from `offset` on for another call to go on with. Returns the size of the file. */
async function keep(
  disk: Disk,
  key: string,
  file: FileHandle,
  { offset, hash }: { offset: number; hash: Hash | undefined },
): Promise<number> {
  if (offset === 0) await syncFolder(disk.incoming);
  const { size, mark } = await stateOf(file);
  if (hash) disk.hashes.put(key, { hash, mark });
  return size;
}

/** The hash over the file as it is now, removed from the cache; undefined if the cached one is of another state. */
function takeHash(disk: Disk, key: string, mark: string): Hash | undefined {
  const cached = disk.hashes.take(key);
  return cached?.mark === mark ? cached.hash : undefined;
}

/**
 * A failure of the source ends the write like its regular end, and is returned; a failure of the disk throws. After a failed
 * sync the kernel may have dropped pages that it reports as clean, so all bytes of this write are truncated.
 */
async function copy(file: FileHandle, offset: number, bytes: AsyncIterable<Uint8Array>, hash?: Hash) {
  const result = { failed: false, error: undefined as unknown };
  async function* untilFailure() {
    try {
      yield* bytes;
    } catch (error) {
      Object.assign(result, { failed: true, error });
    }
  }
  try {
    await copyToFile(untilFailure(), file, offset, hash);
  } catch (error) {
    await file.truncate(offset).catch(() => {});
    throw error;
  }
  return result;
}

export async function discard(disk: Disk, key: string): Promise<void> {
  await withFileLock(disk, key, 'write', () => unlink(incomingPath(disk, key))).catch((error) => {
    if (!(error instanceof StoreError && error.code === 'finished')) ignoreError('ENOENT')(error);
  });
}

export async function remove(disk: Disk, key: string): Promise<void> {
  if (await finishedStat(disk, key)) await unlink(finishedPath(disk, key)).catch(ignoreError('ENOENT'));
  await discard(disk, key);
}

export async function finish(disk: Disk, key: string, size: number): Promise<FinishedBlob> {
  const mode = size === 0 ? 'create' : 'write';
  const published = await withFileLock(disk, key, mode, async (file, state) => {
    if (state.size !== size) throw new StoreError('offset', key);
    const hash = takeHash(disk, key, state.mark) ?? (await hashOf(file));
    await file.sync();
    return publish(disk, key, { size, sha256: Uint8Array.from(hash.digest()) });
  }).catch((error) => {
    if (!(error instanceof StoreError && error.code === 'finished')) ignoreError('ENOENT')(error);
  });
  const blob = published ?? (await digestOf(disk, key));
  if (blob?.size !== size) throw new StoreError('offset', key);
  return blob;
}

/**
 * The rename comes last: a file with the finished path is complete and on the disk. If a power cut brings the unfinished name
 * back as well, it counts no more.
 */
async function publish(disk: Disk, key: string, blob: FinishedBlob): Promise<FinishedBlob> {
  const shard = await ensureShard(disk, key);
  await rename(incomingPath(disk, key), finishedPath(disk, key));
  await syncFolder(shard);
  disk.digests.put(key, blob);
  return blob;
}

/** Size and hash of a finished object; undefined if there is none. */
async function digestOf(disk: Disk, key: string): Promise<FinishedBlob | undefined> {
  const file = await openFinished(disk, key);
  if (!file) return undefined;
  try {
    const cached = disk.digests.take(key);
    const { size } = await file.stat();
    const blob = cached ?? { size, sha256: Uint8Array.from((await hashOf(file)).digest()) };
    disk.digests.put(key, blob);
    return blob;
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
