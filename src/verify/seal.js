// Plain JavaScript, for servers and browsers.

import { attributeValue, readElement, TAG } from '../lib/der.js';
import { textOf } from '../pdf/seal/object-syntax.js';
import { addStampRoom } from '../pdf/seal/stamp-update.js';
import { generalizedTime, readCertificate } from './certificate.js';
import { checkMessage, MessageFault, readMessage } from './signed-message.js';
import { readValidationUpdate } from './validation-data.js';

/** @typedef {import('./certificate.js').Certificate} Certificate */
/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */

/**
 * A time-stamp token in DER, and the SHA-256 that it must be over. The caller checks it.
 * @typedef {{ token: Uint8Array, digest: Uint8Array }} TokenToCheck
 */

/**
 * The content of a valid seal.
 * @typedef {object} CheckedSeal
 * @property {Certificate} certificate whether to trust it is for the caller to decide
 * @property {Certificate[]} certificates all that are in the signature
 * @property {string} reason of the signature, as the server wrote it
 * @property {Date | undefined} claimedAt when it was sealed, by the clock of the server
 * @property {number} length bytes of the file as it was sealed: a longer one has updates of this server after them
 * @property {TokenToCheck | undefined} timeStamp over the signature
 * @property {TokenToCheck[]} documentStamps over the file up to each of them, oldest first
 * @property {StoredValidation | undefined} validation
 */

/**
 * Validation data that was added to the sealed file. `isStamped`: a document time-stamp follows it.
 * @typedef {import('./validation-data.js').ValidationContent & { isStamped: boolean }} StoredValidation
 */

/**
 * The level of a signature (ETSI EN 319 142-1 §6.1) by what the file contains, without a judgement of it.
 * @param {CheckedSeal} seal @returns {'B-B' | 'B-T' | 'B-LT' | 'B-LTA'}
 */
export function levelOf({ timeStamp, documentStamps, validation }) {
  if (validation) return validation.isStamped ? 'B-LTA' : 'B-LT';
  return timeStamp || documentStamps.length > 0 ? 'B-T' : 'B-B';
}

/** The file is not sealed, or was changed; the message says why. */
export class SealBroken extends Error {}

/** A file that this server did not seal, whether another program signed it or not. */
export class NotSealed extends SealBroken {}

/** Another program added to a sealed file, which may look otherwise since. `intact`: bytes of the file as it was sealed and time-stamped. */
export class SealExtended extends SealBroken {
  /** @param {number} intact @param {number} length */
  constructor(intact, length) {
    super(
      `the signature does not cover the whole file: another program added ${length - intact} bytes after the first ${intact}`,
    );
    this.intact = intact;
  }
}

/** id-data and id-aa-timeStampToken in DER, in hex. */
const DATA = '2a864886f70d010701';
const TIME_STAMP_TOKEN = '2a864886f70d010910020e';

/** @type {Record<import('./signed-message.js').MessageFaultCode, string>} */
const FAULTS = {
  FORM: 'the signature is no signed data',
  SIGNERS: 'the signature has not one signer',
  ATTRIBUTES: 'the signature lacks attributes',
  DIGEST: 'the signature uses a digest that is not accepted',
  TYPE: 'the signature covers another type of content',
  CHANGED: 'the file was changed after it was sealed',
  CERTIFICATE: 'the signature does not contain the certificate it refers to',
  KEY: 'the signature was not made with the key of its certificate',
};

/**
 * Verifies the seal of a PDF, independently of the code that creates seals: it covers the file up to its end, or up to document
 * time-stamps and validation data that are written as this server writes them; no byte changed; and its key belongs to its
 * certificate. Rejects with SealBroken.
 * @param {CryptoSuite} suite @param {Uint8Array} pdf @returns {Promise<CheckedSeal>}
 */
export async function checkSeal(suite, pdf) {
  const file = { bytes: pdf, text: textOf(pdf, 0, pdf.length) };
  const seal = findSeal(file);
  try {
    return { ...(await checkSignature(suite, pdf, seal)), ...(await readUpdates(suite, file, seal.end)) };
  } catch (error) {
    if (error instanceof SealBroken) throw error;
    if (error instanceof MessageFault) throw new SealBroken(FAULTS[error.code]);
    throw new SealBroken(`the signature cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** A file, and its bytes as characters. @typedef {{ bytes: Uint8Array, text: string }} File */

/**
 * A signature in a file: its dictionary, offsets of the gap for it and of the end of what it covers, and its bytes.
 * @typedef {{ dictionary: string, gap: { start: number, end: number }, end: number, message: Uint8Array }} Found
 */

/** The kind of signatures that seals are (ETSI EN 319 142-1 §5.1). */
const SUB_FILTER = /\/SubFilter\s*\/ETSI\.CAdES\.detached/;

/** Characters that a signature may take, and signatures of a file. */
const MAX_GAP = 2 ** 20;
const MAX_SIGNATURES = 100;

const RANGE = /\/ByteRange\s*\[\s*0\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s*\]/g;

/**
 * The signatures whose ranges leave out nothing but themselves, from `from` on.
 * @param {File} file @param {number} from @returns {Found[]}
 */
function signaturesFrom({ bytes, text }, from) {
  const ranges = [...text.slice(from).matchAll(RANGE)];
  if (ranges.length > MAX_SIGNATURES) throw new SealBroken(`there are ${ranges.length} signatures`);
  return ranges.flatMap((match) => {
    const [start, next, length] = /** @type {[number, number, number]} */ (match.slice(1).map(Number));
    const at = from + match.index;
    const end = next + length;
    if (at >= start || end > bytes.length || next - start > MAX_GAP) return [];
    if (!/^<(?:[0-9a-fA-F]{2})*>$/.test(text.slice(start, next))) return [];
    const dictionary =
      text.slice(text.lastIndexOf(' obj', at), start) + text.slice(next, text.indexOf('endobj', next));
    return { dictionary, gap: { start, end: next }, end, message: fromHex(text.slice(start + 1, next - 1)) };
  });
}

/** @param {string} digits */
const fromHex = (digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );

/** The signature of the largest part of the file. @param {File} file */
function findSeal(file) {
  const all = signaturesFrom(file, 0);
  const seals = all.filter(({ dictionary }) => SUB_FILTER.test(dictionary));
  const [seal, ...others] = seals.sort((a, b) => b.end - a.end);
  if (seal && others[0]?.end !== seal.end) return seal;
  if (seal) throw new SealBroken('two signatures cover the same part of the file');
  if (SUB_FILTER.test(file.text))
    throw new SealBroken('the signature does not fit the file: parts of it are missing, or were moved');
  throw new NotSealed(all.length > 0 ? 'the signature is by another program' : 'there is no signature');
}

/** @param {Uint8Array} bytes @param {Found} found */
const covered = (bytes, { gap, end }) => [bytes.subarray(0, gap.start), bytes.subarray(gap.end, end)];

/** @param {CryptoSuite} suite @param {Uint8Array} pdf @param {Found} found */
async function checkSignature(suite, pdf, found) {
  const message = readMessage(withoutPadding(found.message));
  if (message.type !== DATA) throw new MessageFault('TYPE');
  const { certificate, signature, unsigned } = await checkMessage(suite, message, covered(pdf, found));
  const token = unsigned?.tag === TAG.context1 ? attributeValue(unsigned, TIME_STAMP_TOKEN) : undefined;
  return {
    certificate,
    certificates: message.certificates.map(({ bytes }) => readCertificate(bytes)),
    reason: /\/Reason\s*\(([^()\\]*)\)/.exec(found.dictionary)?.[1] ?? '',
    claimedAt: timeOf(found.dictionary),
    length: found.end,
    timeStamp: token && { token: token.bytes, digest: await suite.digest('sha256', [signature]) },
  };
}

/** A date of PDF in UTC (ISO 32000-2 §7.9.4). @param {string} dictionary */
function timeOf(dictionary) {
  const [, digits] = /\/M\s*\(D:(\d{14})Z/.exec(dictionary) ?? [];
  return digits === undefined ? undefined : generalizedTime(`${digits}Z`);
}

/** The reserved space is as large as the signature could become; the rest of it must be zeros. @param {Uint8Array} gap */
function withoutPadding(gap) {
  const { bytes } = readElement(gap);
  if (gap.subarray(bytes.length).some((byte) => byte !== 0))
    throw new SealBroken('unexpected bytes follow the signature');
  return bytes;
}

/**
 * The document time-stamps and the validation data after the sealed file. Each is written anew and compared, so that nothing
 * else can have been added.
 * @param {CryptoSuite} suite @param {File} file @param {number} sealed
 */
async function readUpdates(suite, file, sealed) {
  /** @type {TokenToCheck[]} */
  const documentStamps = [];
  /** @type {StoredValidation | undefined} */
  let validation;
  for (let at = sealed; at < file.bytes.length; ) {
    const stored = validation ? undefined : readValidationUpdate(file.bytes, at);
    if (stored) {
      validation = { ...stored.content, isStamped: false };
      at = stored.end;
      continue;
    }
    const [stamp] = signaturesFrom(file, at);
    if (!stamp || !isOurUpdate(file.bytes, at, stamp)) throw new SealExtended(at, file.bytes.length);
    documentStamps.push(await tokenOf(suite, file.bytes, stamp));
    if (validation) validation.isStamped = true;
    at = stamp.end;
  }
  return { documentStamps, validation };
}

/** @param {CryptoSuite} suite @param {Uint8Array} file @param {Found} found @returns {Promise<TokenToCheck>} */
const tokenOf = async (suite, file, found) => ({
  token: withoutPadding(found.message),
  digest: await suite.digest('sha256', covered(file, found)),
});

/** @param {Uint8Array} file @param {number} from @param {Found} found */
function isOurUpdate(file, from, { gap, end, message }) {
  const rewritten = rewrite(file.subarray(0, from), message.length);
  if (rewritten?.bytes.length !== end || rewritten.hole.start !== gap.start || rewritten.hole.end !== gap.end)
    return false;
  for (let at = from; at < end; at++)
    if ((at < gap.start || at >= gap.end) && rewritten.bytes[at] !== file[at]) return false;
  return true;
}

/** @param {Uint8Array} file @param {number} stampBytes */
function rewrite(file, stampBytes) {
  try {
    return addStampRoom(file, stampBytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
