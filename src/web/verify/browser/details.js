// Plain JavaScript, for browsers; what it says is tested on a server.

import { hex } from '../../../lib/der.js';
import { fingerprint } from '../../../verify/certificate.js';
import { levelOf } from '../../../verify/seal.js';

/** @typedef {import('../../../verify/crypto-suite.ts').CryptoSuite} CryptoSuite */
/** @typedef {import('../../../verify/seal.js').CheckedSeal} CheckedSeal */
/** @typedef {import('../../../verify/validation-data.js').ValidationContent} ValidationContent */
/** @typedef {import('../../../verify/validation-data.js').RevocationAnswer} RevocationAnswer */
/** A time-stamp of the file, or what is wrong with it. @typedef {{ stamp?: import('../../../verify/time-stamp.js').Stamp, fault?: string }} ReadStamp */

/** As sealing writes the reason (src/domain/sealing/sealing-facts.ts). */
const REASON = /^Session (\S+) completed with event (\d+) of the chain, SHA-256 ([0-9a-f]{64})$/;

/**
 * What an expert wants to know of a seal, by name.
 * @param {CryptoSuite} suite
 * @param {{ file: Uint8Array, seal: CheckedSeal, stamps: readonly ReadStamp[], print: string }} found
 * @returns {Promise<[string, string][]>}
 */
export async function detailsOf(suite, { file, seal, stamps, print }) {
  const { certificate, length, reason, claimedAt, validation } = seal;
  const isSelfSigned = certificate.names.subject === certificate.names.issuer;
  return [
    ['Level', `PAdES ${levelOf(seal)} (ETSI EN 319 142-1)`],
    ['Bytes of the sealed file', String(length)],
    ['SHA-256 of the sealed file', hex(await suite.digest('sha256', [file.subarray(0, length)]))],
    ...(file.length > length
      ? [
          /** @type {[string, string]} */ ([
            'SHA-256 with time-stamps',
            hex(await suite.digest('sha256', [file])),
          ]),
        ]
      : []),
    ['Time by the server', claimedAt?.toISOString() ?? 'not given'],
    ...reasonDetails(reason),
    ['Certificate', certificate.subject],
    ['Issuer', isSelfSigned ? 'itself (no authority vouches for the name)' : certificate.issuer],
    ['Serial number', certificate.serial],
    ['Valid', `${certificate.notBefore.toISOString()} to ${certificate.notAfter.toISOString()}`],
    ['Fingerprint (SHA-256)', print],
    ...(await Promise.all(
      stamps.map((stamp, index) => stampDetail(suite, stamp, `Time-stamp ${index + 1}`)),
    )),
    ...(validation ? validationDetails(validation) : []),
    ['Kind', 'Electronic seal (eIDAS, Article 3 (25)); nothing here says that it is a qualified one'],
    [
      'Not checked',
      'Whether certificates were revoked, and answers about that in the file; whether an authority is qualified; who the signers are',
    ],
  ];
}

/** @param {ValidationContent} validation @returns {[string, string][]} */
const validationDetails = ({ certificates, ocsp, crls }) => [
  ['Certificates for later checks', certificates.map(({ subject }) => subject).join('; ')],
  ['Answers about revocation (OCSP)', periodsOf(ocsp)],
  ['Revocation lists (CRL)', periodsOf(crls)],
];

/** @param {readonly RevocationAnswer[]} answers */
const periodsOf = (answers) =>
  [
    String(answers.length),
    ...answers.map(
      ({ thisUpdate, nextUpdate }) =>
        `${thisUpdate.toISOString()} to ${nextUpdate?.toISOString() ?? 'no end named'}`,
    ),
  ].join('; ');

/** The signing session that a seal names. @param {string} reason */
export const sessionOf = (reason) => REASON.exec(reason)?.[1];

/** @param {string} reason @returns {[string, string][]} */
function reasonDetails(reason) {
  const [match, session = '', sequence, hash] = REASON.exec(reason) ?? [];
  if (!match) return [['Reason', reason || 'none; seals of Docgraph name a signing session']];
  return [
    ['Signing session', session],
    ['Last event of the signing', `${sequence}, with the hash ${hash}`],
  ];
}

/** @param {CryptoSuite} suite @param {ReadStamp} read @param {string} name @returns {Promise<[string, string]>} */
async function stampDetail(suite, { stamp, fault }, name) {
  if (!stamp) return [name, `not valid: ${fault}`];
  const { time, authority, serial, certificate, isTrusted } = stamp;
  const trust = isTrusted
    ? 'under an authority that the server trusts'
    : 'not under an authority that this page knows';
  return [
    name,
    `${time.toISOString()} by ${authority}, ${trust}; serial number ${serial}; certificate ${await fingerprint(suite, certificate)}`,
  ];
}
