/** Bytes of a block: headers have one, and contents are filled up to whole ones. */
export const BLOCK = 512;

/** Bytes that the name of an entry may have here. */
const MAX_PATH = 100;

/** The first size that has no room in the header: eleven octal digits. */
const LARGE = 8 ** 11;

/** How many bytes fill the last block of a content. */
export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Whether the size is in an extended header in front of the header. */
const isExtended = (size: number): boolean => size >= LARGE;

/** Bytes of what is in front of a content of this size. */
export const headerSize = (size: number): number => (isExtended(size) ? 3 : 1) * BLOCK;

export interface TarEntry {
  /** In the archive, with slashes; printable ASCII, 100 characters at most. */
  path: string;
  size: number;
}

/** The header of a regular file (POSIX.1-2017 pax, "ustar Interchange Format"), readable by its owner alone. Throws RangeError. */
export function tarHeader({ path, size }: TarEntry, modifiedAt: Date): Buffer {
  if (!/^[!-~]+$/.test(path) || path.length > MAX_PATH)
    throw new RangeError(`no path of an archive: ${path}`);
  if (!isExtended(size)) return block(path, size, '0', modifiedAt);
  const record = extendedRecord('size', String(size));
  const extended = block('PaxHeader', record.length, 'x', modifiedAt);
  return Buffer.concat([
    extended,
    Buffer.from(record),
    Buffer.alloc(padding(record.length)),
    block(path, 0, '0', modifiedAt),
  ]);
}

/** `length key=value\n`, where the length counts its own digits. */
function extendedRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length + 2).length;
  return `${length}${rest}`;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

function block(path: string, size: number, type: string, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 'ascii');
  header.write(octal(0o600, 7) + octal(0, 7) + octal(0, 7), 100, 'ascii');
  header.write(octal(size, 11) + octal(Math.floor(modifiedAt.getTime() / 1000), 11), 124, 'ascii');
  header.write(`        ${type}`, 148, 'ascii');
  header.write('ustar\x0000', 257, 'ascii');
  header.write(octal(0, 7) + octal(0, 7), 329, 'ascii');
  header.write(`${octal(checksum(header), 6)} `, 148, 'ascii');
  return header;
}

/** The sum of the bytes of a header, of which those of the sum itself count as spaces. */
export function checksum(header: Uint8Array): number {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  return sum;
}
