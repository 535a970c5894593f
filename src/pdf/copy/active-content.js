import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from '@cantoo/pdf-lib';
import { deleteUnreachable } from './reachable.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFContext} PDFContext */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */
/** @typedef {import('./signing-copy.ts').ActiveContent} ActiveContent */

/** The actions of ISO 32000-2 §12.6.4 except navigation within the file. @type {Record<string, ActiveContent>} */
const ACTIONS = {
  JavaScript: 'JAVASCRIPT',
  Launch: 'LAUNCH',
  SubmitForm: 'FORM_ACTION',
  ImportData: 'FORM_ACTION',
  ResetForm: 'FORM_ACTION',
  GoToR: 'EXTERNAL_FILE',
  GoToE: 'EXTERNAL_FILE',
  Thread: 'EXTERNAL_FILE',
  Rendition: 'MEDIA',
  Movie: 'MEDIA',
  Sound: 'MEDIA',
  RichMediaExecute: 'MEDIA',
  GoTo3DView: 'MEDIA',
  SetOCGState: 'OTHER_ACTION',
  Hide: 'OTHER_ACTION',
  Trans: 'OTHER_ACTION',
  GoToDp: 'OTHER_ACTION',
};

/** @type {Record<string, ActiveContent>} */
const ANNOTATIONS = {
  RichMedia: 'MEDIA',
  Movie: 'MEDIA',
  Sound: 'MEDIA',
  Screen: 'MEDIA',
  '3D': 'MEDIA',
  FileAttachment: 'EMBEDDED_FILE',
};

/** @type {Record<string, ActiveContent>} */
const NAME_TREES = {
  JavaScript: 'JAVASCRIPT',
  EmbeddedFiles: 'EMBEDDED_FILE',
  Renditions: 'MEDIA',
  AlternatePresentations: 'MEDIA',
};

/** Keys of an annotation's position and appearance; the others define its behaviour. */
const APPEARANCE_KEYS = new Set(['Type', 'Subtype', 'Rect', 'P', 'F', 'AP', 'AS', 'NM', 'M', 'OC']);

const TRIGGERS = new Set(['A', 'PA', 'OpenAction', 'Next']);
const NAVIGATION = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
const HARMLESS_URI = /^(?:https?:|mailto:|tel:|(?![a-z][a-z0-9+.-]*:|\/\/|\\))/i;
const FILE_KEYS = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

const name = PDFName.of;

/**
 * Removes what a reader would run, open, send or play (actions, scripts, media, embedded and external files), and
 * unreferenced objects. The appearance of pages stays, as do links to pages and to the web. Returns the removed kinds.
 * @param {PDFDocument} pdf
 * @returns {ActiveContent[]}
 */
export function removeActiveContent({ catalog, context }) {
  /** @type {Set<ActiveContent>} */
  const removed = new Set();
  deleteUnreachable(context);
  const drop = (
    /** @type {PDFDict} */ dict,
    /** @type {string} */ key,
    /** @type {ActiveContent} */ kind,
  ) => {
    if (dict.delete(name(key))) removed.add(kind);
  };
  const names = catalog.lookup(name('Names'));
  if (names instanceof PDFDict)
    for (const key in NAME_TREES) drop(names, key, /** @type {ActiveContent} */ (NAME_TREES[key]));
  const form = catalog.lookup(name('AcroForm'));
  if (form instanceof PDFDict) drop(form, 'XFA', 'XFA');
  drop(catalog, 'Collection', 'EMBEDDED_FILE');
  for (const [, object] of context.enumerateIndirectObjects())
    for (const kind of clean(context, object)) removed.add(kind);
  deleteUnreachable(context);
  return [...removed].sort();
}

/**
 * Cleans an object and the objects within it; yields the removed kinds.
 * @param {PDFContext} context
 * @param {PDFObject} root
 */
function* clean(context, root) {
  const stack = [root];
  for (let object = stack.pop(); object; object = stack.pop()) {
    if (object instanceof PDFArray) {
      for (let index = object.size() - 1; index >= 0; index--) {
        const kinds = kindsOfAction(context.lookup(object.get(index)));
        if (kinds.length === 0) stack.push(object.get(index));
        else object.remove(index);
        yield* kinds;
      }
    }
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    yield* flattenAnnotation(dict);
    for (const [key, value] of dict.entries()) {
      const kinds = kindsOfEntry(
        context,
        key.decodeText(),
        context.lookup(value),
        object instanceof PDFStream,
      );
      if (kinds.length === 0) stack.push(value);
      else dict.delete(key);
      yield* kinds;
    }
  }
}

/**
 * Replaces an annotation that plays or opens something by its appearance.
 * @param {PDFDict} dict
 */
function* flattenAnnotation(dict) {
  const kind = dict.has(name('Rect')) ? ANNOTATIONS[nameIn(dict, 'Subtype')] : undefined;
  if (!kind) return;
  for (const [key] of dict.entries()) if (!APPEARANCE_KEYS.has(key.decodeText())) dict.delete(key);
  dict.set(name('Subtype'), name('Stamp'));
  yield kind;
}

/**
 * The kinds of active content for which an entry is removed; empty if it stays. Keys alone do not decide, as resources may
 * have any name.
 * @param {PDFContext} context
 * @param {string} key
 * @param {PDFObject | undefined} value
 * @param {boolean} ofStream
 * @returns {ActiveContent[]}
 */
function kindsOfEntry(context, key, value, ofStream) {
  if (TRIGGERS.has(key)) return kindsOfAction(value, true);
  if (ofStream && (key === 'F' || key === 'FFilter' || key === 'Ref')) return ['EXTERNAL_FILE'];
  if (value instanceof PDFDict) {
    if (key === 'EF' && FILE_KEYS.some((each) => value.lookup(name(each)) instanceof PDFStream))
      return ['EMBEDDED_FILE'];
    if (key === 'AA') {
      const actions = value.values().map((each) => kindsOfAction(context.lookup(each), true));
      const any = value.values().some((each) => isAction(context.lookup(each)));
      return any ? ['OTHER_ACTION', ...actions.flat()] : [];
    }
  }
  return kindsOfAction(value);
}

/**
 * The kinds of an action that is removed; empty for other values.
 * @param {PDFObject | undefined} value
 * @param {boolean} [triggered] whether the value is at a key that holds only actions
 * @returns {ActiveContent[]}
 */
function kindsOfAction(value, triggered = false) {
  if (!(value instanceof PDFDict)) return [];
  const script = value.lookup(name('JS'));
  const type = nameIn(value, 'S');
  // Structure elements use the same key for their types.
  if (!triggered && nameIn(value, 'Type') === 'StructElem' && !script) return [];
  const kind = ACTIONS[type];
  if (kind) return [kind];
  if (script instanceof PDFString || script instanceof PDFHexString) return ['JAVASCRIPT'];
  if (type === 'URI' && !HARMLESS_URI.test(textOf(value.lookup(name('URI'))))) return ['EXTERNAL_FILE'];
  return type === 'Named' && !NAVIGATION.has(nameIn(value, 'N')) && isNamedAction(value)
    ? ['OTHER_ACTION']
    : [];
}

/** @param {PDFObject | undefined} value */
const isAction = (value) =>
  value instanceof PDFDict &&
  (nameIn(value, 'S') in ACTIONS ||
    ['GoTo', 'URI', 'Named'].includes(nameIn(value, 'S')) ||
    value.has(name('JS')));

/** @param {PDFDict} value */
const isNamedAction = (value) => value.has(name('N'));

/** @param {PDFDict} dict @param {string} key */
function nameIn(dict, key) {
  const value = dict.lookup(name(key));
  return value instanceof PDFName ? value.decodeText() : '';
}

/** @param {PDFObject | undefined} value */
const textOf = (value) =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText().trim() : '';
