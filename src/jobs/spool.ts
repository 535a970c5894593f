import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Digest, type Spool } from '../domain/archive/bag.ts';

/**
 * Runs `work` with a spool in a temporary folder whose path begins with `prefix`, and which only the user of this process can read. The
 * folder is removed in the end. Rejects with the error of the system if there can be none.
 */
export async function withSpool<Result>(
  prefix: string,
  work: (spool: Spool) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const folder = await mkdtemp(prefix);
  try {
    return await work((path, pieces) =>
      spoolTo(join(folder, path.replaceAll('/', '-')), path, pieces, signal),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function spoolTo(stored: string, path: string, pieces: AsyncIterable<string>, signal?: AbortSignal) {
  const digest = new Digest();
  const bytes = async function* () {
    for await (const piece of pieces) {
      const chunk = Buffer.from(piece);
      digest.add(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(bytes()), createWriteStream(stored, { mode: 0o600 }), { signal });
  const open = async (range: { start: number; end: number }) => createReadStream(stored, range);
  return { path, size: digest.size, sha256: digest.sha256, open };
}
