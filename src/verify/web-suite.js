// Plain JavaScript, for browsers.

import { child, children, hex, readElement, TAG } from '../lib/der.js';

/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */

/** Names of Web Cryptography. */
const DIGESTS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/** By object identifier in DER, in hex: the name of a curve, and the bytes of a coordinate. */
const CURVES = /** @type {Record<string, { namedCurve: string, size: number }>} */ ({
  '2a8648ce3d030107': { namedCurve: 'P-256', size: 32 },
  '2b81040022': { namedCurve: 'P-384', size: 48 },
  '2b81040023': { namedCurve: 'P-521', size: 66 },
});

const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';

/** The cryptography of browsers: RSA, and ECDSA with the curves of NIST. @type {CryptoSuite} */
export const webSuite = {
  async digest(name, parts) {
    return new Uint8Array(await crypto.subtle.digest(DIGESTS[name], joined(parts)));
  },
  async verify({ publicKey, digest, saltLength, signed, signature }) {
    const { type, curve } = keyOf(publicKey);
    const hash = DIGESTS[digest];
    const spki = Uint8Array.from(publicKey);
    if (type === EC && curve) {
      const { namedCurve, size } = curve;
      const key = await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve }, false, [
        'verify',
      ]);
      return crypto.subtle.verify({ name: 'ECDSA', hash }, key, coordinates(signature, size), joined(signed));
    }
    if (type !== RSA) throw new RangeError('a kind of key that browsers do not know');
    const name = saltLength === undefined ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS';
    const key = await crypto.subtle.importKey('spki', spki, { name, hash }, false, ['verify']);
    return crypto.subtle.verify({ name, saltLength }, key, Uint8Array.from(signature), joined(signed));
  },
};

/** SubjectPublicKeyInfo (RFC 5280 §4.1). @param {Uint8Array} publicKey */
function keyOf(publicKey) {
  const [type, parameters] = children(child(readElement(publicKey), 0, TAG.sequence));
  return {
    type: type && hex(type.content),
    curve: parameters && CURVES[hex(parameters.content)],
  };
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Both numbers of an ECDSA signature in DER (RFC 3279 §2.2.3), each in so many bytes. @param {Uint8Array} signature @param {number} size */
function coordinates(signature, size) {
  const sequence = readElement(signature);
  const bytes = new Uint8Array(2 * size);
  for (const index of [0, 1]) {
    const { content } = child(sequence, index, TAG.integer);
    const digits = content.subarray(content.findIndex((byte) => byte !== 0));
    if (digits.length > size) throw new RangeError('ECDSA: a number out of range');
    bytes.set(digits, (index + 1) * size - digits.length);
  }
  return bytes;
}
