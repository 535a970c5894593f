import type { ByteSource } from '../../store/byte-source.ts';

const COMPOUND = 'application/x-cfb';
const WORD = 'application/msword';
const EXCEL = 'application/vnd.ms-excel';
const POWERPOINT = 'application/vnd.ms-powerpoint';

/** Streams that only one application writes, [MS-DOC], [MS-XLS], [MS-PPT] and [MS-OXMSG]. */
const BY_STREAM = new Map([
  ['WordDocument', WORD],
  ['Workbook', EXCEL],
  ['Book', EXCEL],
  ['PowerPoint Document', POWERPOINT],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
]);

/** Streams of locked files: [MS-OFFCRYPTO] §2.3.4.4 (Office Open XML) and §2.3.5.4 (PowerPoint). */
const LOCKED_STREAMS = new Set(['EncryptedPackage', 'EncryptionInfo', 'EncryptedSummary']);

const ENTRY = 128;
const NAME_BYTES = 64;
const DIRECTORY_BYTES = 64 * ENTRY;
const HEADER_BYTES = 512;

export const isOldOffice = (contentType: string): boolean => [WORD, EXCEL, POWERPOINT].includes(contentType);

/** A stream in the directory: its name, and the offset of its first sector. */
interface Stream {
  name: string;
  offset: number;
}

/** Reads 8 KiB where the directory begins; its sectors almost always follow one another. */
async function streamsOf({ size, read }: ByteSource, head: Uint8Array): Promise<Stream[]> {
  if (head.length < HEADER_BYTES) return [];
  const header = new DataView(head.buffer, head.byteOffset, head.length);
  // [MS-CFB] §2.2: sector shift at 30 (9 or 12), first directory sector at 48; sector 0 follows the header's sector.
  const sector = 2 ** Math.min(header.getUint16(30, true), 12);
  const start = (header.getUint32(48, true) + 1) * sector;
  if (start >= size) return [];
  const bytes = await read(start, Math.min(start + DIRECTORY_BYTES, size) - 1);
  const directory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const streams: Stream[] = [];
  for (let at = 0; at + ENTRY <= directory.length; at += ENTRY) {
    const length = Math.min(directory.readUInt16LE(at + NAME_BYTES), NAME_BYTES) - 2;
    const name = directory.toString('utf16le', at, at + Math.max(length, 0));
    // [MS-CFB] §2.6.1: the first sector of the stream at 116.
    streams.push({ name, offset: (directory.readUInt32LE(at + 116) + 1) * sector });
  }
  return streams;
}

/**
 * The media type of an OLE compound file: Word, Excel, PowerPoint or Outlook by the streams in its directory, else
 * application/x-cfb.
 */
export async function compoundType(source: ByteSource, head: Uint8Array): Promise<string> {
  const streams = await streamsOf(source, head);
  return streams.flatMap(({ name }) => BY_STREAM.get(name) ?? [])[0] ?? COMPOUND;
}

/** Whether a file of this media type is an Office file that is locked with a password. */
export async function isLockedCompound(source: ByteSource, contentType: string): Promise<boolean> {
  if ((contentType !== COMPOUND && !isOldOffice(contentType)) || source.size < HEADER_BYTES) return false;
  const streams = await streamsOf(source, await source.read(0, HEADER_BYTES - 1));
  if (streams.some(({ name }) => LOCKED_STREAMS.has(name))) return true;
  const main = streams.find(({ name }) => BY_STREAM.get(name) === contentType);
  if (!main || main.offset + HEADER_BYTES > source.size) return false;
  const bytes = Buffer.from(await source.read(main.offset, main.offset + HEADER_BYTES - 1));
  return contentType === WORD ? isLockedWord(bytes) : contentType === EXCEL && isLockedExcel(bytes);
}

/** [MS-DOC] §2.5.2: the bit fEncrypted of FibBase. */
const isLockedWord = (start: Buffer): boolean =>
  start.readUInt16LE(0) === 0xa5ec && (start.readUInt16LE(10) & 0x0100) !== 0;

/** [MS-XLS] §2.4.117: a record FilePass (0x2F) after the beginning of file, perhaps after WriteProtect (0x86). */
function isLockedExcel(start: Buffer): boolean {
  for (let at = 0; at + 4 <= start.length; at += 4 + start.readUInt16LE(at + 2)) {
    const record = start.readUInt16LE(at);
    if (record === 0x2f) return true;
    if (record !== 0x0809 && record !== 0x86) return false;
  }
  return false;
}
