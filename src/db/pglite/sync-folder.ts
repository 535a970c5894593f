import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Open at once, so that the device can take several flushes together. */
const AT_ONCE = 16;

/**
 * Brings all that was written below a folder to the disk, names too. The file system as a whole takes one call where
 * there is `sync -f` (GNU, BusyBox), which is many times faster than a thousand files.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'linux')
    try {
      await promisify(execFile)('sync', ['-f', folder]);
      return;
    } catch {
      // There is no such program, or it has no such option.
    }
  await syncEach(folder);
}

/** The same, file by file. Windows syncs no folders, and needs to be able to write what it syncs. */
async function syncEach(folder: string): Promise<void> {
  const windows = process.platform === 'win32';
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || (entry.isDirectory() && !windows))
    .map((entry) => join(entry.parentPath, entry.name));
  if (!windows) paths.push(folder);
  const sync = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) await syncPath(path, windows ? 'r+' : 'r');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sync));
}

async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
