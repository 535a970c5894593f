import { randomBytes } from 'node:crypto';
import { PDFDict, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */

const READ_ONLY = 1;
/** Signatures exist, and the file may only be appended to (ISO 32000-1 §12.7.2, table 219). */
const SIG_FLAGS = 3;
/** Print and Locked (§12.5.3, table 165). */
const ANNOTATION_FLAGS = 4 + 128;
const RANGE_DIGITS = '9999999999';

const name = PDFName.of;

/**
 * Removes earlier signatures from the form, since drawing invalidates them (ISO 32000-2 §12.8.2.2), and keeps their
 * appearance; all other fields become read-only. The record page lists them, and the original is attached.
 * @param {PDFDocument} pdf
 */
export function endForm(pdf) {
  const { catalog, context } = pdf;
  catalog.delete(name('Perms'));
  const form = catalog.lookup(name('AcroForm'));
  if (!(form instanceof PDFDict)) return;
  form.delete(name('XFA'));
  const acroForm = catalog.getOrCreateAcroForm();
  for (const [field] of acroForm.getAllFields()) {
    if (field.getInheritableAttribute(name('FT')) !== name('Sig')) {
      field.setFlagTo(READ_ONLY, true);
      continue;
    }
    const signature = field.dict.get(name('V'));
    if (signature && context.lookup(signature) !== signature) context.delete(/** @type {any} */ (signature));
    acroForm.removeField(field);
    const widgets = field.dict.lookup(name('Kids')) ? /** @type {any} */ (field).getWidgets() : [field];
    for (const { dict } of widgets) dict.set(name('Subtype'), name('Stamp'));
    for (const key of ['FT', 'T', 'V', 'Lock', 'SV', 'Parent', 'MK', 'DA', 'Kids'])
      field.dict.delete(name(key));
  }
}

/**
 * Adds a signature field with space reserved for the signature and its byte range. It certifies the file: no further
 * changes are permitted (§12.8.2.2, DocMDP with P 1). Returns the marker that fills the reserved space.
 * @param {PDFDocument} pdf
 * @param {Pick<import('./job.ts').SealJob, 'signedAt' | 'reason' | 'signatureBytes'>} job
 */
export function addPlaceholder(pdf, { signedAt, reason, signatureBytes }) {
  const { context, catalog } = pdf;
  const page = pdf.getPages().at(-1);
  if (!page) throw new Error('a PDF without pages');
  const marker = randomBytes(signatureBytes).toString('hex');
  const range = [0, ...Array.from({ length: 3 }, () => Number(RANGE_DIGITS))];
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of(marker),
      M: PDFString.fromDate(signedAt),
      Reason: PDFString.of(reason),
      Reference: [
        {
          Type: 'SigRef',
          TransformMethod: 'DocMDP',
          TransformParams: { Type: 'TransformParams', P: 1, V: name('1.2') },
        },
      ],
    }),
  );
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of(`Seal ${marker.slice(0, 8)}`),
      Rect: [0, 0, 0, 0],
      F: ANNOTATION_FLAGS,
      P: page.ref,
      V: signature,
    }),
  );
  page.node.addAnnot(widget);
  const form = catalog.getOrCreateAcroForm();
  form.addField(widget);
  form.dict.set(name('SigFlags'), context.obj(SIG_FLAGS));
  catalog.set(name('Perms'), context.obj({ DocMDP: signature }));
  // ETSI EN 319 142-1 §5.1: the extension of PDF 1.7 that defines ETSI.CAdES.detached.
  catalog.set(name('Extensions'), context.obj({ ESIC: { BaseVersion: name('1.7'), ExtensionLevel: 2 } }));
  return marker;
}

/**
 * Finds the reserved space, and writes the byte range: all bytes of the file except that space (§12.8.1). Returns its offsets.
 * @param {Uint8Array<ArrayBuffer>} bytes @param {string} marker
 */
export function fillByteRange(bytes, marker) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.indexOf(`<${marker}>`);
  const end = start + marker.length + 2;
  const placeholder = `[ 0 ${RANGE_DIGITS} ${RANGE_DIGITS} ${RANGE_DIGITS} ]`;
  const range = file.lastIndexOf(placeholder, start);
  if (start < 0 || range < 0) throw new Error('the placeholder of the signature was not found');
  const byteRange = `[ 0 ${start} ${end} ${bytes.length - end} ]`.padEnd(placeholder.length);
  file.write(byteRange, range, 'latin1');
  return { start, end };
}
