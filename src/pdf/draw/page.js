import {
  concatTransformationMatrix,
  PDFArray,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */

/**
 * A page as it is shown: cropped (ISO 32000-1 §14.11.2), and turned (§7.7.3.3). In points.
 * @param {PDFPage} page
 */
export function shown(page) {
  const crop = inside(page.getCropBox(), page.getMediaBox());
  const angle = ((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4;
  const [width, height] = angle % 2 === 0 ? [crop.width, crop.height] : [crop.height, crop.width];
  return { width, height, matrix: uprightMatrix(crop, angle) };
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** A crop box that sticks out of the medium shows no more than that. @param {Box} crop @param {Box} media */
function inside(crop, media) {
  const [x, y] = [Math.max(crop.x, media.x), Math.max(crop.y, media.y)];
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

/**
 * From the page as it is shown, with its origin in the lower left corner, to the space of its content.
 * @param {Box} crop @param {number} quarters clockwise
 * @returns {[number, number, number, number, number, number]}
 */
function uprightMatrix({ x, y, width, height }, quarters) {
  if (quarters === 1) return [0, 1, -1, 0, x + width, y];
  if (quarters === 2) return [-1, 0, 0, -1, x + width, y + height];
  if (quarters === 3) return [0, -1, 1, 0, x, y + height];
  return [1, 0, 0, 1, x, y];
}

/**
 * Draws upright, whichever way the page is turned.
 * @param {PDFPage} page @param {(area: { width: number, height: number }) => void} draw
 */
export function drawUpright(page, draw) {
  const { matrix, ...area } = shown(page);
  ownContents(page);
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix));
  draw(area);
  page.pushOperators(popGraphicsState());
}

/** The pages of which a list of content streams was made its own. @type {WeakSet<PDFPage>} */
const owned = new WeakSet();

/**
 * Pages may share one list of content streams (ISO 32000-1 §7.7.3.3): what is added for one must not show on another.
 * @param {PDFPage} page
 */
function ownContents(page) {
  if (owned.has(page)) return;
  owned.add(page);
  const contents = page.node.Contents();
  if (contents instanceof PDFArray)
    page.node.set(PDFName.of('Contents'), page.doc.context.obj(contents.asArray()));
}
