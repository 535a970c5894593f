// Plain JavaScript, as everything that text-task.js loads.
import { relationsOf } from './office-package.js';
import { addOfficeText } from './office-text.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/** What Excel writes as author of the note that stands for a comment in old programs ([MS-XLSX] §2.6.205). */
const STAND_IN = /^tc=/;

const MAX_AUTHORS = 100_000;

/** The notes of the cells of a sheet, and its threaded comments, each on a line, once in the document. */
export function addNotes(
  /** @type {Archive} */ archive,
  /** @type {string} */ sheet,
  /** @type {TextCollector} */ collector,
  /** @type {Set<string>} */ seen,
) {
  for (const { path, type } of relationsOf(archive, sheet)) {
    if ((type !== 'comments' && type !== 'threadedComment') || seen.has(path)) continue;
    seen.add(path);
    if (type === 'comments') addComments(archive, path, collector);
    else addOfficeText(archive, path, collector);
  }
}

/** ECMA-376 part 1 §18.7.3. */
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
  let phonetic = 0;
  archive.walk(path, {
    open(name, { authorId }) {
      within = name;
      if (name === 'author') author = '';
      if (name === 'rPh') phonetic++;
      if (name === 'comment') isStandIn = STAND_IN.test(authors[Number(authorId)] ?? '');
    },
    close(name) {
      within = '';
      if (name === 'author' && authors.length < MAX_AUTHORS) authors.push(author);
      if (name === 'rPh') phonetic--;
      if (name === 'comment') collector.add('\n');
    },
    text(text) {
      if (within === 'author') author = text.slice(0, 3);
      else if (within === 't' && phonetic === 0 && !isStandIn) collector.add(text);
    },
  });
}
