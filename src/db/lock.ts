import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { DatabaseUnusable } from './database.ts';

/** Another process works in the data folder. */
export class FolderLocked extends DatabaseUnusable {}

/** A link in the lock's place must not make us write somewhere else. Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Takes the data folder for this process, making it (mode 0700) where it is missing; resolves to what gives it back.
 * The kernel keeps the lock while the file is open, so it ends with the process however that dies, and the note of a
 * dead process closes nothing: the number in the file is for the message alone. Never delete the file.
 * Throws FolderLocked when another process (or an earlier call in this one) holds it, DatabaseUnusable when the folder
 * cannot be used.
 */
export async function lockFolder(dir: string): Promise<() => Promise<void>> {
  const folder = resolve(dir);
  let fd: number | undefined = take(folder);
  return async () => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
}

function take(folder: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeFile(folder, join(folder, 'lock'));
  } catch (error) {
    if (error instanceof FolderLocked) throw error;
    throw new DatabaseUnusable(`The data folder ${folder} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Gives a bare descriptor: a FileHandle that nobody refers to any more is closed by the garbage collector. */
function takeFile(folder: string, file: string): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o600);
  try {
    if (!tryLock(fd)) throw new FolderLocked(refusal(folder, readHolder(file)));
    ftruncateSync(fd);
    writeSync(fd, `${process.pid}\n`);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Loaded at the first use: whoever keeps the data on a server needs no native code. The package has no types. */
function tryLock(fd: number): boolean {
  const native = createRequire(import.meta.url)('fs-native-extensions') as { tryLock(fd: number): boolean };
  return native.tryLock(fd);
}

const refusal = (folder: string, holder: string | undefined): string =>
  `The data folder ${folder} is in use by another process${holder ? ` (pid ${holder})` : ''}. ` +
  'Stop it first, or set DATA_DIR to another folder.';

/** Nothing where the number is not written yet, or where the lock forbids reading as well (Windows). */
function readHolder(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').match(/^\d+(?=\n)/)?.[0];
  } catch {
    return undefined;
  }
}
