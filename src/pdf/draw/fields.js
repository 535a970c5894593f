import { drawUpright, shown } from './page.js';
import { drawable, fitInto, LINE } from './text.js';

/** @typedef {import('./drawn-field.ts').DrawnField} Field */
/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('@cantoo/pdf-lib').PDFImage} PDFImage */
/** @typedef {{ width: number, height: number }} Area of a page as it is shown, in points */
/** @typedef {{ left: number, top: number, width: number, height: number }} Place in points, from the upper left corner */

/** For fields without a size of their own, in percent of the page. @type {Partial<Record<Field['type'], [number, number]>>} */
const SIZES = { SIGNATURE: [30, 6], INITIALS: [10, 4] };

/** What a field without a width has at least, if its text is that long, as a part of the page. */
const LEAST = 0.2;

const MOST = 12;
/** Of either side of an image, however large the page. */
const MOST_PIXELS = 4_000;

const DATA_URL = /^data:image\/(png|jpe?g);base64,/i;

/**
 * Draws each value where its field is; a field that lies beyond the document comes onto its last page.
 * @param {PDFDocument} pdf @param {import('./text.js').Fonts} fonts @param {readonly Field[]} fields
 */
export async function drawFields(pdf, fonts, fields) {
  const pages = pdf.getPages();
  const images = embeddedImages(pdf);
  for (const field of fields) {
    const page = pages[Math.min(field.pageIndex, pages.length - 1)];
    if (!page) continue;
    const image = await images(field, shown(page));
    drawUpright(page, (area) => {
      if (image) return drawImage(page, image, imagePlace(field, area), area);
      const text = drawable(field.value);
      const font = isSignature(field) ? fonts.hand : fonts.plain;
      const size = field.fontSize || MOST;
      const natural = Math.max(...text.split('\n').map((line) => font.width(line, size))) + 1;
      const place = placeOf(field, area, Math.min(natural, LEAST * area.width));
      drawText(page, text, { field, font, place, area });
    });
  }
}

/** @param {Field} field */
const isSignature = ({ type }) => type === 'SIGNATURE' || type === 'INITIALS';

/**
 * The images of drawn fields, scaled down to what their places need in print, and each embedded once.
 * @param {PDFDocument} pdf
 * @returns {(field: Field, area: Area) => Promise<PDFImage | undefined>}
 */
function embeddedImages(pdf) {
  /** @type {Map<string, Promise<PDFImage>>} */
  const images = new Map();
  return async (field, area) => {
    const url = isSignature(field) ? DATA_URL.exec(field.value) : null;
    if (!url) return undefined;
    const place = imagePlace(field, area);
    const [width, height] = [pixels(place.width), pixels(place.height)];
    const name = `${width} ${height} ${field.value}`;
    const image = images.get(name) ?? embed(pdf, field.value.slice(url[0].length), { width, height });
    images.set(name, image);
    return image;
  };
}

/** @param {PDFDocument} pdf @param {string} base64 @param {{ width: number, height: number }} size in pixels */
async function embed(pdf, base64, size) {
  // Loaded where something was drawn only: it takes 30 MiB.
  const { plainPng } = await import('../../lib/untrusted-picture.js');
  const { data } = await plainPng(Buffer.from(base64, 'base64'), size);
  return pdf.embedPng(data);
}

/** At 300 dots per inch. @param {number} points */
const pixels = (points) => Math.min(Math.max(Math.ceil((points * 300) / 72), 1), MOST_PIXELS);

/** @param {Field} field @param {Area} area */
const imagePlace = (field, area) => placeOf(field, area, LEAST * area.width);

/**
 * Inside the page, whatever the field says: what was signed must be seen.
 * @param {Field} field @param {Area} area @param {number} least the width it needs where the field has none
 * @returns {Place}
 */
function placeOf({ type, x, y, width, height }, area, least) {
  const [usualWidth, usualHeight] = SIZES[type] ?? [];
  const across = part(width || usualWidth, area.width);
  const down = part(height || usualHeight, area.height);
  const left = Math.min((x / 100) * area.width, area.width - (across ?? least));
  const top = Math.min((y / 100) * area.height, area.height - (down ?? MOST * LINE));
  return { left, top, width: across ?? area.width - left, height: down ?? area.height - top };
}

/** @param {number | undefined} percent @param {number} whole */
const part = (percent, whole) => (percent ? (Math.min(percent, 100) / 100) * whole : undefined);

/**
 * As large as it goes into the place, at its left.
 * @param {PDFPage} page @param {PDFImage} image @param {Place} place @param {Area} area
 */
function drawImage(page, image, place, area) {
  const { width, height } = image.scaleToFit(place.width, place.height);
  const y = area.height - place.top - (place.height + height) / 2;
  page.drawImage(image, { x: place.left, y, width, height });
}

/**
 * In the middle of the height that the field has, or from its upper edge on.
 * @param {PDFPage} page @param {string} text
 * @param {{ field: Field, font: import('./text.js').Face, place: Place, area: Area }} how
 */
function drawText(page, text, { field, font, place, area }) {
  const hasHeight = field.height || isSignature(field);
  const most = isSignature(field)
    ? Math.min(place.height * 0.7, 3 * MOST)
    : Math.min(hasHeight ? place.height * 0.75 : Number.POSITIVE_INFINITY, field.fontSize || MOST);
  const single = field.type !== 'TEXT';
  const { size, lines } = fitInto(text, font, { ...place, most: Math.max(4, most), single });
  const spare = hasHeight && single ? (place.height - lines.length * size * LINE) / 2 : 0;
  const first = area.height - place.top - Math.max(0, spare) - size;
  for (const [index, line] of lines.entries())
    font.draw(page, line, { x: place.left, y: first - index * size * LINE, size });
}
