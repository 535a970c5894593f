// Plain JavaScript, for servers and browsers.

import { dictionaryAt, fail, referenceAt } from '../../pdf/seal/object-syntax.js';
import { STORE_ARRAYS } from '../../pdf/seal/validation-update.js';
import { dictionaryOf, itemsAt, requireName, requireReferenceAt } from './value.js';

/** @typedef {import('./objects.js').UpdatedObjects} UpdatedObjects */
/** @typedef {import('../../pdf/seal/validation-update.js').ValidationData} ValidationData */

/** Those of the entry for one signature (ISO 32000-2 §12.8.4.4, table 262). */
const ENTRY_ARRAYS = ['Cert', 'OCSP', 'CRL'];

/** References in one store, most of which are there twice. */
const MAX_REFERENCES = 10_000;

/**
 * How the parts of a store are reached: the offset of a dictionary or array that is, or is referred to, at an offset; and the
 * content of the stream of this number.
 * @typedef {{ container: (at: number) => number, stream: (number: number) => Promise<Uint8Array> }} Access
 */

/**
 * Judges a document security store: its objects are new, or those of the store before the update; streams never change. Resolves
 * to what it contains. Rejects with RangeError for anything else.
 * @param {UpdatedObjects} objects @param {number | undefined} before @param {number} after offsets of the values of /DSS
 * @returns {Promise<ValidationData>}
 */
export async function judgeStore(objects, before, after) {
  /** @type {Set<number>} */
  const containers = new Set();
  /** @type {Map<number, Uint8Array>} */
  const streams = new Map();
  const earlier = accessBefore(objects, containers, streams);
  if (before !== undefined) await readStore(objects.file, before, earlier);
  return readStore(objects.file, after, accessAfter(objects, containers, streams));
}

/**
 * Collects the objects of the store as it was.
 * @param {UpdatedObjects} objects @param {Set<number>} containers @param {Map<number, Uint8Array>} streams @returns {Access}
 */
const accessBefore = (objects, containers, streams) => ({
  container: (at) => {
    const container = objects.followBefore(at);
    if (container.number !== undefined) containers.add(container.number);
    return container.at;
  },
  stream: async (number) => {
    const content = streams.get(number) ?? (await objects.streamBefore(number));
    streams.set(number, content);
    return content;
  },
});

/**
 * @param {UpdatedObjects} objects @param {Set<number>} containers @param {Map<number, Uint8Array>} streams those before; new ones
 * are added @returns {Access}
 */
const accessAfter = (objects, containers, streams) => ({
  container: (at) => {
    const number = referenceAt(objects.file, at)?.number;
    if (number === undefined) return at;
    // What is in the sealed file can also be a part of a page.
    const mayChange = containers.has(number) && (number >= objects.sealedSize || !objects.isUpdated(number));
    return mayChange ? objects.acceptRewritten(number) : objects.acceptNew(number);
  },
  stream: async (number) => {
    const content = objects.isUpdated(number) ? undefined : streams.get(number);
    if (content) return content;
    const added = (await objects.acceptStream(number, ['Type', 'Subtype'])).content;
    streams.set(number, added);
    return added;
  },
});

/** @param {Uint8Array} file @param {number} at @param {Access} access @returns {Promise<ValidationData>} */
async function readStore(file, at, access) {
  const limited = withLimit(access);
  const store = dictionaryOf(file, limited.container(at), [
    'Type',
    'VRI',
    ...STORE_ARRAYS.map(([key]) => key),
  ]);
  if (store.has('Type')) requireName(file, store, 'Type', 'DSS');
  const [certificates, ocsp, crls] = await Promise.all(
    STORE_ARRAYS.map(([key]) => readStreams(file, store.get(key), limited)),
  );
  const entries = store.get('VRI');
  if (entries !== undefined) await readEntries(file, limited.container(entries), limited);
  return { certificates: certificates ?? [], ocsp: ocsp ?? [], crls: crls ?? [] };
}

/** @param {Access} access @returns {Access} */
function withLimit({ container, stream }) {
  let references = 0;
  return {
    container,
    stream: (number) => (++references > MAX_REFERENCES ? fail(0, 'too many references') : stream(number)),
  };
}

/** @param {Uint8Array} file @param {number | undefined} at of an array of streams @param {Access} access */
async function readStreams(file, at, access) {
  const contents = [];
  if (at !== undefined)
    for (const item of itemsAt(file, access.container(at)))
      contents.push(await access.stream(requireReferenceAt(file, item)));
  return contents;
}

/** The entries by the digests of their signatures. @param {Uint8Array} file @param {number} at @param {Access} access */
async function readEntries(file, at, access) {
  for (const [key, value] of dictionaryAt(file, at).values) {
    if (!/^[0-9A-Fa-f]{40,128}$/.test(key)) fail(value, `unexpected key ${key}`);
    const entry = dictionaryOf(file, access.container(value), ['Type', 'TU', 'TS', ...ENTRY_ARRAYS]);
    for (const array of ENTRY_ARRAYS) await readStreams(file, entry.get(array), access);
    const token = entry.get('TS');
    if (token !== undefined) await access.stream(requireReferenceAt(file, token));
  }
}
