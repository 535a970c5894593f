import { PDFDocument, PDFInvalidObject } from '@cantoo/pdf-lib';

/**
 * Opens a PDF to draw on it. One with only an owner password opens with the empty password (ISO 32000-1 §7.6.3.1), and is
 * saved unencrypted: its old cross-reference streams (§7.5.8), which the library keeps, would still declare encryption.
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
