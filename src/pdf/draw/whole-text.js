import { rgb } from '@cantoo/pdf-lib';
import { sheets } from './sheets.js';

/** @typedef {import('./drawn-field.ts').DrawnField} Field */
/** @typedef {{ field: Field, index: number, text: string, face: import('../font/faces.js').Face }} Long text that does not fit its field on the page `index` (0) */

export const QUIET = rgb(0.34, 0.38, 0.36);
const SIZE = 10;

/** @type {Record<Field['type'], string>} */
const NAMES = {
  SIGNATURE: 'Signature',
  INITIALS: 'Initials',
  FULL_NAME: 'Full name',
  EMAIL: 'E-mail address',
  TITLE: 'Title',
  DATE: 'Date',
  TEXT: 'Text',
};

/**
 * Adds pages with the whole texts of fields that have no room for them. Returns the number of the page (1) on which each begins.
 * @template {Long} Placement
 * @param {import('@cantoo/pdf-lib').PDFDocument} pdf @param {import('../font/faces.js').Fonts} fonts @param {readonly Placement[]} placements
 */
export function addWholeTexts(pdf, { bold }, placements) {
  /** @type {Map<Placement, number>} */
  const numbers = new Map();
  if (placements.length === 0) return numbers;
  const { need, down, write } = sheets(pdf);
  for (const placement of placements) {
    const { field, index, text, face } = placement;
    need(6 * SIZE);
    numbers.set(placement, pdf.getPageCount());
    write(`${field.label || NAMES[field.type]} (whole text of the field on page ${index + 1})`, {
      font: bold,
      size: SIZE,
      color: QUIET,
    });
    down(4);
    write(text, { font: face, size: SIZE });
    down(2 * SIZE);
  }
  return numbers;
}
