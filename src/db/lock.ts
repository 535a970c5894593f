import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { DatabaseUnusable } from './database.ts';

/** Another process uses the data folder. */
export class FolderLocked extends DatabaseUnusable {}

/** A symbolic link instead of the lock file must not redirect our writes. Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Locks the data folder for this process, creating it (mode 0700) if it is missing; resolves to a function that unlocks it.
 * The kernel holds the lock while the file is open, so it ends with the process, however that ends. The process id in the
 * file is only for the message; the file itself must never be deleted.
 * Throws FolderLocked if another process (or an earlier call in this one) has the lock, DatabaseUnusable if the folder
 * cannot be used.
 */
export async function lockFolder(dir: string): Promise<() => Promise<void>> {
  const folder = resolve(dir);
  let fd: number | undefined = openLocked(folder);
  return async () => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
}

function openLocked(folder: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return lockFile(folder, join(folder, 'lock'));
  } catch (error) {
    if (error instanceof FolderLocked) throw error;
    throw new DatabaseUnusable(`The data folder ${folder} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Returns a file descriptor; a FileHandle would be closed by the garbage collector once it is unreachable. */
function lockFile(folder: string, file: string): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o600);
  try {
    if (!tryLock(fd)) throw new FolderLocked(lockedMessage(folder, readLockOwner(file)));
    ftruncateSync(fd);
    writeSync(fd, `${process.pid}\n`);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Loaded at first use, since installations on a PostgreSQL server need no native code. The package has no types. */
function tryLock(fd: number): boolean {
  const native = createRequire(import.meta.url)('fs-native-extensions') as { tryLock(fd: number): boolean };
  return native.tryLock(fd);
}

const lockedMessage = (folder: string, owner: string | undefined): string =>
  `The data folder ${folder} is in use by another process${owner ? ` (pid ${owner})` : ''}. ` +
  'Stop it first, or set DATA_DIR to another folder.';

/** Undefined if the process id is not written yet, or if the lock forbids reading too (Windows). */
function readLockOwner(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').match(/^\d+(?=\n)/)?.[0];
  } catch {
    return undefined;
  }
}
