// Plain JavaScript, for servers and browsers.

import { child, children, hex, TAG } from '../lib/der.js';

/** @typedef {import('../lib/der.js').Element} Element */

const COMMON_NAME = '550403';

/** Short names of attributes (RFC 4514 §3, and those that OpenSSL prints), by object identifier in DER, in hex. */
const NAMES = /** @type {Record<string, string>} */ ({
  [COMMON_NAME]: 'CN',
  550404: 'SN',
  550405: 'serialNumber',
  550406: 'C',
  550407: 'L',
  550408: 'ST',
  550409: 'street',
  '55040a': 'O',
  '55040b': 'OU',
  '55040c': 'title',
  '55042a': 'GN',
  550461: 'organizationIdentifier',
  '0992268993f22c640119': 'DC',
  '2a864886f70d010901': 'emailAddress',
});

/** Encodings of text by tag; all others are UTF-8 or a part of it (X.680 §41). */
const ENCODINGS = /** @type {Record<number, string>} */ ({ 20: 'latin1', 30: 'utf-16be' });

/** Controls of a terminal, and of the direction of text: a name must not change how its surroundings look. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A name of X.500 in one line, in the order of the certificate, and its common name.
 * @param {Element} name @returns {{ subject: string, commonName: string }}
 */
export function distinguishedName(name) {
  const attributes = children(name).flatMap((set) =>
    children(set).map((each) => ({
      type: hex(child(each, 0, TAG.oid).content),
      value: textOf(child(each, 1)),
    })),
  );
  return {
    subject: attributes.map(({ type, value }) => `${NAMES[type] ?? type}=${value}`).join(', '),
    commonName: attributes.find(({ type }) => type === COMMON_NAME)?.value ?? '',
  };
}

/** @param {Element} element */
const textOf = ({ tag, content }) =>
  new TextDecoder(ENCODINGS[tag] ?? 'utf-8').decode(Uint8Array.from(content)).replace(UNSAFE, '\u{FFFD}');
