// Plain JavaScript, for servers and browsers.

import { readReferences } from '../pdf/seal/cross-references.js';
import { judgeAddition } from './addition/judge.js';
import { sizeOf } from './addition/update.js';
import { covered, fromHex, withoutPadding } from './signatures.js';
import { contentOf } from './validation-data.js';

/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */
/** @typedef {import('./signatures.js').File} File */

/**
 * A time-stamp token in DER, and the SHA-256 that it must be over. The caller checks it.
 * @typedef {{ token: Uint8Array, digest: Uint8Array }} TokenToCheck
 */

/**
 * Validation data that was added to the sealed file. `isStamped`: a document time-stamp follows the first of it.
 * @typedef {import('./validation-data.js').ValidationContent & { isStamped: boolean }} StoredValidation
 */

/** Updates of a file. Each is read with the tables of all before it. */
const MAX_UPDATES = 100;

/**
 * The document time-stamps, oldest first, and the validation data after the sealed file. `end`: up to where the file is as it was
 * sealed, with these; what follows adds something else.
 * @param {CryptoSuite} suite @param {File} file @param {number} sealed
 * @returns {Promise<{ documentStamps: TokenToCheck[], validation: StoredValidation | undefined, end: number }>}
 */
export async function readUpdates(suite, file, sealed) {
  /** @type {TokenToCheck[]} */
  const documentStamps = [];
  /** @type {StoredValidation | undefined} */
  let validation;
  let end = sealed;
  for await (const { gap, store, end: next } of additionsOf(file, sealed)) {
    if (store) validation = { ...contentOf(store), isStamped: validation?.isStamped ?? false };
    if (gap) documentStamps.push(await tokenOf(suite, file, { gap, end: next }));
    if (gap && validation) validation.isStamped = true;
    end = next;
  }
  return { documentStamps, validation, end };
}

/** The updates up to the first that adds something else. @param {File} file @param {number} sealed */
async function* additionsOf({ bytes, text }, sealed) {
  if (sealed === bytes.length) return;
  const references = firstReferences(text);
  try {
    const sealedSize = sizeOf(readReferences(bytes.subarray(0, sealed)));
    for (let from = sealed, updates = 0; from < bytes.length && updates < MAX_UPDATES; updates++) {
      const addition = await judgeAddition(bytes, { from, sealedSize, references });
      yield addition;
      from = addition.end;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** The offset of the first reference to each number. @param {string} text @returns {Map<number, number>} */
function firstReferences(text) {
  const first = new Map();
  for (const match of text.matchAll(/(\d{1,10})[\0\s]{1,9}\d{1,5}[\0\s]{1,9}R/g))
    if (!first.has(Number(match[1]))) first.set(Number(match[1]), match.index);
  return first;
}

/** @param {CryptoSuite} suite @param {File} file @param {{ gap: { start: number, end: number }, end: number }} stamp @returns {Promise<TokenToCheck>} */
const tokenOf = async (suite, { bytes, text }, { gap, end }) => ({
  token: withoutPadding(fromHex(text.slice(gap.start + 1, gap.end - 1))),
  digest: await suite.digest('sha256', covered(bytes, { gap, end })),
});
