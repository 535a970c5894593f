import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Digest, type Spool } from '../domain/archive/bag.ts';
import type { ArchiveSource } from '../domain/archive/bag-check.ts';
import { badInput, conflict } from '../domain/kernel/errors.ts';
import { StoreError } from '../files/store/store.ts';
import type { TarMap } from '../lib/tar/tar-map.ts';

/** Runs `work` with a spool in a temporary folder beside this file, which only the caller of this program can read. */
export async function withSpool<Result>(
  file: string,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(`${file}.rows-`).catch((error) => {
    throw badInput(`${file} cannot be written (${error.code})`);
  });
  try {
    return await work((path, pieces) => spoolTo(join(folder, path.replaceAll('/', '-')), path, pieces));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function spoolTo(stored: string, path: string, pieces: AsyncIterable<string>) {
  const digest = new Digest();
  const bytes = async function* () {
    for await (const piece of pieces) {
      const chunk = Buffer.from(piece);
      digest.add(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(bytes()), createWriteStream(stored, { mode: 0o600 }));
  const open = async (range: { start: number; end: number }) => createReadStream(stored, range);
  return { path, size: digest.size, sha256: digest.sha256, open };
}

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
