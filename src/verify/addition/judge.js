// Plain JavaScript, for servers and browsers.

import { requireReference } from '../../pdf/seal/cross-references.js';
import { dictionaryAt, fail } from '../../pdf/seal/object-syntax.js';
import { judgeForm } from './form.js';
import { UpdatedObjects } from './objects.js';
import { judgeStore } from './store.js';
import { readAppendedUpdate } from './update.js';
import { canonicalAt, dictionaryOf, isDictionary, itemsAt, requireSame } from './value.js';

/** Keys of the information that may change. */
const CHANGED = ['Producer', 'ModDate'];

/** Of PDF (§7.7.2); readers do not interpret a page by it. */
const VERSIONS = /^\/"(?:1\.[4-7]|2\.0)"$/;

const EXTENSION_KEYS = ['Type', 'BaseVersion', 'ExtensionLevel', 'ExtensionRevision', 'URL'];

const NOTHING = { number: undefined, at: 0 };

/** @typedef {import('../../pdf/seal/validation-update.js').ValidationData} ValidationData */

/**
 * What an update adds. `end`: the offset after it; `gap`: where the token of its document time-stamp is; `store`: all validation
 * data that the file has since, if the update changes it.
 * @typedef {{ end: number, gap: import('./field.js').Gap | undefined, store: ValidationData | undefined }} Addition
 */

/**
 * Judges the incremental update of any program that begins at `from`: it adds validation data (DSS) and one document time-stamp
 * (ETSI EN 319 142-1 §5.4) and nothing that can be seen, or that a later update could make visible. `sealedSize`: all objects of
 * the sealed file have numbers below it; `references`: where the file first refers to each number. Rejects with RangeError for
 * any other update, with what it changes.
 * @param {Uint8Array} file @param {{ from: number, sealedSize: number, references: Map<number, number> }} facts
 * @returns {Promise<Addition>}
 */
export async function judgeAddition(file, { from, sealedSize, references }) {
  const update = readAppendedUpdate(file, from);
  const isReferenced = (/** @type {number} */ number) => (references.get(number) ?? from) < from;
  const objects = new UpdatedObjects(file, update, { isReferenced, sealedSize });
  judgeInformation(objects);
  const { gap, store } = await judgeCatalog(objects);
  const [other] = objects.unjudged;
  if (other !== undefined) fail(update.objects.get(other)?.start ?? from, `object ${other} was changed`);
  return { end: update.end, gap, store };
}

/** @param {UpdatedObjects} objects */
async function judgeCatalog(objects) {
  const { file, update } = objects;
  const number = requireReference(file, update.before.newest.values, 'Root');
  if (requireReference(file, update.after.newest.values, 'Root') !== number)
    fail(update.after.newest.start, 'there is another catalog');
  const before = dictionaryAt(file, objects.before(number)).values;
  const after = dictionaryAt(file, objects.acceptRewritten(number)).values;
  requireSame(file, before, after, ['AcroForm', 'DSS', 'Extensions', 'Version']);
  const version = after.get('Version');
  if (version !== undefined && !VERSIONS.test(canonicalAt(file, version)))
    fail(version, 'an unexpected version');
  judgeExtensions(objects, before.get('Extensions'), after.get('Extensions'));
  const [was, is] = [before.get('AcroForm'), after.get('AcroForm')];
  if (was === undefined || is === undefined) return fail(update.end, 'there is no form');
  const gap = await judgeForm(objects, objects.followBefore(was), objects.follow(is));
  return { gap, store: await changedStore(objects, before.get('DSS'), after.get('DSS')) };
}

/** Which extensions of PDF a file uses (§7.12) is not shown. @param {UpdatedObjects} objects @param {number | undefined} was @param {number | undefined} is */
function judgeExtensions(objects, was, is) {
  if (is === undefined) return;
  const { number, at } = objects.follow(is);
  if (number !== undefined && objects.isUpdated(number)) objects.acceptNew(number);
  else if (number !== undefined && (was === undefined || objects.followBefore(was).number !== number))
    fail(at, 'other extensions were there before');
  for (const extension of dictionaryAt(objects.file, at).values.values()) {
    const all = isDictionary(objects.file, extension) ? [extension] : itemsAt(objects.file, extension);
    for (const each of all) dictionaryOf(objects.file, each, EXTENSION_KEYS);
  }
}

/** @param {UpdatedObjects} objects @param {number | undefined} was @param {number | undefined} is */
async function changedStore(objects, was, is) {
  if (is === undefined) return was === undefined ? undefined : fail(was, 'the validation data is missing');
  const count = objects.unjudged.size;
  const store = await judgeStore(objects, was, is);
  const isSame = was !== undefined && canonicalAt(objects.file, was) === canonicalAt(objects.file, is);
  return isSame && objects.unjudged.size === count ? undefined : store;
}

/** Which program wrote the file, and when (§14.3.3); its title and the like stay. @param {UpdatedObjects} objects */
function judgeInformation(objects) {
  const { file, update } = objects;
  const [was, is] = [update.before, update.after].map(({ newest }) => newest.values.get('Info'));
  if (is === undefined) {
    if (was !== undefined) fail(was, 'the information is missing');
    return;
  }
  const before = was === undefined ? NOTHING : objects.followBefore(was);
  const after = objects.follow(is);
  objects.acceptInstead(before, after);
  if (was === undefined) dictionaryOf(file, after.at, CHANGED);
  else requireSame(file, dictionaryAt(file, before.at).values, dictionaryAt(file, after.at).values, CHANGED);
}
