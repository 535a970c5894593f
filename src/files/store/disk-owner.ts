import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, ignoreError, syncFolder } from './disk-files.ts';

const ownerPath = (disk: Disk): string => join(disk.root, 'owner');

/** An empty file is that of a process that ended while it wrote. */
export async function readOwner(disk: Disk): Promise<string | undefined> {
  const text = await readFile(ownerPath(disk), 'utf8').catch(ignoreError('ENOENT'));
  return text?.trim() || undefined;
}

export async function recordOwner(disk: Disk, database: string, replace = false): Promise<string> {
  const options = { mode: 0o600, flush: true };
  const create = () =>
    writeFile(ownerPath(disk), `${database}\n`, { ...options, flag: 'wx' }).catch(ignoreError('EEXIST'));
  if (!replace) await create();
  if (replace || !(await readOwner(disk))) {
    const file = join(disk.root, `owner.${randomBytes(8).toString('hex')}`);
    await writeFile(file, `${database}\n`, options);
    await rename(file, ownerPath(disk));
  }
  await syncFolder(disk.root);
  return (await readOwner(disk)) ?? database;
}
