import { PDFArray, PDFDict, PDFName, PDFRef } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */

const name = PDFName.of;

/**
 * Gives each layer (optional content group, ISO 32000-1 §8.11) one state for screens and printers alike: the one in which
 * PDFium draws it on a screen. What would change it by use, language or zoom is removed.
 * @param {PDFDocument} pdf
 */
export function fixLayers({ catalog, context }) {
  const properties = catalog.lookup(name('OCProperties'));
  if (!(properties instanceof PDFDict)) return;
  const groups = context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFDict && nameIn(object, 'Type') === 'OCG');
  const [on, off] = [context.obj([]), context.obj([])];
  for (const [ref, group] of groups) {
    const dict = /** @type {PDFDict} */ (group);
    (isShown(properties, ref, dict) ? on : off).push(ref);
    dict.delete(name('Usage'));
    dict.delete(name('Intent'));
  }
  const all = context.obj(groups.map(([ref]) => ref));
  const config = context.obj({ BaseState: 'ON', Intent: 'View' });
  for (const [key, value] of Object.entries({ ON: on, OFF: off, Locked: all })) config.set(name(key), value);
  catalog.set(name('OCProperties'), context.obj({ OCGs: all, D: config }));
}

/**
 * As PDFium decides it for a screen (cpdf_occontext.cpp): first by the group's own usage, then by the configuration.
 * @param {PDFDict} properties @param {PDFRef} ref @param {PDFDict} group
 */
function isShown(properties, ref, group) {
  if (!hasIntent(group, true)) return true;
  const usage = dictIn(dictIn(group, 'Usage'), 'View');
  if (usage?.has(name('ViewState'))) return nameIn(usage, 'ViewState') !== 'OFF';
  const config = includes(properties, 'OCGs', ref) ? configOf(properties) : undefined;
  if (!config) return true;
  let shown = nameIn(config, 'BaseState') !== 'OFF';
  if (includes(config, 'ON', ref)) shown = true;
  if (includes(config, 'OFF', ref)) shown = false;
  for (const each of dictsIn(config, 'AS')) {
    const event = nameIn(each, 'Event') || 'View';
    const state = event === 'View' && includes(each, 'OCGs', ref) ? dictIn(each, 'View') : undefined;
    if (state) shown = nameIn(state, 'ViewState') !== 'OFF';
  }
  return shown;
}

/** @param {PDFDict} properties */
const configOf = (properties) =>
  dictsIn(properties, 'Configs').find((config) => hasIntent(config, false)) ?? dictIn(properties, 'D');

/** Whether its intent is to be viewed. @param {PDFDict} dict @param {boolean} byDefault */
function hasIntent(dict, byDefault) {
  const intent = dict.lookup(name('Intent'));
  if (!intent) return byDefault;
  const all =
    intent instanceof PDFArray ? intent.asArray().map((_, index) => intent.lookup(index)) : [intent];
  return all.some((each) => each === name('View') || each === name('All'));
}

/** @param {PDFDict} dict @param {string} key @param {PDFRef} ref */
function includes(dict, key, ref) {
  const list = dict.lookup(name(key));
  return list instanceof PDFArray && list.asArray().includes(ref);
}

/** @param {PDFDict | undefined} dict @param {string} key */
function dictIn(dict, key) {
  const value = dict?.lookup(name(key));
  return value instanceof PDFDict ? value : undefined;
}

/** @param {PDFDict} dict @param {string} key */
function dictsIn(dict, key) {
  const list = dict.lookup(name(key));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().flatMap((_, index) => {
    const each = list.lookup(index);
    return each instanceof PDFDict ? [each] : [];
  });
}

/** @param {PDFDict} dict @param {string} key */
function nameIn(dict, key) {
  const value = dict.lookup(name(key));
  return value instanceof PDFName ? value.decodeText() : '';
}
