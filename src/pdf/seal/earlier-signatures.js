import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib';
import { shorten } from '../../lib/text/shorten.js';
import { checkSignedData } from './signed-data.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('./job.ts').EarlierSignature} EarlierSignature */

const name = PDFName.of;

/** Further ones are counted only. */
const MAX_CHECKED = 20;
const MAX_NAME = 200;
const MAX_REASON = 500;

/**
 * The digital signatures of a file, checked against its bytes as they were uploaded: whose they are, and whether they were
 * valid. One that cannot be read is listed as such.
 * @param {PDFDocument} pdf @param {Uint8Array} original
 * @returns {EarlierSignature[]}
 */
export function earlierSignatures(pdf, original) {
  const signatures = signatureDictionaries(pdf);
  return signatures.map((signature, index) =>
    index < MAX_CHECKED ? describe(signature, original) : { ...UNREADABLE, reason: reasonOf(signature) },
  );
}

/** @type {EarlierSignature} */
const UNREADABLE = {
  state: 'UNREADABLE',
  kind: 'SIGNATURE',
  signer: '',
  organization: '',
  reason: '',
  time: null,
};

/** Each once, although several fields may have it. @param {PDFDocument} pdf */
function signatureDictionaries(pdf) {
  if (!(pdf.catalog.lookup(name('AcroForm')) instanceof PDFDict)) return [];
  /** @type {Set<PDFDict>} */
  const dictionaries = new Set();
  for (const [field] of pdf.catalog.getOrCreateAcroForm().getAllFields()) {
    if (field.getInheritableAttribute(name('FT')) !== name('Sig')) continue;
    const value = field.dict.lookup(name('V'));
    if (value instanceof PDFDict) dictionaries.add(value);
  }
  return [...dictionaries];
}

/** @param {PDFDict} signature @param {Uint8Array} original @returns {EarlierSignature} */
function describe(signature, original) {
  const description = {
    ...UNREADABLE,
    kind: kindOf(signature),
    reason: reasonOf(signature),
    time: timeOf(signature),
  };
  try {
    const { message, parts, isWhole } = signedBytes(signature, original);
    const { certificate, intact } = checkSignedData(message, parts);
    const state = !intact ? 'INVALID' : isWhole ? 'VALID' : 'VALID_BEFORE_CHANGES';
    return { ...description, state, ...subjectOf(certificate) };
  } catch {
    return description;
  }
}

/**
 * The bytes that the signature covers, and its message, which is in the gap between them.
 * @param {PDFDict} signature @param {Uint8Array} original
 */
function signedBytes(signature, original) {
  const range = signature.lookup(name('ByteRange'), PDFArray);
  const [from, length, next, rest, ...more] = range
    .asArray()
    .map((_, index) => range.lookup(index, PDFNumber).asNumber());
  if (from !== 0 || length === undefined || next === undefined || rest === undefined || more.length > 0)
    throw new RangeError('an unknown byte range');
  if (![length, next, rest].every((each) => Number.isSafeInteger(each) && each >= 0))
    throw new RangeError('not offsets');
  if (next <= length || next + rest > original.length)
    throw new RangeError('a byte range outside of the file');
  const gap = Buffer.from(original.subarray(length, next)).toString('latin1').replace(/\s/g, '');
  if (!/^<(?:[0-9a-fA-F]{2})+>$/.test(gap)) throw new RangeError('the gap is not a signature');
  return {
    message: Buffer.from(gap.slice(1, -1), 'hex'),
    parts: [original.subarray(0, length), original.subarray(next, next + rest)],
    isWhole: next + rest === original.length,
  };
}

/** @param {import('node:crypto').X509Certificate} certificate */
function subjectOf(certificate) {
  /** @type {Record<string, string | string[] | undefined>} */
  const subject = /** @type {any} */ (certificate.toLegacyObject().subject) ?? {};
  const first = (/** @type {string} */ key) => shorten([subject[key]].flat()[0] ?? '', MAX_NAME);
  return { signer: first('CN'), organization: first('O') };
}

/** @param {PDFDict} signature @returns {EarlierSignature['kind']} */
function kindOf(signature) {
  const subFilter = signature.lookup(name('SubFilter'));
  if (subFilter === name('ETSI.RFC3161')) return 'TIME_STAMP';
  const references = signature.lookup(name('Reference'));
  const methods =
    references instanceof PDFArray ? references.asArray().map((_, index) => references.lookup(index)) : [];
  return methods.some(
    (each) => each instanceof PDFDict && each.lookup(name('TransformMethod')) === name('DocMDP'),
  )
    ? 'CERTIFICATION'
    : 'SIGNATURE';
}

/** @param {PDFDict} signature */
function reasonOf(signature) {
  const reason = signature.lookup(name('Reason'));
  return reason instanceof PDFString || reason instanceof PDFHexString
    ? shorten(reason.decodeText(), MAX_REASON)
    : '';
}

/** As the signer's program wrote it. @param {PDFDict} signature */
function timeOf(signature) {
  const time = signature.lookup(name('M'));
  try {
    return time instanceof PDFString || time instanceof PDFHexString ? time.decodeDate().toISOString() : null;
  } catch {
    return null;
  }
}
