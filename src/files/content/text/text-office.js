// Plain JavaScript, as everything that text-task.js loads.
import { posix } from 'node:path';
import { MAX_PAGES, MAX_TEXT, TextFull, Unreadable } from '../../child/text-collect.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

const MAX_RELATIONS = 100_000;
const MAX_STRINGS = 2_000_000;

/** The paths of the parts to which a part of Office Open XML refers (ECMA-376 part 2 §9.3), by relationship id. */
function relationsOf(/** @type {Archive} */ archive, /** @type {string} */ part) {
  const folder = posix.dirname(part);
  /** @type {Map<string, { path: string, type: string }>} */
  const relations = new Map();
  archive.walk(`${folder}/_rels/${posix.basename(part)}.rels`, {
    open(name, { Id = '', Target = '', Type = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const path = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      if (relations.size >= MAX_RELATIONS) throw new Unreadable('Its parts are related too often.');
      relations.set(Id, { path, type: posix.basename(Type) });
    },
  });
  return relations;
}

/** The parts of one kind in the order of the main part, by path: each is read once. */
function partsOf(/** @type {Archive} */ archive, /** @type {string} */ main, /** @type {string} */ element) {
  const relations = relationsOf(archive, main);
  /** @type {Map<string, string>} */
  const parts = new Map();
  archive.walk(main, {
    open(name, attributes) {
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const path = relations.get(id)?.path;
      if (name === element && path && !parts.has(path) && parts.size <= MAX_PAGES)
        parts.set(path, attributes.name ?? '');
    },
  });
  return [...parts].map(([path, name]) => ({ path, name }));
}

/**
 * The running text of WordprocessingML or DrawingML: the content of `t`, a line for each paragraph. Deleted text is in
 * `delText`, and the fallback of an alternative repeats its text.
 */
function addRuns(
  /** @type {Archive} */ archive,
  /** @type {string} */ part,
  /** @type {TextCollector} */ collector,
) {
  let inText = false;
  let fallback = 0;
  archive.walk(part, {
    open(name) {
      if (name === 'Fallback') fallback++;
      inText = name === 't' && fallback === 0;
      if (name === 'tab' || name === 'tc') collector.add('\t');
      if (name === 'br' || name === 'cr') collector.add('\n');
    },
    close(name) {
      if (name === 'Fallback') fallback--;
      inText = false;
      if (name === 'p') collector.add('\n');
    },
    text(text) {
      if (inText) collector.add(text);
    },
  });
}

const WORD_PARTS = /^word\/(?:header\d*|document\d*|footer\d*|footnotes|endnotes|comments)\.xml$/;

export function addWord(/** @type {Archive} */ archive, /** @type {TextCollector} */ collector) {
  const main = (/** @type {string} */ name) => (name.startsWith('word/document') ? 0 : 1);
  const parts = archive.names.filter((name) => WORD_PARTS.test(name)).sort((a, b) => main(a) - main(b));
  for (const part of parts) addRuns(archive, part, collector);
}

/** A page for each slide, with its notes. */
export function addSlides(/** @type {Archive} */ archive, /** @type {TextCollector} */ collector) {
  const added = new Set();
  for (const [index, { path }] of partsOf(archive, 'ppt/presentation.xml', 'sldId').entries()) {
    if (index > 0) collector.nextPage();
    addRuns(archive, path, collector);
    for (const { path: notes, type } of relationsOf(archive, path).values()) {
      if (type !== 'notesSlide' || added.has(notes)) continue;
      added.add(notes);
      addRuns(archive, notes, collector);
    }
  }
}

/** The strings to which cells refer by index, and whether some are missing because of the limit. */
function sharedStrings(/** @type {Archive} */ archive) {
  /** @type {string[]} */
  const strings = [];
  /** @type {string[]} */
  let parts = [];
  let room = MAX_TEXT;
  let inText = false;
  let phonetic = 0;
  archive.walk('xl/sharedStrings.xml', {
    open(name) {
      if (name === 'rPh') phonetic++;
      inText = name === 't' && phonetic === 0;
    },
    close(name) {
      if (name === 'rPh') phonetic--;
      inText = false;
      if (name !== 'si') return;
      if (strings.length >= MAX_STRINGS) throw new Unreadable('It has more than 2,000,000 shared strings.');
      strings.push(parts.join(''));
      parts = [];
    },
    text(text) {
      if (inText && room > 0) parts.push(text);
      if (inText) room -= text.length;
    },
  });
  return { strings, cut: room < 0 };
}

/** A page for each sheet, which begins with its name. Numbers, and so dates, are as stored in the file. */
export function addSheets(/** @type {Archive} */ archive, /** @type {TextCollector} */ collector) {
  const { strings, cut } = sharedStrings(archive);
  for (const [index, { name, path }] of partsOf(archive, 'xl/workbook.xml', 'sheet').entries()) {
    if (index > 0) collector.nextPage();
    collector.add(`${name}\n`);
    addSheet(archive, path, collector, strings);
  }
  if (cut) throw new TextFull();
}

function addSheet(
  /** @type {Archive} */ archive,
  /** @type {string} */ path,
  /** @type {TextCollector} */ collector,
  /** @type {string[]} */ strings,
) {
  let shared = false;
  let within = '';
  archive.walk(path, {
    open(name, { t }) {
      within = name;
      if (name === 'c') shared = t === 's';
    },
    close(name) {
      within = '';
      if (name === 'c') collector.add('\t');
      if (name === 'row') collector.add('\n');
    },
    text(text) {
      if (within === 't' || (within === 'v' && !shared)) collector.add(text);
      else if (within === 'v') collector.add(strings[Number(text)] ?? '');
    },
  });
}

const PAGES = new Set(['page', 'table']);
const SILENT = new Set(['tracked-changes', 'notes-configuration', 'forms']);

/** OpenDocument: text in one run, and a page for each slide of a presentation and each sheet of a spreadsheet. */
export function addOpenDocument(
  /** @type {Archive} */ archive,
  /** @type {TextCollector} */ collector,
  /** @type {boolean} */ paged,
) {
  archive.walk('META-INF/manifest.xml', {
    open(name) {
      if (name === 'encryption-data') throw new Unreadable('It is locked with a password.');
    },
  });
  let body = 0;
  let silent = 0;
  let begun = 0;
  archive.walk('content.xml', {
    open(name, attributes) {
      if (name === 'body') body++;
      if (SILENT.has(name)) silent++;
      if (paged && PAGES.has(name) && begun++ > 0) collector.nextPage();
      if (paged && name === 'table') collector.add(`${attributes['table:name'] ?? ''}\n`);
      if (name === 'tab' || name === 's') collector.add('\t');
      if (name === 'line-break') collector.add('\n');
    },
    close(name) {
      if (name === 'body') body--;
      if (SILENT.has(name)) silent--;
      if (name === 'p' || name === 'h') collector.add('\n');
    },
    text(text) {
      if (body > 0 && silent === 0) collector.add(text);
    },
  });
}
