import { displayedArea, drawUpright } from '../page/upright.js';
import { drawable, fitInto, LINE } from './text.js';

/** @typedef {import('./drawn-field.ts').DrawnField} Field */
/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('@cantoo/pdf-lib').PDFImage} PDFImage */
/** @typedef {{ width: number, height: number }} Area size of a displayed page, in points */
/** @typedef {import('../../files/content/pdf/comparison.ts').PageBox} PageBox */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box in points, from the upper left corner */

/** Default sizes of fields, in percent of the page. @type {Partial<Record<Field['type'], [number, number]>>} */
const SIZES = { SIGNATURE: [30, 6], INITIALS: [10, 4] };

/** Minimum width of a field without a width whose text is long enough, as a fraction of the page. */
const MIN_WIDTH = 0.2;

const DEFAULT_FONT_SIZE = 12;
/** Of either side of an image, whatever the size of the page. */
const MAX_PIXELS = 4_000;

const DATA_URL = /^data:image\/(png|jpe?g);base64,/i;

/**
 * Draws each value at the position of its field; a field beyond the last page is drawn on the last page. Returns, by page,
 * where something was drawn.
 * @param {PDFDocument} pdf @param {import('./text.js').Fonts} fonts @param {readonly Field[]} fields
 * @returns {Promise<PageBox[][]>}
 */
export async function drawFields(pdf, fonts, fields) {
  const pages = pdf.getPages();
  const images = embeddedImages(pdf);
  /** @type {PageBox[][]} */
  const boxes = pages.map(() => []);
  for (const field of fields) {
    const index = Math.min(field.pageIndex, pages.length - 1);
    const page = pages[index];
    if (!page) continue;
    const image = await images(field, displayedArea(page));
    await drawUpright(page, (area) => {
      if (image) {
        drawImage(page, image, imageBox(field, area), area);
        return boxes[index]?.push(fractionsOf(imageBox(field, area), area));
      }
      const text = drawable(field.value);
      const font = isSignature(field) ? fonts.hand : fonts.plain;
      const size = field.fontSize || DEFAULT_FONT_SIZE;
      const natural = Math.max(...text.split('\n').map((line) => font.width(line, size))) + 1;
      const box = boxOf(field, area, Math.min(natural, MIN_WIDTH * area.width));
      const drawn = drawText(page, text, { field, font, box, area });
      boxes[index]?.push(fractionsOf(drawn, area));
    });
  }
  return boxes;
}

/** Beyond the box of a value, in points: strokes of letters may leave their lines. */
const OVERHANG = 6;

/** @param {Box} box @param {Area} area @returns {PageBox} */
const fractionsOf = ({ left, top, width, height }, area) => ({
  left: (left - OVERHANG) / area.width,
  top: (top - OVERHANG) / area.height,
  right: (left + width + OVERHANG) / area.width,
  bottom: (top + height + OVERHANG) / area.height,
});

/** @param {Field} field */
const isSignature = ({ type }) => type === 'SIGNATURE' || type === 'INITIALS';

/**
 * Embeds the images of drawn signatures, each once, scaled down to the print resolution of their boxes.
 * @param {PDFDocument} pdf
 * @returns {(field: Field, area: Area) => Promise<PDFImage | undefined>}
 */
function embeddedImages(pdf) {
  /** @type {Map<string, Promise<PDFImage>>} */
  const images = new Map();
  return async (field, area) => {
    const url = isSignature(field) ? DATA_URL.exec(field.value) : null;
    if (!url) return undefined;
    const box = imageBox(field, area);
    const [width, height] = [pixels(box.width), pixels(box.height)];
    const name = `${width} ${height} ${field.value}`;
    const image = images.get(name) ?? embed(pdf, field.value.slice(url[0].length), { width, height });
    images.set(name, image);
    return image;
  };
}

/** @param {PDFDocument} pdf @param {string} base64 @param {{ width: number, height: number }} size in pixels */
async function embed(pdf, base64, size) {
  // Loaded only when needed, as it takes 30 MiB.
  const { plainPng } = await import('../../lib/untrusted-picture.js');
  const { data } = await plainPng(Buffer.from(base64, 'base64'), size);
  return pdf.embedPng(data);
}

/** At 300 dots per inch. @param {number} points */
const pixels = (points) => Math.min(Math.max(Math.ceil((points * 300) / 72), 1), MAX_PIXELS);

/** @param {Field} field @param {Area} area */
const imageBox = (field, area) => boxOf(field, area, MIN_WIDTH * area.width);

/**
 * The box of a field, moved into the page if necessary: every signed value must be visible.
 * @param {Field} field @param {Area} area @param {number} minWidth in points, for a field without a width
 * @returns {Box}
 */
function boxOf({ type, x, y, width, height }, area, minWidth) {
  const [usualWidth, usualHeight] = SIZES[type] ?? [];
  const boxWidth = shareOf(width || usualWidth, area.width);
  const boxHeight = shareOf(height || usualHeight, area.height);
  const left = Math.min((x / 100) * area.width, area.width - (boxWidth ?? minWidth));
  const top = Math.min((y / 100) * area.height, area.height - (boxHeight ?? DEFAULT_FONT_SIZE * LINE));
  return { left, top, width: boxWidth ?? area.width - left, height: boxHeight ?? area.height - top };
}

/** @param {number | undefined} percent @param {number} whole */
const shareOf = (percent, whole) => (percent ? (Math.min(percent, 100) / 100) * whole : undefined);

/**
 * As large as fits the box, at its left edge.
 * @param {PDFPage} page @param {PDFImage} image @param {Box} box @param {Area} area
 */
function drawImage(page, image, box, area) {
  const { width, height } = image.scaleToFit(box.width, box.height);
  const y = area.height - box.top - (box.height + height) / 2;
  page.drawImage(image, { x: box.left, y, width, height });
}

/**
 * Vertically centred in a field with a height, else from its upper edge. Returns the box of the lines.
 * @param {PDFPage} page @param {string} text
 * @param {{ field: Field, font: import('./text.js').Face, box: Box, area: Area }} how
 * @returns {Box}
 */
function drawText(page, text, { field, font, box, area }) {
  const hasHeight = field.height || isSignature(field);
  const maxSize = isSignature(field)
    ? Math.min(box.height * 0.7, 3 * DEFAULT_FONT_SIZE)
    : Math.min(hasHeight ? box.height * 0.75 : Number.POSITIVE_INFINITY, field.fontSize || DEFAULT_FONT_SIZE);
  const single = field.type !== 'TEXT';
  const { size, lines } = fitInto(text, font, { ...box, maxSize: Math.max(4, maxSize), single });
  const spare = hasHeight && single ? (box.height - lines.length * size * LINE) / 2 : 0;
  const first = area.height - box.top - Math.max(0, spare) - size;
  for (const [index, line] of lines.entries())
    font.draw(page, line, { x: box.left, y: first - index * size * LINE, size });
  const width = Math.max(0, ...lines.map((line) => font.width(line, size)));
  return { left: box.left, top: area.height - first - size, width, height: lines.length * size * LINE };
}
