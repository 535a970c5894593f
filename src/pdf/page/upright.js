import { concatTransformationMatrix, popGraphicsState, pushGraphicsState } from '@cantoo/pdf-lib';
import { isolateContents } from './isolate.js';
import { pageBox, quarterTurns } from './page-box.js';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */

/**
 * Size and coordinate system of a page as displayed: cropped (ISO 32000-1 §14.11.2) and rotated (§7.7.3.3). In units of the
 * page, which are points unless it has a UserUnit.
 * @param {PDFPage} page
 */
export function displayedArea(page) {
  const crop = pageBox(page, 'CropBox');
  const quarters = quarterTurns(page);
  const [width, height] = quarters % 2 === 0 ? [crop.width, crop.height] : [crop.height, crop.width];
  return { width, height, matrix: uprightMatrix(crop, quarters) };
}

/**
 * Transforms coordinates of the displayed page (origin: lower left corner) to those of its content.
 * @param {import('./page-box.js').Box} crop @param {number} quarters clockwise
 * @returns {[number, number, number, number, number, number]}
 */
function uprightMatrix({ x, y, width, height }, quarters) {
  if (quarters === 1) return [0, 1, -1, 0, x + width, y];
  if (quarters === 2) return [-1, 0, 0, -1, x + width, y + height];
  if (quarters === 3) return [0, -1, 1, 0, x, y + height];
  return [1, 0, 0, 1, x, y];
}

/**
 * Draws upright, whatever the rotation of the page and whatever its content leaves open.
 * @param {PDFPage} page @param {(area: { width: number, height: number }) => void} draw
 */
export async function drawUpright(page, draw) {
  const { matrix, ...area } = displayedArea(page);
  await isolateContents(page);
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix));
  draw(area);
  page.pushOperators(popGraphicsState());
}
