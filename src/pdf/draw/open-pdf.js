import { PDFDocument, PDFInvalidObject } from '@cantoo/pdf-lib';

/**
 * A PDF to be drawn on. What only its owner has locked opens with the empty password (ISO 32000-1 §7.6.3.1), and leaves as an open file. Its
 * former cross-references (§7.5.8), which still say that it is encrypted, the library has kept as they were.
 * @param {Uint8Array} content
 */
export async function openPdf(content) {
  const pdf = await PDFDocument.load(content, { password: '', updateMetadata: false });
  for (const [reference, object] of pdf.context.enumerateIndirectObjects())
    if (object instanceof PDFInvalidObject && bytesOf(object).includes('/XRef'))
      pdf.context.delete(reference);
  return pdf;
}

/** @param {PDFInvalidObject} object */
function bytesOf(object) {
  const bytes = Buffer.alloc(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}
