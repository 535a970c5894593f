import { drawable } from '../font/clusters.js';
import { displayedArea, drawUpright } from '../page/upright.js';
import { fitInto, LEAST_SIZE, LINE } from './text.js';
import { addWholeTexts, QUIET } from './whole-text.js';

/** @typedef {import('./drawn-field.ts').DrawnField} Field */
/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('@cantoo/pdf-lib').PDFImage} PDFImage */
/** @typedef {{ width: number, height: number }} Area size of a displayed page, in points */
/** @typedef {import('../../files/content/pdf/comparison.ts').PageBox} PageBox */
/** @typedef {import('../font/faces.js').Fonts} Fonts */
/** @typedef {ReturnType<typeof placementOf>} Placement of a field, with its text in lines */
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
 * Draws each value at the position of its field; a field beyond the last page is drawn on the last page. A text that does
 * not fit is added as a whole on pages of its own. Returns, by page of the document, where something was drawn.
 * @param {PDFDocument} pdf @param {Fonts} fonts @param {readonly Field[]} fields
 * @returns {Promise<PageBox[][]>}
 */
export async function drawFields(pdf, fonts, fields) {
  const pages = pdf.getPages();
  /** @type {PageBox[][]} */
  const boxes = pages.map(() => []);
  if (pages.length === 0) return boxes;
  const placements = fields.map((field) =>
    placementOf(field, Math.min(field.pageIndex, pages.length - 1), pages, fonts),
  );
  const numbers = addWholeTexts(
    pdf,
    fonts,
    placements.filter(({ isWhole }) => !isWhole),
  );
  const images = embeddedImages(pdf);
  for (const placement of placements) {
    const image = await images(placement.field, placement.area);
    await drawUpright(placement.page, () => {
      const drawn = image ? drawImage(placement, image) : drawText(placement, fonts, numbers.get(placement));
      boxes[placement.index]?.push(...drawn.map((box) => fractionsOf(box, placement.area)));
    });
  }
  return boxes;
}

/** @param {Field} field @param {number} index @param {readonly PDFPage[]} pages @param {Fonts} fonts */
function placementOf(field, index, pages, fonts) {
  const page = /** @type {PDFPage} */ (pages[index]);
  const area = displayedArea(page);
  const face = isSignature(field) ? fonts.hand : fonts.plain;
  const text = isImage(field) ? '' : drawable(field.value);
  const size = field.fontSize || DEFAULT_FONT_SIZE;
  const natural = Math.max(...text.split('\n').map((line) => face.width(line, size))) + 1;
  const minWidth = MIN_WIDTH * area.width;
  const box = boxOf(field, area, isImage(field) ? minWidth : Math.min(natural, minWidth));
  return {
    field,
    index,
    page,
    area,
    box,
    face,
    text,
    ...fitInto(text, face, { ...box, ...limitsOf(field, box) }),
  };
}

/** @param {Field} field @param {Box} box */
function limitsOf(field, box) {
  const size = field.fontSize || DEFAULT_FONT_SIZE;
  const single = field.type !== 'TEXT';
  if (isSignature(field))
    return { single, maxSize: Math.max(LEAST_SIZE, Math.min(box.height * 0.7, 3 * DEFAULT_FONT_SIZE)) };
  if (!field.height) return { single, maxSize: size };
  return { single, maxSize: Math.min(size, Math.max(LEAST_SIZE, box.height * 0.75)) };
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

/** @param {Field} field */
const isImage = (field) => isSignature(field) && DATA_URL.test(field.value);

/**
 * Embeds the images of drawn signatures, each once, scaled down to the print resolution of their boxes.
 * @param {PDFDocument} pdf
 * @returns {(field: Field, area: Area) => Promise<PDFImage | undefined>}
 */
function embeddedImages(pdf) {
  /** @type {Map<string, Promise<PDFImage>>} */
  const images = new Map();
  return async (field, area) => {
    if (!isImage(field)) return undefined;
    const base64 = field.value.replace(DATA_URL, '');
    const box = boxOf(field, area, MIN_WIDTH * area.width);
    const [width, height] = [pixels(box.width), pixels(box.height)];
    const name = `${width} ${height} ${field.value}`;
    const image = images.get(name) ?? embed(pdf, base64, { width, height });
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
 * As large as fits the box, at its left edge. Returns the box.
 * @param {Placement} placement @param {PDFImage} image @returns {Box[]}
 */
function drawImage({ page, box, area }, image) {
  const { width, height } = image.scaleToFit(box.width, box.height);
  const y = area.height - box.top - (box.height + height) / 2;
  page.drawImage(image, { x: box.left, y, width, height });
  return [box];
}

/**
 * Vertically centred in a field with a height, else from its upper edge. Returns the boxes of the lines, and of the note
 * below them which says where the whole text is.
 * @param {Placement} placement @param {Fonts} fonts @param {number | undefined} wholeTextOn number of that page
 * @returns {Box[]}
 */
function drawText({ field, page, area, box, face, size, lines }, { plain }, wholeTextOn) {
  const isCentred = (field.height || isSignature(field)) && field.type !== 'TEXT' && !wholeTextOn;
  const spare = isCentred ? Math.max(0, (box.height - lines.length * size * LINE) / 2) : 0;
  const first = area.height - box.top - spare - size;
  const lineBox = (/** @type {number} */ left, /** @type {number} */ width, /** @type {number} */ count) => ({
    left,
    width,
    top: area.height - first - size,
    height: count * size * LINE,
  });
  for (const [index, { text, direction }] of lines.entries())
    face.draw(page, text, { x: box.left, y: first - index * size * LINE, size, direction });
  const drawn = lineBox(
    box.left,
    Math.max(0, ...lines.map(({ text }) => face.width(text, size))),
    lines.length,
  );
  if (!wholeTextOn) return [drawn];
  const note = `whole text on page ${wholeTextOn}`;
  const width = plain.width(note, size);
  const left = Math.max(0, Math.min(box.left, area.width - width));
  plain.draw(page, note, { x: left, y: first - lines.length * size * LINE, size, color: QUIET });
  return [drawn, lineBox(left, width, lines.length + 1)];
}
