import type { ByteSource } from '../../store/byte-source.ts';
import { bufferOf, entryText, LOCAL_HEADER, zipEntries } from './zip-entries.ts';

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

/** Office Open XML: the folder of the main part, the format in its content type, and the type of the file without and with macros. */
const OFFICE = [
  {
    folder: 'word/',
    part: 'wordprocessingml',
    plain: `${OOXML}.wordprocessingml.document`,
    macros: 'application/vnd.ms-word.document.macroEnabled.12',
  },
  {
    folder: 'xl/',
    part: 'spreadsheetml',
    plain: `${OOXML}.spreadsheetml.sheet`,
    macros: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  },
  {
    folder: 'ppt/',
    part: 'presentationml',
    plain: `${OOXML}.presentationml.presentation`,
    macros: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  },
];

/** Excel's binary workbook, in a package of its own kind. */
const BINARY_WORKBOOK = 'application/vnd.ms-excel.sheet.binary.macroEnabled.12';

/** The type that a first, stored entry called `mimetype` contains, if it is in SELF_NAMED. */
function selfNamedType(head: Buffer): string | undefined {
  const nameLength = head.length < LOCAL_HEADER ? 0 : head.readUInt16LE(26);
  const content = LOCAL_HEADER + nameLength;
  if (head.toString('latin1', LOCAL_HEADER, content) !== 'mimetype') return undefined;
  const start = content + head.readUInt16LE(28);
  const type = head.toString('latin1', start, start + Math.min(head.readUInt32LE(18), 100)).trim();
  return SELF_NAMED.has(type) ? type : undefined;
}

type Entries = Awaited<ReturnType<typeof zipEntries>>;

/** The type of an OpenDocument file or EPUB whose `mimetype` is not the first entry, is packed, or is only in the manifest. */
async function packageType(source: ByteSource, entries: Entries): Promise<string> {
  const named = (await entryText(source, entries.get('mimetype'))).trim();
  if (SELF_NAMED.has(named)) return named;
  const manifest = await entryText(source, entries.get('meta-inf/manifest.xml'));
  const root = /<[^<>]*[\s:]full-path=["']\/["'][^<>]*>/.exec(manifest)?.[0] ?? '';
  const type = /media-type=["']([^"']{1,100})["']/.exec(root)?.[1] ?? '';
  return SELF_NAMED.has(type) ? type : ZIP;
}

/** By the folder that the main part is in by convention, else by the content type of the main part. */
async function officeType(source: ByteSource, entries: Entries): Promise<string> {
  const names = [...entries.keys()];
  if (entries.has('xl/workbook.bin')) return BINARY_WORKBOOK;
  const byFolder = OFFICE.find(({ folder }) => names.some((name) => name.startsWith(folder)));
  if (byFolder) return entries.has(`${byFolder.folder}vbaproject.bin`) ? byFolder.macros : byFolder.plain;
  const types = await entryText(source, entries.get('[content_types].xml'));
  const main = /\.(\w{1,20})\.\w{1,20}\.main\+xml/.exec(types)?.[1];
  const byMacros = OFFICE.find(({ macros }) => types.includes(macros.replace('.12', '.main+xml')));
  return byMacros?.macros ?? OFFICE.find(({ part }) => part === main)?.plain ?? ZIP;
}

/**
 * The media type of a ZIP archive: OpenDocument, EPUB or Office Open XML by what it contains, else application/zip.
 * Reads its tail and its directory, and inflates at most two small entries.
 */
export async function zipType(source: ByteSource, head: Uint8Array): Promise<string> {
  const selfNamed = selfNamedType(bufferOf(head));
  if (selfNamed) return selfNamed;
  const entries = await zipEntries(source);
  return entries.has('[content_types].xml') ? officeType(source, entries) : packageType(source, entries);
}
