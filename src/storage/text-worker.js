// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { parentPort } from 'node:worker_threads';
import { Archive } from './text-archive.js';
import { TextCollector, TextFull, Unreadable } from './text-collect.js';
import { addMail } from './text-mail.js';
import { addHtml, addXml, charsetOf, decode } from './text-markup.js';
import { addOpenDocument, addSheets, addSlides, addWord } from './text-office.js';

/** @typedef {import('./text.ts').Format} Format */
/** @typedef {{ bytes: Uint8Array, format: Format }} Job */

/** @type {Record<Format, (collector: TextCollector, bytes: Uint8Array) => void | Promise<void>>} */
const READERS = {
  plain: (collector, bytes) => collector.add(decode(bytes)),
  html: (collector, bytes) => addHtml(collector, decode(bytes, charsetOf(bytes))),
  xml: addXml,
  mail: addMail,
  word: (collector, bytes) => addWord(new Archive(bytes), collector),
  sheets: (collector, bytes) => addSheets(new Archive(bytes), collector),
  slides: (collector, bytes) => addSlides(new Archive(bytes), collector),
  openText: (collector, bytes) => addOpenDocument(new Archive(bytes), collector, false),
  openPages: (collector, bytes) => addOpenDocument(new Archive(bytes), collector, true),
};

if (!parentPort) throw new Error('text-worker.js runs in a worker thread only');
const port = parentPort;

port.on('message', async (/** @type {Job} */ { bytes, format }) => {
  const collector = new TextCollector();
  try {
    await READERS[format](collector, bytes);
    port.postMessage({ pages: collector.pages(), cut: false });
  } catch (error) {
    if (error instanceof TextFull) port.postMessage({ pages: collector.pages(), cut: true });
    else port.postMessage({ fault: error instanceof Unreadable ? error.message : 'It is broken.' });
  }
});
