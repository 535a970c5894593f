import { concatTransformationMatrix, drawObject, popGraphicsState, pushGraphicsState } from '@cantoo/pdf-lib';
import { HEIGHT, WIDTH } from '../draw/sheets.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFImage} PDFImage */
/** @typedef {[number, number, number, number, number, number]} Matrix */

/** Longer side of an image on a page, in pixels: 400 dots per inch of A4. */
const MAX_SIDE = 4_700;
/** Of a document that is an image; decoding that many takes some seconds. */
const MAX_PIXELS = 500_000_000;

/**
 * Adds a page with the picture, upright as signers see it. A JPEG is not decoded.
 * @param {PDFDocument} pdf @param {Uint8Array} content @param {string} contentType image/png or image/jpeg
 */
export async function addPicture(pdf, content, contentType) {
  const { orientationOf, plainPng } = await import('../../lib/untrusted-picture.js');
  if (contentType === 'image/jpeg')
    return addImage(pdf, await pdf.embedJpg(content), await orientationOf(content));
  if (!isLarge(content)) return addImage(pdf, await pdf.embedPng(content), await orientationOf(content));
  // Embedding decodes it, which takes too much memory for one with more pixels than a page needs.
  const size = { width: MAX_SIDE, height: MAX_SIDE, maxPixels: MAX_PIXELS };
  return addImage(pdf, await pdf.embedPng((await plainPng(content, size)).data), 1);
}

/** @param {Uint8Array} png */
function isLarge(png) {
  // The header chunk: PNG (third edition) §11.2.1.
  const header = new DataView(png.buffer, png.byteOffset, png.length);
  return png.length >= 24 && header.getUint32(16) * header.getUint32(20) > MAX_SIDE ** 2;
}

/**
 * Adds a page of the upright image's proportions, whose longer side is that of A4.
 * @param {PDFDocument} pdf @param {PDFImage} image @param {number} orientation
 */
function addImage(pdf, image, orientation) {
  const [across, down] = orientation > 4 ? [image.height, image.width] : [image.width, image.height];
  const scale =
    across > down ? Math.min(HEIGHT / across, WIDTH / down) : Math.min(WIDTH / across, HEIGHT / down);
  const [width, height] = [across * scale, down * scale];
  const page = pdf.addPage([width, height]);
  const name = page.node.newXObject('Image', image.ref);
  const matrix = uprightMatrix(orientation, width, height);
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(...matrix),
    drawObject(name),
    popGraphicsState(),
  );
}

/**
 * Places the unit square of an image on a page, turned and mirrored as its orientation says (Exif 3.0 §4.6.5.1.6: where the
 * first row and the first column are displayed).
 * @param {number} orientation @param {number} width @param {number} height
 * @returns {Matrix}
 */
function uprightMatrix(orientation, width, height) {
  /** @type {Record<number, Matrix>} */
  const matrices = {
    2: [-width, 0, 0, height, width, 0],
    3: [-width, 0, 0, -height, width, height],
    4: [width, 0, 0, -height, 0, height],
    5: [0, -height, -width, 0, width, height],
    6: [0, -height, width, 0, 0, height],
    7: [0, height, width, 0, 0, 0],
    8: [0, height, -width, 0, width, 0],
  };
  return matrices[orientation] ?? [width, 0, 0, height, 0, 0];
}
