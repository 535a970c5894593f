// Plain JavaScript, for servers and browsers.

import { dictionaryAt, fail, referenceAt } from '../../pdf/seal/object-syntax.js';
import { judgeField } from './field.js';
import { canonicalAt, dictionaryOf, itemsAt, requireName, requireReferenceAt, requireSame } from './value.js';

/** @typedef {import('./objects.js').UpdatedObjects} UpdatedObjects */
/** @typedef {import('./objects.js').Located} Located */
/** @typedef {import('./field.js').Gap} Gap */

/** What a form has for fields with texts (ISO 32000-2 §12.7.3, table 224). */
const DEFAULTS = ['DA', 'DR'];

/** Keys of a standard font (§9.6.2), which is not in the file. */
const FONT_KEYS = ['Type', 'Subtype', 'BaseFont', 'Encoding', 'Name'];

/**
 * Judges what an update changes in the form and on pages: at most one field more, with a document time-stamp over the file up to
 * the end of the update (ETSI EN 319 142-1 §5.4.3), which cannot be seen. Resolves to where its token is. Rejects with
 * RangeError for anything else.
 * @param {UpdatedObjects} objects @param {Located} before @param {Located} after @returns {Promise<Gap | undefined>}
 */
export async function judgeForm(objects, before, after) {
  const { file } = objects;
  const [old, form] = [dictionaryAt(file, before.at).values, dictionaryAt(file, after.at).values];
  const defaults = DEFAULTS.filter((key) => !old.has(key));
  requireSame(file, old, form, ['Fields', ...defaults]);
  objects.acceptInstead(before, after);
  const [was, is] = [arrayOf(old, before), arrayOf(form, after)];
  if (defaults.some((key) => form.has(key))) judgeDefaults(objects, was, form.get('DR'));
  const added = addedItems(objects, objects.followBefore(was), objects.follow(is));
  if (added.length > 1) fail(is, 'there are several new fields');
  if (added[0] === undefined) return undefined;
  const number = requireReferenceAt(file, added[0]);
  const { name, page, gap } = await judgeField(objects, number);
  for (const field of itemsAt(file, objects.followBefore(was).at))
    if (nameBefore(objects, field) === name) fail(added[0], 'a new field has the name of another');
  if (page !== undefined) judgePage(objects, page, number);
  return gap;
}

/**
 * A font and resources for texts, which some programs add to each form: only standard fonts, and where all fields were
 * signatures, which have no text.
 * @param {UpdatedObjects} objects @param {number} fields offset of those before @param {number | undefined} resources
 */
function judgeDefaults(objects, fields, resources) {
  const { file } = objects;
  for (const field of itemsAt(file, objects.followBefore(fields).at))
    requireName(file, dictionaryAt(file, objects.followBefore(field).at).values, 'FT', 'Sig');
  if (resources === undefined) return;
  const fonts = dictionaryOf(file, objects.acceptNewAt(resources), ['Font']).get('Font');
  if (fonts === undefined) return;
  for (const font of dictionaryAt(file, objects.acceptNewAt(fonts)).values.values())
    dictionaryOf(file, objects.acceptNewAt(font), FONT_KEYS);
}

/** @param {Map<string, number>} form @param {Located} located */
const arrayOf = (form, { at }) => form.get('Fields') ?? fail(at, 'a form without fields');

/** The offsets of the items that follow those before the update. @param {UpdatedObjects} objects @param {Located} before @param {Located} after */
function addedItems(objects, before, after) {
  const { file } = objects;
  const [was, is] = [itemsAt(file, before.at), itemsAt(file, after.at)];
  for (const [index, item] of was.entries()) {
    const at = is[index] ?? fail(after.at, 'an item is missing');
    if (canonicalAt(file, item) !== canonicalAt(file, at)) fail(at, 'an item was changed');
  }
  objects.acceptInstead(before, after);
  return is.slice(was.length);
}

/** The name of a field as it was. @param {UpdatedObjects} objects @param {number} reference offset */
function nameBefore(objects, reference) {
  const name = dictionaryAt(objects.file, objects.followBefore(reference).at).values.get('T');
  return name === undefined ? undefined : canonicalAt(objects.file, name);
}

/**
 * A page may have the widget of the new field among its annotations, and is else as it was. @param {UpdatedObjects} objects
 * @param {number} page its number @param {number} widget
 */
function judgePage(objects, page, widget) {
  const { file } = objects;
  const [before, after] = [objects.before(page), objects.after(page)];
  const [old, values] = [dictionaryAt(file, before).values, dictionaryAt(file, after).values];
  requireName(file, old, 'Type', 'Page');
  requireSame(file, old, values, ['Annots']);
  objects.acceptInstead({ number: page, at: before }, { number: page, at: after });
  const [was, is] = [old.get('Annots'), values.get('Annots')];
  if (is === undefined) {
    if (was !== undefined) fail(after, 'the annotations are missing');
    return;
  }
  const array = objects.follow(is);
  const added =
    was === undefined ? newItems(objects, array) : addedItems(objects, objects.followBefore(was), array);
  for (const at of added)
    if (referenceAt(file, at)?.number !== widget) fail(at, 'another annotation was added');
}

/** @param {UpdatedObjects} objects @param {Located} array */
function newItems(objects, array) {
  if (array.number !== undefined) objects.acceptNew(array.number);
  return itemsAt(objects.file, array.at);
}
