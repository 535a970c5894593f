import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */

const name = PDFName.of;

/** The name of the attachment. */
export const ORIGINAL = 'signed-original.pdf';

/**
 * Attaches the file as it was uploaded, in which its signatures can still be checked, as the source of this one
 * (ISO 32000-2 §14.13, §7.11.4).
 * @param {PDFDocument} pdf @param {Uint8Array} original @param {Date} at
 */
export function attachOriginal({ catalog, context }, original, at) {
  const file = context.register(
    context.stream(deflateSync(original), {
      Type: 'EmbeddedFile',
      Filter: 'FlateDecode',
      Subtype: 'application/pdf',
      Params: {
        Size: original.length,
        ModDate: PDFString.fromDate(at),
        CheckSum: PDFHexString.of(createHash('md5').update(original).digest('hex')),
      },
    }),
  );
  const specification = context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFString.of(ORIGINAL),
      UF: PDFHexString.fromText(ORIGINAL),
      EF: { F: file, UF: file },
      Desc: PDFString.of('The file as it was uploaded, with its digital signatures'),
      AFRelationship: 'Source',
    }),
  );
  const names = catalog.lookup(name('Names')) ?? context.obj({});
  /** @type {import('@cantoo/pdf-lib').PDFDict} */ (names).set(
    name('EmbeddedFiles'),
    context.obj({ Names: [PDFHexString.fromText(ORIGINAL), specification] }),
  );
  catalog.set(name('Names'), names);
  catalog.set(name('AF'), context.obj([specification]));
}
