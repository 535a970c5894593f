// Plain JavaScript, as everything that text-task.js loads.
import { TextFull } from '../../child/text-collect.js';
import { CellFormats } from './cell-format.js';
import { addDrawings, addRelated } from './office-drawing.js';
import { listedParts, mainPart, relatedParts } from './office-package.js';
import { addOfficeText } from './office-text.js';
import { sharedStrings } from './shared-strings.js';
import { addCells } from './sheet-cells.js';
import { NOTES } from './sheet-notes.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

const MAIN = /^xl\/workbook\d*\.xml$/;
const NAMED = /^xl\/worksheets\/sheet\d*\.xml$/;

const SHAPES = new Map([['drawing', addOfficeText]]);

/** A page for each sheet: its name, cells, notes, comments, and the texts of its shapes, charts and diagrams. */
export function addSheets(/** @type {Archive} */ archive, /** @type {TextCollector} */ collector) {
  const main = mainPart(archive, MAIN);
  const { strings, cut } = sharedStrings(archive, partOf(archive, main, 'sharedStrings'));
  const formats = new CellFormats(archive, partOf(archive, main, 'styles'), startsIn1904(archive, main));
  const seen = new Set();
  for (const [index, { name, path }] of listedParts(archive, main, 'sheet', NAMED).entries()) {
    if (index > 0) collector.nextPage();
    collector.add(`${name}\n`);
    addCells(archive, path, collector, { strings, formats });
    addRelated(archive, path, collector, { readers: NOTES, seen });
    addShapes(archive, path, collector, seen);
  }
  if (cut) throw new TextFull();
}

/** The part to which the workbook refers, else that with the conventional name. */
const partOf = (/** @type {Archive} */ archive, /** @type {string} */ main, /** @type {string} */ type) =>
  relatedParts(archive, main, [type])[0] ?? `xl/${type}.xml`;

function startsIn1904(/** @type {Archive} */ archive, /** @type {string} */ main) {
  let starts = false;
  archive.walk(main, {
    open(name, { date1904 }) {
      if (name === 'workbookPr') starts = date1904 === '1' || date1904 === 'true';
    },
  });
  return starts;
}

function addShapes(
  /** @type {Archive} */ archive,
  /** @type {string} */ sheet,
  /** @type {TextCollector} */ collector,
  /** @type {Set<string>} */ seen,
) {
  addDrawings(archive, sheet, collector, seen);
  for (const drawing of addRelated(archive, sheet, collector, { readers: SHAPES, seen }))
    addDrawings(archive, drawing, collector, seen);
}
