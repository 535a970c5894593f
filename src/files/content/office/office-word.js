// Plain JavaScript, as everything that text-task.js loads.
import { addDrawings } from './office-drawing.js';
import { mainPart, namedParts, relatedParts } from './office-package.js';
import { addOfficeText } from './office-text.js';

/** Parts beside the main one whose text is seen (ECMA-376 part 1 §11.3), by type of relation. */
const BESIDE = ['header', 'footer', 'footnotes', 'endnotes', 'comments'];

const MAIN = /^word\/document\d*\.xml$/;
const NAMED = /^word\/(?:header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/;

/** The body, then headers, footers, notes and comments; parts with a conventional name also where no relation leads to them. */
export function addWord(
  /** @type {import('./text-archive.js').Archive} */ archive,
  /** @type {import('../../child/text-collect.js').TextCollector} */ collector,
) {
  const main = mainPart(archive, MAIN);
  const parts = new Set([main, ...relatedParts(archive, main, BESIDE), ...namedParts(archive, NAMED)]);
  const drawings = new Set(parts);
  for (const part of parts) {
    addOfficeText(archive, part, collector);
    addDrawings(archive, part, collector, drawings);
  }
}
