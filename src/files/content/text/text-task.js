// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { answerTasks, requestBytes } from '../../child/child-task.js';
import { TextCollector, TextFull, Unreadable } from '../../child/text-collect.js';
import { addSheets } from '../office/office-sheets.js';
import { addSlides } from '../office/office-slides.js';
import { addWord } from '../office/office-word.js';
import { addFlatOpenDocument, addOpenDocument } from '../office/open-document.js';
import { Archive } from '../office/text-archive.js';
import { addMail } from './text-mail.js';
import { addFolded, addHtmlFile, addPlain, addXmlFile } from './text-plain.js';

/** @typedef {import('./text.ts').Format} Format */
/** @typedef {import('./text.ts').TextTask} Task */
/** @typedef {import('./text.ts').TextAnswer} Answer */

const WORN_OVER = 192 * 2 ** 20;

/** @type {Record<Format, (collector: TextCollector, bytes: Uint8Array) => void | Promise<void>>} */
const READERS = {
  plain: addPlain,
  folded: addFolded,
  html: addHtmlFile,
  xml: addXmlFile,
  mail: addMail,
  word: (collector, bytes) => addWord(new Archive(bytes), collector),
  sheets: (collector, bytes) => addSheets(new Archive(bytes), collector),
  slides: (collector, bytes) => addSlides(new Archive(bytes), collector),
  openText: (collector, bytes) => addOpenDocument(new Archive(bytes), collector, false),
  openPages: (collector, bytes) => addOpenDocument(new Archive(bytes), collector, true),
  flatText: (collector, bytes) => addFlatOpenDocument(collector, bytes, false),
  flatPages: (collector, bytes) => addFlatOpenDocument(collector, bytes, true),
};

answerTasks(answer, WORN_OVER);

/** @param {Task} task @returns {Promise<Answer>} */
async function answer({ format, size }) {
  const bytes = await requestBytes(size);
  const collector = new TextCollector();
  try {
    await READERS[format](collector, bytes);
    return { pages: collector.pages(), cut: false };
  } catch (error) {
    if (error instanceof TextFull) return { pages: collector.pages(), cut: true };
    return { fault: error instanceof Unreadable ? error.message : 'It is broken.' };
  }
}
