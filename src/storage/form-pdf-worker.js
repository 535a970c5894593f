// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import fontkit from '@cantoo/fontkit';
import { breakTextIntoLines, PDFDocument, rgb } from '@cantoo/pdf-lib';

/** @typedef {import('./form-pdf.ts').FormSheet} FormSheet */
/** @typedef {import('@cantoo/pdf-lib').PDFFont} PDFFont */
/** @typedef {{ x?: number, size?: number, font?: PDFFont, color?: import('@cantoo/pdf-lib').RGB, after?: number }} Look */

/** A4, in points. */
const [WIDTH, HEIGHT] = [595.28, 841.89];
const MARGIN = 56;
const LINE = 1.4;
const INK = rgb(0.11, 0.14, 0.13);
const QUIET = rgb(0.34, 0.38, 0.36);
const RULE = rgb(0.84, 0.85, 0.83);

if (!parentPort) throw new Error('form-pdf-worker.js runs in a worker thread only');
const made = await draw(/** @type {FormSheet} */ (workerData));
parentPort.postMessage(made, [made.bytes.buffer]);

/** @param {FormSheet} sheet */
async function draw(sheet) {
  const pdf = await PDFDocument.create();
  pdf.setTitle(plain(sheet.formName));
  pdf.setCreationDate(sheet.submittedAt);
  pdf.setModificationDate(sheet.submittedAt);
  const [font, bold] = await embedFonts(pdf);
  const { write, rule } = pages(pdf, font);
  write(`${sheet.organizationName} · ${sheet.projectName}`, { size: 9, color: QUIET, after: 4 });
  write(sheet.formName, { size: 20, font: bold, after: 4 });
  const when = `${sheet.submittedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const by = sheet.submittedBy ? ` by ${sheet.submittedBy}` : '';
  write(`Filled in on ${when}${by}`, { size: 9, color: QUIET, after: 14 });
  for (const { label, values } of sheet.answers) {
    rule();
    write(label, { size: 9, font: bold, color: QUIET, after: 2 });
    if (values.length === 0) write('–', { color: QUIET });
    for (const value of values) write(value, {});
    write('', { after: 6 });
  }
  const bytes = Uint8Array.from(await pdf.save());
  return { bytes, pageCount: pdf.getPageCount() };
}

/** @param {PDFDocument} pdf @returns {Promise<[PDFFont, PDFFont]>} */
function embedFonts(pdf) {
  pdf.registerFontkit(/** @type {any} */ (fontkit));
  const files = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
    readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`))),
  );
  const fonts = files.map((file) => pdf.embedFont(file, { subset: true }));
  return /** @type {Promise<any>} */ (Promise.all(fonts));
}

/**
 * Writes from the top of a page to its end, and on to the next.
 * @param {PDFDocument} pdf @param {PDFFont} body
 */
function pages(pdf, body) {
  let page = pdf.addPage([WIDTH, HEIGHT]);
  let y = HEIGHT - MARGIN;
  const room = (/** @type {number} */ height) => {
    if (y - height >= MARGIN) return;
    page = pdf.addPage([WIDTH, HEIGHT]);
    y = HEIGHT - MARGIN;
  };
  return {
    write(
      /** @type {string} */ text,
      /** @type {Look} */ { size = 11, font = body, color = INK, after = 0 },
    ) {
      for (const line of linesOf(plain(text), font, size)) {
        room(size * LINE);
        page.drawText(line, { x: MARGIN, y: y - size, size, font, color });
        y -= size * LINE;
      }
      y -= after;
    },
    rule() {
      room(60); // so that no label is left alone at the foot of a page
      page.drawLine({ start: { x: MARGIN, y }, end: { x: WIDTH - MARGIN, y }, thickness: 0.5, color: RULE });
      y -= 8;
    },
  };
}

/** Broken at spaces, and inside a word that is too long for a line. @param {string} text @param {PDFFont} font @param {number} size */
function linesOf(text, font, size) {
  const measure = (/** @type {string} */ part) => font.widthOfTextAtSize(part, size);
  const most = WIDTH - 2 * MARGIN;
  return breakTextIntoLines(text, [' '], most, measure).flatMap((line) =>
    measure(line.trimEnd()) > most ? breakTextIntoLines(line, [''], most, measure) : [line.trimEnd()],
  );
}

/** Without what no font draws. @param {string} text */
function plain(text) {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\p{Cc}\p{Bidi_C}]/gu, (character) => (character === '\n' ? '\n' : ''));
}
