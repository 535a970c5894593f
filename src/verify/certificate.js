// Plain JavaScript, for servers and browsers.

import { child, children, hex, TAG, wholeElement } from '../lib/der.js';
import { distinguishedName } from './distinguished-name.js';
import { signatureScheme } from './signature-scheme.js';

/** @typedef {import('../lib/der.js').Element} Element */
/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */

/**
 * A certificate (RFC 5280 §4.1). `publicKey`: SubjectPublicKeyInfo in DER. `serial`: in hex. `usages`: object identifiers of the
 * extended key usage in hex, with whether the extension is critical.
 * @typedef {object} Certificate
 * @property {Uint8Array} der
 * @property {string} subject in one line
 * @property {string} commonName empty without one
 * @property {string} issuer in one line
 * @property {string} serial
 * @property {Date} notBefore
 * @property {Date} notAfter
 * @property {Uint8Array} publicKey
 * @property {boolean} isAuthority
 * @property {{ purposes: string[], isCritical: boolean } | undefined} usages
 * @property {{ subject: string, issuer: string }} names in DER, in hex
 * @property {{ body: Uint8Array, algorithm: Element, value: Uint8Array }} signature
 */

const EXTENSION = { basicConstraints: '551d13', keyUsage: '551d0f', extendedKeyUsage: '551d25' };
const EXTENSIONS = 0xa3;
const TRUE = '0101ff';
/** In the first octet of the bits of KeyUsage. */
const KEY_CERT_SIGN = 0x04;

/** Reads a certificate in DER. Throws RangeError. @param {Uint8Array} der @returns {Certificate} */
export function readCertificate(der) {
  const certificate = wholeElement(der);
  const body = child(certificate, 0, TAG.sequence);
  const fields = children(body);
  if (fields[0]?.tag === TAG.context0) fields.shift();
  const [serial, , issuer, validity, subject, publicKey, ...optional] = fields;
  if (!serial || !issuer || !validity || !subject || !publicKey) throw new RangeError('X.509: incomplete');
  const extensions = readExtensions(optional.find(({ tag }) => tag === EXTENSIONS));
  return {
    der,
    ...distinguishedName(subject),
    issuer: distinguishedName(issuer).subject,
    serial: hex(serial.content),
    notBefore: readTime(child(validity, 0)),
    notAfter: readTime(child(validity, 1)),
    publicKey: publicKey.bytes,
    isAuthority: isAuthority(extensions),
    usages: extendedUsages(extensions),
    names: { subject: hex(subject.bytes), issuer: hex(issuer.bytes) },
    signature: {
      body: body.bytes,
      algorithm: child(certificate, 1, TAG.sequence),
      value: child(certificate, 2, TAG.bits).content.subarray(1),
    },
  };
}

/** @typedef {Map<string, { isCritical: boolean, value: Uint8Array }>} Extensions */

/** @param {Element | undefined} wrapped @returns {Extensions} */
function readExtensions(wrapped) {
  const all = wrapped ? children(child(wrapped, 0, TAG.sequence)) : [];
  return new Map(
    all.map((each) => {
      const parts = children(each);
      const value = /** @type {Element} */ (parts.at(-1)).content;
      return [
        hex(child(each, 0, TAG.oid).content),
        { isCritical: hex(child(each, 1).bytes) === TRUE, value },
      ];
    }),
  );
}

/** @param {Extensions} extensions */
function isAuthority(extensions) {
  const constraints = extensions.get(EXTENSION.basicConstraints);
  const usage = extensions.get(EXTENSION.keyUsage);
  const [first] = constraints ? children(wholeElement(constraints.value)) : [];
  const maySign = !usage || ((wholeElement(usage.value).content[1] ?? 0) & KEY_CERT_SIGN) !== 0;
  return first !== undefined && hex(first.bytes) === TRUE && maySign;
}

/** @param {Extensions} extensions */
function extendedUsages(extensions) {
  const usages = extensions.get(EXTENSION.extendedKeyUsage);
  return (
    usages && {
      purposes: children(wholeElement(usages.value)).map(({ content }) => hex(content)),
      isCritical: usages.isCritical,
    }
  );
}

/** UTCTime has two digits for the year, from 1950 on (RFC 5280 §4.1.2.5). Throws RangeError. @param {Element} element */
export function readTime({ tag, content }) {
  const text = String.fromCharCode(...content);
  const digits = tag === TAG.utcTime ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  return generalizedTime(digits);
}

/** GeneralizedTime in UTC, perhaps with a fraction of the second. Throws RangeError. @param {string} text */
export function generalizedTime(text) {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text);
  if (!match) throw new RangeError('DER: no time in UTC');
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError('DER: no valid time');
  return time;
}

/** The SHA-256 of a certificate as programs show it: pairs of digits with colons. @param {CryptoSuite} suite @param {Certificate} certificate */
export const fingerprint = async (suite, { der }) =>
  (
    hex(await suite.digest('sha256', [der]))
      .toUpperCase()
      .match(/../g) ?? []
  ).join(':');

/** @param {Certificate} certificate @param {Date} time */
export const isValidAt = ({ notBefore, notAfter }, time) => notBefore <= time && time <= notAfter;

/** Certificates from the one in question to a root. */
const MAX_CHAIN = 8;

/**
 * Whether a certificate is one of the roots, or was issued under one of them by authorities that were valid then. Revocation is
 * not asked for. `certificates`: further ones that may be on the way.
 * @param {CryptoSuite} suite @param {Certificate} certificate
 * @param {{ certificates: readonly Certificate[], roots: readonly Certificate[], time: Date }} issuers
 */
export async function isTrusted(suite, certificate, { certificates, roots, time }) {
  const rootDigests = new Set(roots.map(({ der }) => hex(der)));
  let current = certificate;
  for (let length = 0; length < MAX_CHAIN; length++) {
    if (rootDigests.has(hex(current.der))) return true;
    const issuer = await issuerOf(suite, current, [...roots, ...certificates]);
    if (!issuer || !isValidAt(issuer, time)) return false;
    current = issuer;
  }
  return false;
}

/**
 * The authority among the candidates whose key a certificate is signed with; undefined without one.
 * @param {CryptoSuite} suite @param {Certificate} certificate @param {readonly Certificate[]} candidates
 */
export async function issuerOf(suite, { names, signature }, candidates) {
  const { body, algorithm, value } = signature;
  for (const each of candidates) {
    if (!each.isAuthority || each.names.subject !== names.issuer) continue;
    const scheme = signatureScheme(algorithm);
    if (await suite.verify({ publicKey: each.publicKey, ...scheme, signed: [body], signature: value }))
      return each;
  }
  return undefined;
}

/** id-kp-timeStamping (RFC 3161 §2.3), in hex. */
const TIME_STAMPING = '2b06010505070308';

/**
 * A certificate of a time-stamping authority has this use alone, as a critical extension (RFC 3161 §2.3), and must have been
 * valid at that time. Returns what is wrong with a time-stamp that it signed; undefined if nothing is.
 * @param {Certificate} certificate @param {Date} time @returns {string | undefined}
 */
export function certificateFault(certificate, time) {
  const { purposes = [], isCritical = false } = certificate.usages ?? {};
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING || !isCritical)
    return 'was signed with a certificate that is not for time-stamps alone';
  return isValidAt(certificate, time) ? undefined : 'was signed while its certificate was not valid';
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. Throws for a file without any, or with one that cannot be read. @param {string} text */
export function readCertificates(text) {
  const certificates = [...text.matchAll(PEM)].map((match) =>
    readCertificate(Uint8Array.from(atob(/** @type {string} */ (match[1])), (each) => each.charCodeAt(0))),
  );
  if (certificates.length === 0) throw new Error('there is no certificate in it');
  return certificates;
}
