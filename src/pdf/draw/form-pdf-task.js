// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import { answerTasks } from '../../files/child/child-task.js';
import { openCopy } from '../copy/open-copy.js';
import { deleteUnreachable } from '../copy/reachable.js';
import { drawable } from '../font/clusters.js';
import { loadFonts } from '../font/faces.js';
import { drawFields } from './fields.js';
import { sheets } from './sheets.js';

/** @typedef {import('./form-pdf.ts').FormSheet} FormSheet */
/** @typedef {import('../font/faces.js').Fonts} Fonts */

const SIZE = 11;
const SMALL = 9;
const INK = rgb(0.11, 0.14, 0.13);
const QUIET = rgb(0.34, 0.38, 0.36);
const RULE = rgb(0.84, 0.85, 0.83);

const MAX_MEMORY = 256 * 2 ** 20;

answerTasks((/** @type {FormSheet} */ sheet) => draw(sheet).catch(nullIfUnreadable(sheet)), MAX_MEMORY);

/** Null if the form's PDF cannot be read; any other failure ends the process. @param {FormSheet} sheet */
const nullIfUnreadable = (sheet) => (/** @type {unknown} */ error) => {
  if (sheet.basePdf) return null;
  throw error;
};

/** @param {FormSheet} sheet */
async function draw(sheet) {
  const { basePdf, submittedAt, answers } = sheet;
  const pdf = basePdf ? openCopy(basePdf) : await PDFDocument.create();
  pdf.setTitle(drawable(sheet.formName));
  pdf.setCreationDate(submittedAt);
  pdf.setModificationDate(submittedAt);
  const fonts = await loadFonts(pdf, textOf(sheet));
  const ownPages = basePdf ? pdf.getPageCount() : 0;
  const answersOnPdf = answers.filter(({ position }) => position && position.pageIndex < ownPages);
  const boxes = await drawFields(pdf, fonts, answersOnPdf.flatMap(fieldsOf));
  const remainingAnswers = answers.filter((answer) => !answersOnPdf.includes(answer));
  if (!basePdf || remainingAnswers.length > 0) list(pdf, fonts, { ...sheet, answers: remainingAnswers });
  fonts.embed();
  if (basePdf) deleteUnreachable(pdf.context);
  const bytes = Uint8Array.from(await pdf.save({ updateFieldAppearances: false }));
  return { bytes, pageCount: pdf.getPageCount(), boxes };
}

/** @param {FormSheet['answers'][number]} answer @returns {import('./drawn-field.ts').DrawnField[]} */
const fieldsOf = ({ label, values, position }) =>
  position && values.length > 0
    ? [{ ...position, type: 'TEXT', value: values.join(', '), height: null, label }]
    : [];

/** All text on the sheets, for choosing fonts. @param {FormSheet} sheet */
const textOf = ({ formName, projectName, organizationName, submittedBy, answers }) =>
  [
    formName,
    projectName,
    organizationName,
    submittedBy ?? '',
    ...answers.flatMap(({ label, values }) => [label, ...values, values.join(', ')]),
    `${organizationName} · ${projectName}`,
  ].join('\n');

/**
 * Writes each answer below its question, on as many pages as needed.
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
    need(60); // keeps a label on one page with its answer
    rule(RULE);
    down(8);
    write(label, { ...quiet, font: bold });
    down(2);
    if (values.length === 0) write('–', { font: plain, size: SIZE, color: QUIET });
    for (const value of values) write(value, { font: plain, size: SIZE, color: INK });
    down(14);
  }
}
