import {
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFHeader,
  PDFName,
  PDFObjectParser,
  PDFRef,
} from '@cantoo/pdf-lib';

/** The table and the trailer at the end of a file; `startxref` names where they begin. */
const END = /startxref\s+(\d+)\s+%%EOF\s*$/;
const HEADER = /^\s*(\d+)\s+(\d+)\s+obj(?![a-z])/;
/** Bytes from the end in which `startxref` is. */
const TAIL = 64;

/**
 * Opens a PDF as PDFium or this library wrote it: one cross-reference table names every object, and nothing else in the
 * file is read, unlike with PDFDocument.load, which lets the last definition of an object win.
 * @param {Uint8Array} content
 */
export function openCopy(content) {
  const file = Buffer.from(content.buffer, content.byteOffset, content.length);
  const start = Number(END.exec(file.subarray(-TAIL).toString('latin1'))?.[1] ?? -1);
  const { offsets, trailerAt } = readTable(file, start);
  const context = PDFContext.create();
  context.header = PDFHeader.forVersion(1, 7);
  const ends = [...offsets.values(), start].sort((a, b) => a - b);
  const endOf = new Map(ends.map((offset, index) => [offset, ends[index + 1] ?? start]));
  for (const [number, offset] of offsets)
    context.assign(PDFRef.of(number), objectIn(context, file.subarray(offset, endOf.get(offset)), number));
  const trailer = PDFObjectParser.forBytes(file.subarray(trailerAt), context).parseObject();
  if (!(trailer instanceof PDFDict)) throw new Error('the file has no trailer');
  const [Root, Info] = [trailer.get(PDFName.of('Root')), trailer.get(PDFName.of('Info'))];
  context.trailerInfo = { Root, Info };
  // The constructor is private in the types only: PDFDocument.load calls it with what it has parsed.
  const Document = /** @type {any} */ (PDFDocument);
  return /** @type {PDFDocument} */ (new Document(context, false, false));
}

/**
 * ISO 32000-1 §7.5.4.
 * @param {Buffer} file @param {number} start
 */
function readTable(file, start) {
  if (start < 0 || file.toString('latin1', start, start + 4) !== 'xref')
    throw new Error('the cross-reference table is missing');
  const trailer = file.indexOf('trailer', start);
  const words = file
    .toString('latin1', start + 4, trailer)
    .trim()
    .split(/\s+/);
  /** @type {Map<number, number>} */
  const offsets = new Map();
  for (let at = 0; at + 1 < words.length; ) {
    const [first, count] = [Number(words[at]), Number(words[at + 1])];
    at += 2;
    for (let index = 0; index < count; index++, at += 3)
      if (words[at + 2] === 'n') offsets.set(first + index, Number(words[at]));
  }
  return { offsets, trailerAt: trailer + 'trailer'.length };
}

/** @param {PDFContext} context @param {Buffer} bytes @param {number} number */
function objectIn(context, bytes, number) {
  const header = HEADER.exec(bytes.toString('latin1', 0, TAIL));
  if (Number(header?.[1]) !== number) throw new Error(`object ${number} is not where the table says`);
  return PDFObjectParser.forBytes(bytes.subarray(header?.[0].length), context).parseObject();
}
