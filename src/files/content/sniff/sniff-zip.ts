import type { ByteSource } from '../../store/byte-source.ts';

const ZIP = 'application/zip';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

/** Types that a package may give itself in its `mimetype` entry (OpenDocument 1.3 part 2 §3.3, EPUB 3.3 §4.2.6). */
const SELF_NAMED = new Set([
  'application/epub+zip',
  ...['text', 'spreadsheet', 'presentation', 'graphics', 'formula', 'chart', 'image', 'text-master'].flatMap(
    (kind) => [`${ODF}.${kind}`, `${ODF}.${kind}-template`],
  ),
]);

/** Office Open XML: the folder of the main part, and the type without and with macros. */
const OFFICE = [
  {
    folder: 'word/',
    plain: `${OOXML}.wordprocessingml.document`,
    macros: 'application/vnd.ms-word.document.macroEnabled.12',
  },
  {
    folder: 'xl/',
    plain: `${OOXML}.spreadsheetml.sheet`,
    macros: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  },
  {
    folder: 'ppt/',
    plain: `${OOXML}.presentationml.presentation`,
    macros: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  },
];

// APPNOTE 6.3.10 §4.3.7, §4.3.12 and §4.3.16: fixed sizes of the three headers read here.
const LOCAL_HEADER = 30;
const DIRECTORY_HEADER = 46;
const END_RECORD = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY_BYTES = 256 * 1024;

const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The type that a first, stored entry called `mimetype` contains, if it is in SELF_NAMED. */
function selfNamedType(head: Buffer): string | undefined {
  const nameLength = head.length < LOCAL_HEADER ? 0 : head.readUInt16LE(26);
  const content = LOCAL_HEADER + nameLength;
  if (head.toString('latin1', LOCAL_HEADER, content) !== 'mimetype') return undefined;
  const start = content + head.readUInt16LE(28);
  const type = head.toString('latin1', start, start + Math.min(head.readUInt32LE(18), 100)).trim();
  return SELF_NAMED.has(type) ? type : undefined;
}

/** The central directory, at most its first 256 KiB, or null when the archive has no readable end. */
async function readDirectory({ size, read }: ByteSource): Promise<Buffer | null> {
  const tailStart = Math.max(0, size - END_RECORD - MAX_COMMENT);
  const tail = buffer(await read(tailStart, size - 1));
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + END_RECORD > tail.length) return null;
  const length = tail.readUInt32LE(end + 12);
  // Counted back from the end, so that bytes put before the archive do not matter.
  const start = tailStart + end - length;
  if (length === 0 || start < 0) return null;
  return buffer(await read(start, start + Math.min(length, DIRECTORY_BYTES) - 1));
}

function* entryNames(directory: Buffer): Generator<string> {
  let at = 0;
  while (at + DIRECTORY_HEADER <= directory.length && directory.readUInt32LE(at) === 0x02014b50) {
    const nameEnd = at + DIRECTORY_HEADER + directory.readUInt16LE(at + 28);
    yield directory.toString('latin1', at + DIRECTORY_HEADER, nameEnd);
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
}

/**
 * The media type of a ZIP archive: OpenDocument, EPUB or Office Open XML by what it contains, else application/zip.
 * Reads its tail and its directory and inflates nothing.
 */
export async function zipType(source: ByteSource, head: Uint8Array): Promise<string> {
  const selfNamed = selfNamedType(buffer(head));
  if (selfNamed) return selfNamed;
  const directory = await readDirectory(source);
  const names = directory ? [...entryNames(directory)] : [];
  if (!names.includes('[Content_Types].xml')) return ZIP;
  const office = OFFICE.find(({ folder }) => names.some((name) => name.startsWith(folder)));
  if (!office) return ZIP;
  return names.includes(`${office.folder}vbaProject.bin`) ? office.macros : office.plain;
}
