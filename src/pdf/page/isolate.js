import {
  PDFArray,
  PDFContentStream,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import { decodedContent } from './content-stream.js';
import { pageBox } from './page-box.js';
import { moveMarkedContent } from './structure.js';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

const name = PDFName.of;

/** Beyond the page, in units: content there is not displayed, but part of the text. */
const BLEED = 10_000;

/** Dictionaries of pages whose content was isolated. @type {WeakSet<PDFDict>} */
const isolated = new WeakSet();

/**
 * Moves the content of a page into a form XObject (ISO 32000-2 §8.10), whose graphics state ends with it: what is drawn
 * afterwards is not affected by a matrix, clip, text object or layer that the content leaves open, nor by superfluous
 * operators. Pages of our own are left as they are. Throws where content cannot be decoded.
 * @param {PDFPage} page
 */
export async function isolateContents(page) {
  const { node, doc } = page;
  if (isolated.has(node)) return;
  isolated.add(node);
  const streams = contentStreams(page);
  if (streams.some((stream) => stream instanceof PDFContentStream)) return;
  const form = await formOf(/** @type {PDFRawStream[]} */ (streams), page);
  ownResources(page);
  node.set(name('Contents'), doc.context.obj([]));
  if (!form) return;
  const reference = doc.context.register(form);
  moveMarkedContent(page, form.dict, reference);
  const key = node.newXObject('Page', reference).toString();
  node.set(name('Contents'), doc.context.obj([doc.context.register(doc.context.stream(`q ${key} Do Q\n`))]));
}

/** What is not there is skipped, as by the library that draws the pages for signers. @param {PDFPage} page */
function contentStreams({ node, doc: { context } }) {
  const contents = node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((each) => context.lookup(each)) : [contents];
  for (const stream of streams)
    if (stream instanceof PDFInvalidObject) throw new Error('the content of a page cannot be read');
  return streams.filter((stream) => stream instanceof PDFRawStream || stream instanceof PDFContentStream);
}

/** Several streams are one content: an operator may begin in one and end in the next. @param {PDFRawStream[]} streams @param {PDFPage} page */
async function formOf(streams, page) {
  const { context } = page.doc;
  const [first] = streams;
  if (!first) return undefined;
  const form =
    streams.length === 1
      ? PDFRawStream.of(encodingOf(first), first.contents, first.transform)
      : context.flateStream(
          Buffer.concat((await Promise.all(streams.map(decodedContent))).flatMap(withBreak)),
        );
  const { x, y, width, height } = pageBox(page, 'MediaBox');
  const box = [x - BLEED, y - BLEED, x + width + BLEED, y + height + BLEED];
  const entries = { Type: 'XObject', Subtype: 'Form', BBox: box };
  for (const [key, value] of Object.entries(entries)) form.dict.set(name(key), context.obj(value));
  form.dict.set(name('Resources'), page.node.getInheritableAttribute(name('Resources')) ?? context.obj({}));
  return form;
}

/** @param {Uint8Array} content */
const withBreak = (content) => [content, Buffer.from('\n')];

/** @param {PDFRawStream} stream */
function encodingOf({ dict }) {
  const encoding = PDFDict.withContext(dict.context);
  for (const key of ['Filter', 'DecodeParms']) {
    const value = dict.get(name(key));
    if (value) encoding.set(name(key), value);
  }
  return encoding;
}

/** Pages may share their resources; those of this page get further fonts and images. @param {PDFPage} page */
function ownResources({ node, doc: { context } }) {
  const resources = copyOf(node.Resources(), context);
  for (const key of ['Font', 'XObject', 'ExtGState'])
    resources.set(name(key), copyOf(resources.lookup(name(key)), context));
  node.set(name('Resources'), resources);
}

/** @param {PDFObject | undefined} value @param {import('@cantoo/pdf-lib').PDFContext} context */
const copyOf = (value, context) =>
  value instanceof PDFDict ? PDFDict.fromMapWithContext(new Map(value.entries()), context) : context.obj({});
