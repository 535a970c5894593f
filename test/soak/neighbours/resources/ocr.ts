import { scannedPdf, writtenPicture } from '../../../files/content/picture-source.ts';
import type { Resource } from '../measure.ts';
import { readsText } from '../wait.ts';

const LINES = Array.from(
  { length: 40 },
  (_, index) => `Line ${index} of a page that was scanned, with words to read`,
);

let scan: Buffer | undefined;

/** Scans of many pages. */
export const ocr: Resource = {
  env: { OCR_LANGUAGES: 'eng' },
  async aggress({ aggressor }) {
    const page = await writtenPicture(...LINES);
    const bytes = await scannedPdf(...Array.from({ length: 40 }, () => page));
    await aggressor.upload(Array.from({ length: 5 }, (_, index) => ({ name: `${index}.pdf`, bytes })));
  },
  async work(victim, _, signal) {
    scan ??= await writtenPicture('Granite from the harbour');
    await readsText(victim, 'scan.png', scan, signal);
  },
};
