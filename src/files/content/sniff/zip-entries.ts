import { inflateRawSync } from 'node:zlib';
import type { ByteSource } from '../../store/byte-source.ts';
import { entryKey } from '../office/zip-directory.js';

// APPNOTE 6.3.10 §4.3.7, §4.3.12 and §4.3.16: fixed sizes of the three headers read here.
export const LOCAL_HEADER = 30;
const DIRECTORY_HEADER = 46;
const END_RECORD = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY_BYTES = 256 * 1024;

const STORED = 0;
const DEFLATED = 8;

/** The most that is read and unpacked of an entry, in bytes. */
const MAX_PACKED = 256 * 1024;
const MAX_UNPACKED = 2 ** 20;

/** An entry by the directory; `offset` is that of its local header in the file, `packed` the length of its content. */
interface ZipEntry {
  method: number;
  packed: number;
  offset: number;
}

export const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The entries of an archive by key, as far as the first 256 KiB of its directory list them; none if it has no readable end. */
export async function zipEntries({ size, read }: ByteSource): Promise<Map<string, ZipEntry>> {
  const tailStart = Math.max(0, size - END_RECORD - MAX_COMMENT);
  const tail = bufferOf(await read(tailStart, size - 1));
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + END_RECORD > tail.length) return new Map();
  const length = tail.readUInt32LE(end + 12);
  // Counted back from the end, so that bytes put before the archive do not matter.
  const start = tailStart + end - length;
  if (length === 0 || start < 0) return new Map();
  const directory = bufferOf(await read(start, start + Math.min(length, DIRECTORY_BYTES) - 1));
  return entriesIn(directory, start - tail.readUInt32LE(end + 16));
}

function entriesIn(directory: Buffer, before: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  while (at + DIRECTORY_HEADER <= directory.length && directory.readUInt32LE(at) === 0x02014b50) {
    const nameEnd = at + DIRECTORY_HEADER + directory.readUInt16LE(at + 28);
    const key = entryKey(directory.toString('latin1', at + DIRECTORY_HEADER, nameEnd));
    const [method, packed] = [directory.readUInt16LE(at + 10), directory.readUInt32LE(at + 20)];
    if (!entries.has(key))
      entries.set(key, { method, packed, offset: before + directory.readUInt32LE(at + 42) });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The beginning of an entry as text; '' where it is absent, broken or too long. Rejects only when `read` does. */
export async function entryText({ size, read }: ByteSource, entry: ZipEntry | undefined): Promise<string> {
  if (!entry || entry.packed > MAX_PACKED || entry.packed === 0) return '';
  if (entry.offset < 0 || entry.offset + LOCAL_HEADER > size) return '';
  const header = bufferOf(await read(entry.offset, entry.offset + LOCAL_HEADER - 1));
  const start = entry.offset + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.packed > size) return '';
  return unpack(entry.method, bufferOf(await read(start, start + entry.packed - 1)));
}

function unpack(method: number, packed: Buffer): string {
  if (method === STORED) return packed.toString();
  if (method !== DEFLATED) return '';
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED }).toString();
  } catch {
    return '';
  }
}
