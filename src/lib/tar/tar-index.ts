import { BLOCK, checksum, padding } from './tar-header.ts';

/** The archive cannot be read; the message says why. */
export class TarBroken extends Error {}

/** Where the content of a file is in an archive. */
export interface TarContent {
  path: string;
  offset: number;
  size: number;
}

/** Reads bytes from `start` to `end`, both included. */
type Read = (start: number, end: number) => Promise<Buffer>;

/** Bytes of an extended header. */
const MAX_EXTENDED = 64 * 1024;

/**
 * The files of a tar archive in ustar or pax format, in order. Folders are left out. Throws TarBroken for everything that is
 * neither, such as links and devices, for paths that lead out of the archive, for one path twice, and for an archive without its end.
 */
export async function readTarIndex(read: Read, size: number): Promise<TarContent[]> {
  const files = new Map<string, TarContent>();
  let extended: Extended = {};
  for (let at = 0; ; ) {
    if (at + BLOCK > size) throw new TarBroken('The archive has no end: it is not complete.');
    const header = parseHeader(await read(at, at + BLOCK - 1));
    if (!header) return [...files.values()];
    const offset = at + BLOCK;
    const length = header.type === 'x' ? header.size : (extended.size ?? header.size);
    at = offset + length + padding(length);
    if (at > size) throw new TarBroken('The archive ends within a file: it is not complete.');
    if (header.type === 'x') extended = await readExtended(read, offset, length);
    else {
      if (header.type === '0') add(files, { path: extended.path ?? header.path, offset, size: length });
      extended = {};
    }
  }
}

interface Extended {
  path?: string;
  size?: number;
}

interface Header {
  path: string;
  size: number;
  /** Of a file, a folder or an extended header. */
  type: '0' | '5' | 'x';
}

/** Undefined for an empty block, which ends the archive. */
function parseHeader(block: Buffer): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (textAt(block, 257, 5) !== 'ustar') throw new TarBroken('The file is no tar archive.');
  if (octalAt(block, 148, 8) !== checksum(block)) throw new TarBroken('A header of the archive is damaged.');
  const type = textAt(block, 156, 1) || '0';
  const [name, folder] = [textAt(block, 0, 100), textAt(block, 345, 155)];
  const path = folder ? `${folder}/${name}` : name;
  if (type !== '0' && type !== '5' && type !== 'x')
    throw new TarBroken(`${JSON.stringify(path)} is neither a file nor a folder.`);
  return { path, size: octalAt(block, 124, 12), type };
}

const textAt = (block: Buffer, start: number, length: number): string =>
  block
    .toString('latin1', start, start + length)
    .split('\0', 1)[0]
    ?.trim() ?? '';

function octalAt(block: Buffer, start: number, length: number): number {
  const text = textAt(block, start, length);
  if (!/^[0-7]{1,11}$/.test(text)) throw new TarBroken('A header of the archive is damaged.');
  return Number.parseInt(text, 8);
}

async function readExtended(read: Read, offset: number, length: number): Promise<Extended> {
  if (length === 0 || length > MAX_EXTENDED)
    throw new TarBroken('An extended header has another size than it may.');
  const bytes = await read(offset, offset + length - 1);
  const extended: Extended = {};
  for (let at = 0; at < bytes.length; ) {
    const record = recordAt(bytes, at);
    at += record.length;
    if (record.key === 'path') extended.path = record.value;
    if (record.key === 'size') extended.size = sizeOf(record.value);
  }
  return extended;
}

function recordAt(bytes: Buffer, at: number): { length: number; key: string; value: string } {
  const length = Number(/^\d{1,6}(?= )/.exec(bytes.toString('latin1', at, at + 7))?.[0]);
  const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString('latin1', at, at + length)) ?? [];
  if (key === undefined || value === undefined) throw new TarBroken('An extended header is damaged.');
  return { length, key, value };
}

function sizeOf(text: string): number {
  const size = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new TarBroken('An extended header is damaged.');
  return size;
}

function add(files: Map<string, TarContent>, file: TarContent): void {
  const path = file.path.replace(/^\.\//, '');
  const isInside =
    /^[!-~]+$/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside || path.includes('\\'))
    throw new TarBroken(`${JSON.stringify(path)} is no path in an archive.`);
  if (files.has(path)) throw new TarBroken(`${JSON.stringify(path)} is twice in the archive.`);
  files.set(path, { ...file, path });
}
