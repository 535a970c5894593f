// Plain JavaScript, as everything that text-task.js loads.
import { posix } from 'node:path';
import { Unreadable } from '../../child/text-collect.js';
import { walkXml } from '../markup/text-markup.js';
import { OpenReader } from './open-reader.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {import('../../child/text-collect.js').TextCollector} TextCollector */

/**
 * OpenDocument: text in one run, or a page for each slide of a presentation and each sheet of a spreadsheet. Then headers and
 * footers, which are in the styles.
 * @param {Archive} archive
 * @param {TextCollector} collector
 * @param {boolean} paged
 */
export function addOpenDocument(archive, collector, paged) {
  archive.walk('META-INF/manifest.xml', {
    open(name) {
      if (name === 'encryption-data') throw new Unreadable('It is locked with a password.');
    },
  });
  if (!archive.has('content.xml')) throw new Unreadable('Its main part is missing.');
  const seen = new Set();
  const addObject = (/** @type {string} */ folder) => {
    const part = posix.join(folder, 'content.xml');
    if (seen.has(part)) return;
    seen.add(part);
    archive.walk(part, new OpenReader(collector, { paged: false }).listener);
  };
  archive.walk('content.xml', new OpenReader(collector, { paged, addObject }).listener);
  archive.walk('styles.xml', new OpenReader(collector, { paged: false }).listener);
}

/** The same in one file of XML (OpenDocument 1.3 part 3 §3.1.2). */
export const addFlatOpenDocument = (
  /** @type {TextCollector} */ collector,
  /** @type {Uint8Array} */ bytes,
  /** @type {boolean} */ paged,
) => walkXml(bytes, new OpenReader(collector, { paged }).listener);
