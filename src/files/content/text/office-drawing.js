// Plain JavaScript, as everything that text-task.js loads.
import { relationsOf } from './office-package.js';
import { addOfficeText } from './office-text.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** What a page refers to and its reader sees, by type of relation: how it is read. */
const READERS = new Map([
  ['chart', addChart],
  ['chartEx', addChart],
  ['chartUserShapes', addOfficeText],
  ['diagramData', addOfficeText],
]);

/**
 * Adds the text of the charts and the diagrams (SmartArt) of a part, each once in the document: `seen` has the parts that are
 * read. The shapes of a sheet, and those over a chart, are parts between.
 * @param {Archive} archive
 * @param {string} part
 * @param {TextCollector} collector
 * @param {Set<string>} seen
 */
export function addDrawings(archive, part, collector, seen) {
  for (const { path, type } of relationsOf(archive, part)) {
    const add = READERS.get(type);
    if (!add || seen.has(path)) continue;
    seen.add(path);
    add(archive, path, collector);
    if (type === 'chart') addDrawings(archive, path, collector, seen);
  }
}

/** Where the texts of a chart are as values: names of series and categories, in its own words or as they are in the sheet. */
const TEXTS = new Set(['strCache', 'strLit', 'multiLvlStrCache', 'tx', 'txData', 'strDim']);

/** Titles, and the names of series and categories (ECMA-376 part 1 §21.2; `cx` of Office 2016, [MS-ODRAWXML] §2.24.3). */
function addChart(
  /** @type {Archive} */ archive,
  /** @type {string} */ part,
  /** @type {TextCollector} */ collector,
) {
  let within = '';
  let texts = 0;
  archive.walk(part, {
    open(name) {
      within = name;
      if (TEXTS.has(name)) texts++;
    },
    close(name) {
      within = '';
      if (TEXTS.has(name)) texts--;
      if (name === 'p' || name === 'v' || name === 'pt') collector.add('\n');
    },
    text(text) {
      if (within === 't' || (texts > 0 && (within === 'v' || within === 'pt'))) collector.add(text);
    },
  });
}
