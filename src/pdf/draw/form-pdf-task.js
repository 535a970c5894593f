// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import { answerTasks } from '../../files/child/child-task.js';
import { drawFields } from './fields.js';
import { openPdf } from './open-pdf.js';
import { sheets } from './sheets.js';
import { drawable, embedFonts } from './text.js';

/** @typedef {import('./form-pdf.ts').FormSheet} FormSheet */
/** @typedef {import('./text.js').Fonts} Fonts */

const SIZE = 11;
const SMALL = 9;
const INK = rgb(0.11, 0.14, 0.13);
const QUIET = rgb(0.34, 0.38, 0.36);
const RULE = rgb(0.84, 0.85, 0.83);

const WORN_OVER = 256 * 2 ** 20;

answerTasks((/** @type {FormSheet} */ sheet) => draw(sheet).catch(brokenIn(sheet)), WORN_OVER);

/** Null for an own PDF that cannot be read; every other failure ends the process. @param {FormSheet} sheet */
const brokenIn = (sheet) => (/** @type {unknown} */ error) => {
  if (sheet.own) return null;
  throw error;
};

/** @param {FormSheet} sheet */
async function draw(sheet) {
  const { own, submittedAt, answers } = sheet;
  const pdf = own ? await openPdf(own) : await PDFDocument.create();
  pdf.setTitle(drawable(sheet.formName));
  pdf.setCreationDate(submittedAt);
  pdf.setModificationDate(submittedAt);
  const fonts = await embedFonts(pdf, textOf(sheet));
  const placed = own ? answers.filter(({ place }) => place) : [];
  await drawFields(pdf, fonts, placed.flatMap(drawn));
  const listed = answers.filter((answer) => !placed.includes(answer));
  if (!own || listed.length > 0) list(pdf, fonts, { ...sheet, answers: listed });
  const bytes = Uint8Array.from(await pdf.save({ updateFieldAppearances: false }));
  return { bytes, pageCount: pdf.getPageCount() };
}

/** @param {FormSheet['answers'][number]} answer @returns {import('./drawn-field.ts').DrawnField[]} */
const drawn = ({ values, place }) =>
  place && values.length > 0 ? [{ ...place, type: 'TEXT', value: values.join(', '), height: null }] : [];

/** All that people wrote. @param {FormSheet} sheet */
const textOf = ({ formName, projectName, organizationName, submittedBy, answers }) =>
  [
    formName,
    projectName,
    organizationName,
    submittedBy ?? '',
    ...answers.flatMap(({ label, values }) => [label, ...values]),
  ].join('');

/**
 * Each answer below its question, on as many pages as it takes.
 * @param {PDFDocument} pdf @param {Fonts} fonts @param {FormSheet} sheet
 */
function list(pdf, { plain, bold }, sheet) {
  const { need, down, write, rule } = sheets(pdf);
  const quiet = { font: plain, size: SMALL, color: QUIET };
  write(`${sheet.organizationName} · ${sheet.projectName}`, quiet);
  down(4);
  write(sheet.formName, { font: bold, size: 20, color: INK });
  down(4);
  const when = `${sheet.submittedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  write(`Filled in on ${when} by ${sheet.submittedBy ?? 'somebody who had the public link'}`, quiet);
  down(14);
  for (const { label, values } of sheet.answers) {
    need(60); // so that no label is left alone at the foot of a page
    rule(RULE);
    down(8);
    write(label, { ...quiet, font: bold });
    down(2);
    if (values.length === 0) write('–', { font: plain, size: SIZE, color: QUIET });
    for (const value of values) write(value, { font: plain, size: SIZE, color: INK });
    down(14);
  }
}
