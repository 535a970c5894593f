import type { Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { typeOfId } from '../../lib/id.ts';
import { type BoundedCache, boundedCache } from './bounded-cache.ts';
import { type BlobStat, type FinishedBlob, StoreError } from './store.ts';

/** The folders of a store on disk, and what the process caches about the objects in them. */
export interface Disk {
  root: string;
  incoming: string;
  blobs: string;
  /** The hash over an unfinished file after the last append; `mark` identifies that state of the file (FileState). */
  hashes: BoundedCache<{ hash: Hash; mark: string }>;
  digests: BoundedCache<FinishedBlob>;
  /** Keys that a call of this process is writing. */
  busy: Set<string>;
  /** Paths of the folders of finished files that this process has synced in theirs. */
  shards: Set<string>;
}

const MAX_CACHED = 1_000;

/** A link must not lead out of the folder, and a pipe instead of a file must not block. Windows has neither flag. */
const NO_FOLLOW_NO_BLOCK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FLAGS = {
  read: constants.O_RDONLY | NO_FOLLOW_NO_BLOCK,
  write: constants.O_RDWR | NO_FOLLOW_NO_BLOCK,
  create: constants.O_RDWR | constants.O_CREAT | NO_FOLLOW_NO_BLOCK,
};

export async function openDisk(dir: string): Promise<Disk> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const root = await realpath(dir);
  await chmod(root, 0o700);
  return {
    root,
    incoming: await ensureFolder(join(root, 'incoming')),
    blobs: await ensureFolder(join(root, 'blobs')),
    hashes: boundedCache(MAX_CACHED),
    digests: boundedCache(MAX_CACHED),
    busy: new Set(),
    shards: new Set(),
  };
}

/** Creates the folder if it is missing. Throws when something else, such as a link, has its name. */
async function ensureFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch(ignoreError('EEXIST'));
  if (!(await isFolder(path))) throw new Error(`${path} is not a folder.`);
  await chmod(path, 0o700);
  return path;
}

/** The folder of a finished file. It is on the disk then, also if a process created it that ended before it could sync. */
export async function ensureShard(disk: Disk, key: string): Promise<string> {
  const path = shardPath(disk, key);
  if (disk.shards.has(path) && (await isFolder(path))) return path;
  await ensureFolder(path);
  await syncFolder(disk.blobs);
  disk.shards.add(path);
  return path;
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(ignoreError('ENOENT')))?.isDirectory() ?? false;

/** For `catch`: undefined for errors with this code; throws all others. */
export const ignoreError =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };

export const isKey = (name: string): boolean => typeOfId(name) === 'Blob';

function validKey(key: string): string {
  if (!isKey(key)) throw new TypeError('A blob key is an id such as blb_….');
  return key;
}

/** The end of the id, which is random: its beginning is a time, which would fill one folder after the other. */
export const shardOf = (key: string): string => validKey(key).slice(-2);
const shardPath = (disk: Disk, key: string): string => join(disk.blobs, shardOf(key));
export const finishedPath = (disk: Disk, key: string): string => join(shardPath(disk, key), key);
export const incomingPath = (disk: Disk, key: string): string => join(disk.incoming, validKey(key));

/** Opens a regular file, never the target of a link. New files have mode 0600. Rejects as `open` does. */
export async function openFile(path: string, mode: keyof typeof FLAGS): Promise<FileHandle> {
  const file = await open(path, FLAGS[mode], 0o600);
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new Error(`${path} is not a file.`);
}

/** A finished file, open for reading. Undefined where there is none. */
export async function openFinished(disk: Disk, key: string): Promise<FileHandle | undefined> {
  const path = finishedPath(disk, key);
  return (await isFolder(shardPath(disk, key)))
    ? openFile(path, 'read').catch(ignoreError('ENOENT'))
    : undefined;
}

async function entry(path: string, finished: boolean): Promise<BlobStat | undefined> {
  const stats = await lstat(path).catch(ignoreError('ENOENT'));
  return stats?.isFile() ? { size: stats.size, modifiedAt: stats.mtime, finished } : undefined;
}

export const finishedStat = async (disk: Disk, key: string): Promise<BlobStat | undefined> =>
  (await isFolder(shardPath(disk, key))) ? entry(finishedPath(disk, key), true) : undefined;

/** Looks for the unfinished file first: it may be moved to the finished path meanwhile, never back. */
export async function statFile(disk: Disk, key: string): Promise<BlobStat | undefined> {
  const unfinished = await entry(incomingPath(disk, key), false);
  return (await finishedStat(disk, key)) ?? unfinished;
}

/** Syncs the entries of a folder, so that renames and new files survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  await folder.sync().finally(() => folder.close());
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** For `catch`: StoreError `full` for a full disk; throws all other errors. */
export const nameFailure =
  (key: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    throw DISK_FULL.has(code ?? '') ? new StoreError('full', key, { cause: error }) : error;
  };
