// Plain JavaScript, as everything that text-task.js loads.
import { relationsOf } from './office-package.js';
import { addOfficeText } from './office-text.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** @typedef {(archive: Archive, part: string, collector: TextCollector) => void} Reader */

/** What a part refers to and its reader sees, by type of relation: how it is read. */
const READERS = new Map([
  ['chart', addChart],
  ['chartEx', addChart],
  ['diagramData', addOfficeText],
]);

/** The same for a chart: shapes that are drawn over it. */
const OVER_CHARTS = new Map([['chartUserShapes', addOfficeText]]);

/**
 * Adds the text of the charts and the diagrams (SmartArt) of a part, each once in the document: `seen` has the parts that are
 * read.
 * @param {Archive} archive
 * @param {string} part
 * @param {TextCollector} collector
 * @param {Set<string>} seen
 */
export function addDrawings(archive, part, collector, seen) {
  for (const chart of addRelated(archive, part, collector, { readers: READERS, seen }))
    addRelated(archive, chart, collector, { readers: OVER_CHARTS, seen });
}

/**
 * Adds the text of the parts to which a part refers, each once in the document, and returns them.
 * @param {Archive} archive
 * @param {string} part
 * @param {TextCollector} collector
 * @param {{ readers: Map<string, Reader>, seen: Set<string> }} options
 */
export function addRelated(archive, part, collector, { readers, seen }) {
  const added = [];
  for (const { path, type } of relationsOf(archive, part)) {
    const add = readers.get(type);
    if (!add || seen.has(path)) continue;
    seen.add(path);
    added.push(path);
    add(archive, path, collector);
  }
  return added;
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
