import {
  concatTransformationMatrix,
  PDFArray,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */

/**
 * Size and coordinate system of a page as displayed: cropped (ISO 32000-1 §14.11.2) and rotated (§7.7.3.3). In points.
 * @param {PDFPage} page
 */
export function displayedArea(page) {
  const crop = visibleBox(page.getCropBox(), page.getMediaBox());
  const angle = ((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4;
  const [width, height] = angle % 2 === 0 ? [crop.width, crop.height] : [crop.height, crop.width];
  return { width, height, matrix: uprightMatrix(crop, angle) };
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The part of the crop box within the media box; the media box if they do not overlap. @param {Box} crop @param {Box} media */
function visibleBox(crop, media) {
  const [x, y] = [Math.max(crop.x, media.x), Math.max(crop.y, media.y)];
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

/**
 * Transforms coordinates of the displayed page (origin: lower left corner) to those of its content.
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
 * Draws upright, whatever the rotation of the page.
 * @param {PDFPage} page @param {(area: { width: number, height: number }) => void} draw
 */
export function drawUpright(page, draw) {
  const { matrix, ...area } = displayedArea(page);
  copyContents(page);
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix));
  draw(area);
  page.pushOperators(popGraphicsState());
}

/** Pages whose list of content streams was copied. @type {WeakSet<PDFPage>} */
const pagesWithOwnContents = new WeakSet();

/**
 * Copies the page's list of content streams, which pages may share (ISO 32000-1 §7.7.3.3): additions must not appear on others.
 * @param {PDFPage} page
 */
function copyContents(page) {
  if (pagesWithOwnContents.has(page)) return;
  pagesWithOwnContents.add(page);
  const contents = page.node.Contents();
  if (contents instanceof PDFArray)
    page.node.set(PDFName.of('Contents'), page.doc.context.obj(contents.asArray()));
}
