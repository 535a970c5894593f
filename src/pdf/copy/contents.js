import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFRawStream, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ shown: import('@cantoo/pdf-lib').PDFRef, matrix: number[], layer: any }} Shown a form XObject, where, and its layer */

const name = PDFName.of;

/**
 * Draws forms on a page, above its content, which cannot move them.
 * @param {PDFPage} page @param {readonly Shown[]} shown
 */
export function appendContents(page, shown) {
  if (shown.length === 0) return;
  const { node } = page;
  const { context } = node;
  const resources = ownDict(context, node.Resources());
  const before = isolated(page, resources);
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
 * @param {PDFPage} page @param {PDFDict} resources to which that form is added
 */
function isolated({ node }, resources) {
  const { context } = node;
  const streams = streamsOf(node);
  const text = streams.map((each) => Buffer.from(decoded(each)).toString('latin1')).join('\n');
  if (hasPairs(text)) {
    const entries = node.get(name('Contents'));
    const list = context.lookup(entries);
    const inner = list instanceof PDFArray ? list.asArray() : entries ? [entries] : [];
    return [context.register(context.stream('q\n')), ...inner, context.register(context.stream('\nQ\n'))];
  }
  const form = context.stream(Buffer.from(text, 'latin1'), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [-32_768, -32_768, 32_768, 32_768],
  });
  form.dict.set(name('Resources'), ownDict(context, resources));
  const forms = ownDict(context, resources.lookup(name('XObject')));
  const key = freeName(forms, 'Page');
  forms.set(name(key), context.register(form));
  resources.set(name('XObject'), forms);
  return [context.register(context.stream(`q /${key} Do Q\n`))];
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
