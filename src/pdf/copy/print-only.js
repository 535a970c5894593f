import { PDFDict, PDFName, PDFStream } from '@cantoo/pdf-lib';

const name = PDFName.of;

/** ISO 32000-1 §12.2, table 150: which part of the pages is shown or printed. */
const PREFERENCES = ['ViewArea', 'ViewClip', 'PrintArea', 'PrintClip', 'PrintPageRange', 'NumCopies'];

/**
 * Removes what printers, or some viewers, show in place of what is drawn: alternate images (ISO 32000-1 §8.9.5.4), images
 * of a prepress server (§14.11.7), PostScript (§8.8.2), and preferences of which part of a page to show.
 * @param {import('@cantoo/pdf-lib').PDFDocument} pdf
 */
export function removePrintVersions({ catalog, context }) {
  const preferences = catalog.lookup(name('ViewerPreferences'));
  if (preferences instanceof PDFDict) for (const key of PREFERENCES) preferences.delete(name(key));
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream)) continue;
    const { dict } = object;
    for (const key of ['Alternates', 'OPI', 'PS', 'Subtype2']) dict.delete(name(key));
    if (dict.lookup(name('Subtype')) === name('PS')) context.delete(ref);
  }
}
