// Plain JavaScript, as everything that text-task.js loads.
import { addOfficeText } from './office-text.js';
import { withoutReadings } from './readings.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** What Excel writes as author of the note that stands for a comment in old programs ([MS-XLSX] §2.6.205). */
const STAND_IN = /^tc=/;

const MAX_AUTHORS = 100_000;

/** How the notes of the cells of a sheet, and its threaded comments, are read. */
export const NOTES = new Map([
  ['comments', addComments],
  ['threadedComment', addOfficeText],
]);

/** Each note on a line (ECMA-376 part 1 §18.7.3). */
function addComments(
  /** @type {Archive} */ archive,
  /** @type {string} */ path,
  /** @type {TextCollector} */ collector,
) {
  /** @type {string[]} */
  const authors = [];
  let author = '';
  let within = '';
  let isStandIn = false;
  const listener = withoutReadings({
    open(name, { authorId }) {
      within = name;
      if (name === 'author') author = '';
      if (name === 'comment') isStandIn = STAND_IN.test(authors[Number(authorId)] ?? '');
    },
    close(name) {
      within = '';
      if (name === 'author' && authors.length < MAX_AUTHORS) authors.push(author);
      if (name === 'comment') collector.add('\n');
    },
    text(text) {
      if (within === 'author') author = text.slice(0, 3);
      else if (within === 't' && !isStandIn) collector.add(text);
    },
  });
  archive.walk(path, listener);
}
