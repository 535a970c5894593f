// Plain JavaScript, as everything that text-task.js loads.
import { addDrawings, addRelated } from './office-drawing.js';
import { listedParts, mainPart } from './office-package.js';
import { addOfficeText } from './office-text.js';

const MAIN = /^ppt\/presentation\d*\.xml$/;
const NAMED = /^ppt\/slides\/slide\d*\.xml$/;

/** What belongs to a slide: what is said (ECMA-376 part 1 §13.3.5), and comments (§13.3.2). */
const BESIDE = new Map([
  ['notesSlide', addOfficeText],
  ['comments', addOfficeText],
]);

/** A page for each slide, with its charts, diagrams, notes and comments. */
export function addSlides(
  /** @type {import('./text-archive.js').Archive} */ archive,
  /** @type {import('../../child/text-collect.js').TextCollector} */ collector,
) {
  const seen = new Set();
  for (const [index, { path }] of listedParts(archive, mainPart(archive, MAIN), 'sldId', NAMED).entries()) {
    if (index > 0) collector.nextPage();
    addOfficeText(archive, path, collector);
    addDrawings(archive, path, collector, seen);
    addRelated(archive, path, collector, { readers: BESIDE, seen });
  }
}
