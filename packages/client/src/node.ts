import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UploadSource } from './upload/source.ts';

/** A file on the disk as a source of an upload. It is opened now, and closed at the end of the upload. */
export async function fileSource(path: string): Promise<UploadSource> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    name: basename(path),
    size,
    async read(start, length) {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
