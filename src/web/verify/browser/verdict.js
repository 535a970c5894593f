// Plain JavaScript, for browsers; what it says is tested on a server.

import { fingerprint, isValidAt, readCertificates } from '../../../verify/certificate.js';
import { checkSeal } from '../../../verify/seal.js';
import { NotSealed, SealBroken, SealExtended } from '../../../verify/seal-broken.js';
import { checkToken, StampBroken } from '../../../verify/time-stamp.js';
import { detailsOf, sessionOf } from './details.js';
import { timeText } from './time-text.js';

/** @typedef {import('../../../verify/certificate.js').Certificate} Certificate */
/** @typedef {import('../../../verify/crypto-suite.ts').CryptoSuite} CryptoSuite */
/** @typedef {import('../../../verify/seal.js').CheckedSeal} CheckedSeal */
/** @typedef {import('./details.js').ReadStamp} ReadStamp */

/**
 * What the page knows: the server that it comes from, when it was saved from there if it was, the signing session of the code that
 * one followed here, the fingerprints of the certificates
 * with which that server seals, and the certificates (PEM) of the authorities of time-stamps that it trusts.
 * @typedef {{ host: string, savedOn: string | null, session: string | null, fingerprints: string[], authorities: string }} ServerFacts
 */

/** How much a statement is worth. @typedef {'good' | 'open' | 'bad'} Tone */

/** @typedef {{ label: string, tone: Tone, text: string }} Statement */

/**
 * What was found. `statements`: for everyone; `details`: for experts, by name. `sealedBytes`: of the part that may be saved, where
 * something was added after it.
 * @typedef {object} Verdict
 * @property {'UNCHANGED' | 'UNKNOWN_SEALER' | 'OTHER' | 'EXTENDED' | 'CHANGED' | 'UNSEALED'} state
 * @property {string} title
 * @property {Statement[]} statements
 * @property {[string, string][]} details
 * @property {number} [sealedBytes]
 */

/**
 * Checks a file that should be sealed.
 * @param {CryptoSuite} suite @param {Uint8Array} file @param {ServerFacts} server @returns {Promise<Verdict>}
 */
export async function verdictOf(suite, file, server) {
  try {
    return await sealed(suite, file, server);
  } catch (error) {
    if (error instanceof SealExtended) return extended(suite, file, server, error);
    if (error instanceof NotSealed) return notSealed(error);
    if (error instanceof SealBroken) return changed(error);
    throw error;
  }
}

/** @param {CryptoSuite} suite @param {Uint8Array} file @param {ServerFacts} server @returns {Promise<Verdict>} */
async function sealed(suite, file, server) {
  const seal = await checkSeal(suite, file);
  const roots = server.authorities === '' ? [] : readCertificates(server.authorities);
  const tokens = [...(seal.timeStamp ? [seal.timeStamp] : []), ...seal.documentStamps];
  const stamps = await Promise.all(tokens.map((each) => readStamp(suite, each, roots)));
  const print = await fingerprint(suite, seal.certificate);
  const details = await detailsOf(suite, { file, seal, stamps, print });
  const statements = {
    code: codeStatement(seal, server),
    content: /** @type {Statement} */ ({ label: 'Content', tone: 'good', text: contentText(seal) }),
    time: whenStatement(seal, stamps),
    signers: /** @type {Statement} */ ({ label: 'Signers', tone: 'open', text: SIGNERS_TEXT }),
    sealer: certificateStatement(seal, print, server),
  };
  const state = stateOf(statements);
  const shown = Object.values(statements).flatMap((each) => each ?? []);
  return { state, title: TITLES[state], statements: shown, details };
}

/** A file says nothing good of itself where anyone can have sealed it. @param {{ code?: Statement, time: Statement, sealer: Statement }} statements */
function stateOf({ code, time, sealer }) {
  if (time.tone === 'bad') return 'CHANGED';
  if (code?.tone === 'bad') return 'OTHER';
  return sealer.tone === 'good' ? 'UNCHANGED' : 'UNKNOWN_SEALER';
}

const TITLES = {
  UNCHANGED: 'This file is unchanged since it was sealed',
  UNKNOWN_SEALER: 'This file is unchanged, but find out who sealed it',
  CHANGED: 'The time-stamp of this file cannot be relied on',
  OTHER: 'This is another document than the one with that code',
};

/** Whether a file is the one whose code led here. @param {CheckedSeal} seal @param {ServerFacts} server @returns {Statement | undefined} */
function codeStatement({ reason }, { session }) {
  if (!session) return undefined;
  const label = 'Code';
  if (sessionOf(reason) === session) return { label, tone: 'good', text: 'The code is that of this file.' };
  return { label, tone: 'bad', text: 'The code that you followed is that of another sealed document.' };
}

const SIGNERS_TEXT =
  'Who signed, and how they were identified, is on the last pages of the file. The seal covers these pages too.';

/** @param {CheckedSeal} seal */
const contentText = ({ documentStamps: { length }, validation }) => {
  const added = [
    ...(validation ? ['Certificates and revocation data for later checks'] : []),
    ...(length > 0 ? [validation ? 'a time-stamp' : 'A time-stamp'] : []),
  ];
  if (added.length === 0) return 'Every byte is as it was sealed.';
  const verb = validation ? 'were' : 'was';
  return `Every byte is as it was sealed. ${added.join(' and ')} ${verb} added afterwards, and nothing else.`;
};

/**
 * @param {CryptoSuite} suite @param {import('../../../verify/updates.js').TokenToCheck} token
 * @param {readonly Certificate[]} roots @returns {Promise<ReadStamp>}
 */
async function readStamp(suite, { token, digest }, roots) {
  try {
    return { stamp: await checkToken(suite, token, digest, roots) };
  } catch (error) {
    if (error instanceof StampBroken) return { fault: error.message };
    throw error;
  }
}

/** @param {CheckedSeal} seal @param {readonly ReadStamp[]} stamps @returns {Statement} */
function whenStatement({ claimedAt }, stamps) {
  const label = 'Time';
  const faults = stamps.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  if (faults.length > 0) return { label, tone: 'bad', text: `The time-stamp ${faults[0]}.` };
  const given = stamps.flatMap(({ stamp }) => stamp ?? []);
  const [first] = given.sort(
    (a, b) => Number(b.isTrusted) - Number(a.isTrusted) || Number(a.time) - Number(b.time),
  );
  if (!first) return { label, tone: 'open', text: claimText(claimedAt) };
  const name = first.certificate.commonName || first.authority;
  if (first.isTrusted)
    return {
      label,
      tone: 'good',
      text: `It existed before ${timeText(first.time)}. “${name}” confirms this, not only the server.`,
    };
  return {
    label,
    tone: 'open',
    text: `It existed before ${timeText(first.time)}, by the time-stamp of “${name}”. This page does not know that authority: an expert can judge it by the details below.`,
  };
}

/** @param {Date | undefined} claimedAt */
const claimText = (claimedAt) =>
  claimedAt
    ? `${timeText(claimedAt)}, by the clock of the server that sealed it. Nobody else has confirmed this time.`
    : 'The file does not say when it was sealed.';

/** @param {CheckedSeal} seal @param {string} print @param {ServerFacts} server @returns {Statement} */
function certificateStatement({ certificate, claimedAt }, print, { fingerprints, host, savedOn }) {
  const label = 'Sealed by';
  const name = `“${certificate.commonName || certificate.subject}”`;
  if (claimedAt && !isValidAt(certificate, claimedAt))
    return { label, tone: 'bad', text: `${name}, with a certificate that was not valid then.` };
  if (fingerprints.includes(print)) {
    const when = savedOn ? `, as of ${savedOn}` : '';
    return { label, tone: 'good', text: `${name}, with the certificate of ${host}${when}.` };
  }
  return {
    label,
    tone: 'open',
    text: `${name}. Anyone can make a certificate with any name, and this one is not that of ${host}. Ask who sent you the file for the fingerprint of theirs, and compare it with this one: ${print}`,
  };
}

/**
 * @param {CryptoSuite} suite @param {Uint8Array} file @param {ServerFacts} server @param {SealExtended} fault
 * @returns {Promise<Verdict>}
 */
async function extended(suite, file, server, { intact }) {
  const part = await sealed(suite, file.subarray(0, intact), server);
  const added = file.length - intact;
  const text = `Another program added ${count(added)} at the end. What you see may come from there. Only the first ${count(intact)} are as they were sealed; the statements below are about them.`;
  return {
    ...part,
    state: 'EXTENDED',
    title: 'Something was added after this file was sealed',
    statements: part.statements.map((each) =>
      each.label === 'Content' ? { ...each, tone: 'bad', text } : each,
    ),
    sealedBytes: intact,
  };
}

/** @param {number} bytes */
const count = (bytes) => `${bytes.toLocaleString('en-GB')} bytes`;

/** @param {SealBroken} fault @returns {Verdict} */
const changed = ({ message }) => ({
  state: 'CHANGED',
  title: 'This file is not as it was sealed',
  statements: [
    {
      label: 'Content',
      tone: 'bad',
      text: 'Do not rely on it: it was changed or damaged. Download it again, or ask who sent it for the original.',
    },
  ],
  details: [['Found', message]],
});

/** @param {NotSealed} fault @returns {Verdict} */
const notSealed = ({ message }) => ({
  state: 'UNSEALED',
  title: 'There is no seal of Docgraph in this file',
  statements: [
    {
      label: 'Content',
      tone: 'open',
      text: 'It may be a copy from before the signing, or one that another program saved anew or printed. Ask who sent it for the sealed file.',
    },
  ],
  details: [['Found', message]],
});
