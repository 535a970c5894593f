import { PDFArray, PDFName, PDFNumber } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box in the units of the page */

/** Of a page without a size, in PDFium, which draws the pages for signers. */
const LETTER = { x: 0, y: 0, width: 612, height: 792 };

/**
 * A box of a page, whose corners may be given in any order (ISO 32000-2 §7.9.5).
 * @param {PDFPage} page @param {'MediaBox' | 'CropBox'} key
 * @returns {Box}
 */
export function pageBox(page, key) {
  const media = boxAt(page, 'MediaBox') ?? LETTER;
  return key === 'MediaBox' ? media : overlap(boxAt(page, 'CropBox') ?? media, media);
}

/** Undefined where it is missing, unreadable or empty. @param {PDFPage} page @param {string} key @returns {Box | undefined} */
function boxAt({ node, doc: { context } }, key) {
  const array = context.lookup(node.getInheritableAttribute(PDFName.of(key)));
  if (!(array instanceof PDFArray) || array.size() !== 4) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = array.asArray().map((_, index) => {
    const value = array.lookup(index);
    return value instanceof PDFNumber ? value.asNumber() : 0;
  });
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  return width > 0 && height > 0
    ? { x: Math.min(left, right), y: Math.min(bottom, top), width, height }
    : undefined;
}

/** The part of the crop box within the media box; the media box if they do not overlap. @param {Box} crop @param {Box} media */
function overlap(crop, media) {
  const [x, y] = [Math.max(crop.x, media.x), Math.max(crop.y, media.y)];
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

/** How often the page is turned clockwise by 90°; another angle is rounded towards 0, as PDFium does. @param {PDFPage} page */
export function quarterTurns({ node, doc: { context } }) {
  const rotation = context.lookup(node.getInheritableAttribute(PDFName.of('Rotate')));
  const quarters = rotation instanceof PDFNumber ? Math.trunc(Math.trunc(rotation.asNumber()) / 90) : 0;
  return ((quarters % 4) + 4) % 4;
}
