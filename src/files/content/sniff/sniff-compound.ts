import type { ByteSource } from '../../store/byte-source.ts';

const COMPOUND = 'application/x-cfb';

/** Streams that only one application writes, [MS-DOC], [MS-XLS], [MS-PPT] and [MS-OXMSG]. */
const BY_STREAM = new Map([
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
]);

const ENTRY = 128;
const NAME_BYTES = 64;
const DIRECTORY_BYTES = 64 * ENTRY;

/**
 * The media type of an OLE compound file: Word, Excel, PowerPoint or Outlook by the streams in its directory, else
 * application/x-cfb. Reads 8 KiB where the directory begins; its sectors almost always follow one another.
 */
export async function compoundType({ size, read }: ByteSource, head: Uint8Array): Promise<string> {
  if (head.length < 512) return COMPOUND;
  const header = new DataView(head.buffer, head.byteOffset, head.length);
  // [MS-CFB] §2.2: sector shift at 30 (9 or 12), first directory sector at 48; sector 0 follows the header's sector.
  const start = (header.getUint32(48, true) + 1) * 2 ** Math.min(header.getUint16(30, true), 12);
  if (start >= size) return COMPOUND;
  const bytes = await read(start, Math.min(start + DIRECTORY_BYTES, size) - 1);
  const directory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + ENTRY <= directory.length; at += ENTRY) {
    const length = Math.min(directory.readUInt16LE(at + NAME_BYTES), NAME_BYTES) - 2;
    const name = directory.toString('utf16le', at, at + Math.max(length, 0));
    const type = BY_STREAM.get(name);
    if (type) return type;
  }
  return COMPOUND;
}
