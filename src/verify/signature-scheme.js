// Plain JavaScript, for servers and browsers.

import { child, children, hex, TAG } from '../lib/der.js';

/** @typedef {import('../lib/der.js').Element} Element */
/** @typedef {import('./crypto-suite.ts').DigestName} DigestName */

/** By object identifier in DER, in hex. @type {Record<string, DigestName>} */
const DIGESTS = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

/** Algorithms of signatures that name a digest (RFC 4055 §5, RFC 5758 §3.2). @type {Record<string, DigestName>} */
const WITH_DIGEST = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

const RSASSA_PSS = '2a864886f70d01010a';

/** The default of RFC 4055 §3.1. */
const SALT_BYTES = 20;

/** The digest that an AlgorithmIdentifier names; undefined for one that is not known. @param {Element} algorithm */
export const digestName = (algorithm) => DIGESTS[hex(child(algorithm, 0, TAG.oid).content)];

/** Digests with which something may be signed. @param {Element} algorithm */
export function signedDigestName(algorithm) {
  const name = digestName(algorithm);
  return name === 'sha1' ? undefined : name;
}

/**
 * How a signature is checked, by its AlgorithmIdentifier. `digest`: the one that is named beside it, as in CMS. Throws RangeError
 * for an algorithm that names none and has none beside it.
 * @param {Element} algorithm @param {DigestName} [digest]
 * @returns {{ digest: DigestName, saltLength?: number }}
 */
export function signatureScheme(algorithm, digest) {
  const type = hex(child(algorithm, 0, TAG.oid).content);
  if (type === RSASSA_PSS) return pssScheme(algorithm);
  const name = WITH_DIGEST[type] ?? digest;
  if (!name) throw new RangeError('an algorithm of signatures that is not known');
  return { digest: name };
}

/** RSASSA-PSS-params (RFC 4055 §3.1). @param {Element} algorithm */
function pssScheme(algorithm) {
  const [, parameters] = children(algorithm);
  const fields = parameters ? children(parameters) : [];
  const hash = fields.find(({ tag }) => tag === TAG.context0);
  const salt = fields.find(({ tag }) => tag === TAG.context2);
  const digest = hash && signedDigestName(child(hash, 0, TAG.sequence));
  if (!digest) throw new RangeError('RSASSA-PSS: a digest that is not accepted');
  return { digest, saltLength: salt ? Number(`0x${hex(child(salt, 0, TAG.integer).content)}`) : SALT_BYTES };
}
