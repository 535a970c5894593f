import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFRawStream, PDFStream } from '@cantoo/pdf-lib';
import { isolateContents } from '../page/isolate.js';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ shown: import('@cantoo/pdf-lib').PDFRef, matrix: number[], layer: any }} Shown a form XObject, where, and its layer */

const name = PDFName.of;

/**
 * Draws forms on a page, above its content, which cannot move them.
 * @param {PDFPage} page @param {readonly Shown[]} shown
 */
export async function appendContents(page, shown) {
  if (shown.length === 0) return;
  const { node } = page;
  const { context } = node;
  const before = await isolated(page);
  const resources = ownDict(context, node.Resources());
  const forms = ownDict(context, resources.lookup(name('XObject')));
  const layers = ownDict(context, resources.lookup(name('Properties')));
  const operators = shown.map(({ shown: ref, matrix, layer }) => {
    const [form, mark] = [freeName(forms, 'Shown'), freeName(layers, 'Layer')];
    forms.set(name(form), ref);
    if (layer) layers.set(name(mark), layer);
    const drawn = `q ${matrix.join(' ')} cm /${form} Do Q`;
    return layer ? `/OC /${mark} BDC ${drawn} EMC` : drawn;
  });
  resources.set(name('XObject'), forms);
  if (layers.keys().length > 0) resources.set(name('Properties'), layers);
  node.set(name('Resources'), resources);
  const after = context.register(context.stream(operators.join('\n')));
  node.set(name('Contents'), context.obj([...before, after]));
}

/**
 * The page's content, such that its state of graphics ends with it (ISO 32000-1 §8.4.2): within q and Q where its own are
 * in pairs, else in a form XObject.
 * @param {PDFPage} page
 */
async function isolated(page) {
  const { node } = page;
  const { context } = node;
  const text = streamsOf(node).map((each) => Buffer.from(decoded(each)).toString('latin1'));
  if (!hasPairs(text.join('\n'))) {
    await isolateContents(page);
    return entriesOf(node);
  }
  const [save, restore] = ['q\n', '\nQ\n'].map((operator) => context.register(context.stream(operator)));
  return [save, ...entriesOf(node), restore];
}

/** @param {PDFPage['node']} node */
function entriesOf(node) {
  const entries = node.get(name('Contents'));
  const list = node.context.lookup(entries);
  if (list instanceof PDFArray) return list.asArray();
  return entries ? [entries] : [];
}

/**
 * Leaves out what is no stream of a page's content: PDFium passes over it, and other viewers then show no page.
 * @param {PDFPage} page
 */
export function dropMissingContents({ node }) {
  const contents = node.lookup(name('Contents'));
  if (!(contents instanceof PDFArray)) {
    if (!(contents instanceof PDFStream)) node.delete(name('Contents'));
    return;
  }
  const streams = contents.asArray().filter((_, index) => contents.lookup(index) instanceof PDFStream);
  node.set(name('Contents'), node.context.obj(streams));
}

/** @param {PDFPage['node']} node @returns {PDFStream[]} */
function streamsOf(node) {
  const contents = node.lookup(name('Contents'));
  if (contents instanceof PDFStream) return [contents];
  if (!(contents instanceof PDFArray)) return [];
  return contents.asArray().flatMap((_, index) => {
    const each = contents.lookup(index);
    return each instanceof PDFStream ? [each] : [];
  });
}

/** @param {PDFStream} stream */
const decoded = (stream) =>
  stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : stream.getContents();

const STRINGS = /%[^\r\n]*|\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)|<[0-9a-fA-F\s]*>/g;
const IMAGES = /\bBI\b[\s\S]*?\bEI\b/g;

/** Whether each Q of a content stream ends a q before it, and each q is ended. @param {string} text */
function hasPairs(text) {
  let depth = 0;
  for (const [operator] of text
    .replace(STRINGS, ' ')
    .replace(IMAGES, ' ')
    .matchAll(/(?<![^\s\]>)])[qQ](?![^\s[<(/])/g)) {
    depth += operator === 'q' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A copy, as pages may share theirs; empty for none. @param {any} context @param {any} dict @returns {PDFDict} */
const ownDict = (context, dict) => (dict instanceof PDFDict ? dict.clone(context) : context.obj({}));

/** @param {PDFDict} dict @param {string} prefix */
function freeName(dict, prefix) {
  for (let index = 1; ; index++) if (!dict.has(name(`${prefix}${index}`))) return `${prefix}${index}`;
}
