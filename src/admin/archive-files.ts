import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Spool } from '../domain/archive/bag.ts';
import type { ArchiveSource } from '../domain/archive/bag-check.ts';
import { badInput, conflict } from '../domain/kernel/errors.ts';
import { StoreError } from '../files/store/store.ts';
import { withSpool } from '../jobs/spool.ts';
import type { TarMap } from '../lib/tar/tar-map.ts';

/** Runs `work` with a spool in a temporary folder beside this file. */
export const withFolderSpool = <Result>(
  file: string,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> =>
  withSpool(`${file}.rows-`, work).catch((error) => {
    throw error.syscall === 'mkdtemp' ? badInput(`${file} cannot be written (${error.code})`) : error;
  });

/** Writes an archive to a new file, which only the caller of this program can read; none is left after a failure. */
export async function writeArchive(map: TarMap, file: string): Promise<void> {
  const target = createWriteStream(file, { mode: 0o600, flags: 'wx' });
  let isNew = true;
  target.once('error', (error: NodeJS.ErrnoException) => {
    isNew = error.code !== 'EEXIST';
  });
  try {
    await pipeline(Readable.from(map.read()), target);
  } catch (error) {
    if (!isNew) throw badInput(`${file} exists already`);
    await rm(file, { force: true });
    if (error instanceof StoreError && error.code === 'missing')
      throw conflict('A file was purged during the export. Export again.');
    throw error;
  }
}

/** Runs `work` on an archive in a file. */
export async function withArchive<Result>(
  file: string,
  work: (source: ArchiveSource) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file).catch((error) => {
    throw badInput(`${file} is not readable (${error.code})`);
  });
  try {
    const { size } = await handle.stat();
    return await work({
      size,
      async read(start, end) {
        const { buffer, bytesRead } = await handle.read(
          Buffer.alloc(end - start + 1),
          0,
          end - start + 1,
          start,
        );
        if (bytesRead !== buffer.length) throw badInput(`${file} was changed while it was read`);
        return buffer;
      },
    });
  } finally {
    await handle.close();
  }
}
