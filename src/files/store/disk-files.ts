import type { Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { typeOfId } from '../../lib/id.ts';
import { type Recent, recent } from './recent.ts';
import { type BlobStat, type FinishedBlob, StoreError } from './store.ts';

/** The folders of a store on disk, and what the process remembers of the objects in them. */
export interface Disk {
  incoming: string;
  blobs: string;
  /** The hash over an unfinished file as the last append left it; `mark` tells whether it still is that file. */
  hashes: Recent<{ hash: Hash; mark: string }>;
  digests: Recent<FinishedBlob>;
  /** Keys that a call of this process is writing. */
  busy: Set<string>;
}

const REMEMBERED = 1_000;

/** A link must not lead out of the folder, and a pipe in a file's place must not block. Windows knows neither flag. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FLAGS = {
  read: constants.O_RDONLY | CAREFULLY,
  write: constants.O_RDWR | CAREFULLY,
  create: constants.O_RDWR | constants.O_CREAT | CAREFULLY,
};

export async function openDisk(dir: string): Promise<Disk> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const root = await realpath(dir);
  await chmod(root, 0o700);
  return {
    incoming: await ownFolder(join(root, 'incoming')),
    blobs: await ownFolder(join(root, 'blobs')),
    hashes: recent(REMEMBERED),
    digests: recent(REMEMBERED),
    busy: new Set(),
  };
}

/** Makes the folder where it is missing. Throws when something else, such as a link, has its name. */
export async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'));
  if (!(await isFolder(path))) throw new Error(`${path} is not a folder.`);
  await chmod(path, 0o700);
  return path;
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(unless('ENOENT')))?.isDirectory() ?? false;

/** For `catch`: turns one kind of failure into undefined and lets every other through. */
export const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };

export const isKey = (name: string): boolean => typeOfId(name) === 'Blob';

function checked(key: string): string {
  if (!isKey(key)) throw new TypeError('A blob key is an id such as blb_….');
  return key;
}

/** From the end of the id, which is random: its beginning is a clock, and would fill one folder at a time. */
export const shardOf = (key: string): string => checked(key).slice(-2);
export const shardPath = (disk: Disk, key: string): string => join(disk.blobs, shardOf(key));
export const finishedPath = (disk: Disk, key: string): string => join(shardPath(disk, key), key);
export const incomingPath = (disk: Disk, key: string): string => join(disk.incoming, checked(key));

/** Opens a file of ours, never what a link points at. New files are for us alone. Rejects as `open` does. */
export async function openFile(path: string, mode: keyof typeof FLAGS): Promise<FileHandle> {
  const file = await open(path, FLAGS[mode], 0o600);
  const info = await file.stat();
  if (info.isFile()) return file;
  await file.close();
  throw new Error(`${path} is not a file.`);
}

/** A finished file, open for reading. Undefined where there is none. */
export async function openFinished(disk: Disk, key: string): Promise<FileHandle | undefined> {
  const path = finishedPath(disk, key);
  return (await isFolder(shardPath(disk, key))) ? openFile(path, 'read').catch(unless('ENOENT')) : undefined;
}

async function entry(path: string, finished: boolean): Promise<BlobStat | undefined> {
  const info = await lstat(path).catch(unless('ENOENT'));
  return info?.isFile() ? { size: info.size, modifiedAt: info.mtime, finished } : undefined;
}

export const finishedStat = async (disk: Disk, key: string): Promise<BlobStat | undefined> =>
  (await isFolder(shardPath(disk, key))) ? entry(finishedPath(disk, key), true) : undefined;

/** Looks twice at the finished place: a file that moves there between two looks must not seem to be nowhere. */
export const statFile = async (disk: Disk, key: string): Promise<BlobStat | undefined> =>
  (await finishedStat(disk, key)) ??
  (await entry(incomingPath(disk, key), false)) ??
  (await finishedStat(disk, key));

/** Makes what happened to the names in a folder outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  await folder.sync().finally(() => folder.close());
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** For `catch`: names the failures that mean a full disk. */
export const nameFailure =
  (key: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    throw NO_ROOM.has(code ?? '') ? new StoreError('full', key, { cause: error }) : error;
  };
