// Plain JavaScript, as everything that child processes and browsers load.

/**
 * One element of DER (X.690 §8.1), `bytes` with its tag and length, `content` without.
 * @typedef {{ tag: number, bytes: Uint8Array, content: Uint8Array }} Element
 */

export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
  context2: 0xa2,
};

/**
 * The first element of these bytes; the rest is ignored. Throws RangeError for invalid bytes.
 * @param {Uint8Array} bytes @returns {Element}
 */
export function readElement(bytes) {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw new RangeError('DER: truncated');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || first === 0x80) throw new RangeError('DER: no definite length');
  const length =
    lengthBytes === 0 ? first : bytes.subarray(2, 2 + lengthBytes).reduce((n, b) => n * 256 + b, 0);
  const start = 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('DER: truncated');
  return { tag, bytes: bytes.subarray(0, start + length), content: bytes.subarray(start, start + length) };
}

/**
 * The element that these bytes are, and nothing else. Throws RangeError.
 * @param {Uint8Array} bytes
 */
export function wholeElement(bytes) {
  const element = readElement(bytes);
  if (element.bytes.length !== bytes.length) throw new RangeError('DER: more than one element');
  return element;
}

/** The elements within the content of an element. @param {Element} parent */
export function children({ content }) {
  /** @type {Element[]} */
  const elements = [];
  for (let rest = content; rest.length > 0; ) {
    const each = readElement(rest);
    elements.push(each);
    rest = rest.subarray(each.bytes.length);
  }
  return elements;
}

/**
 * The child at this index. Throws RangeError if it does not exist or has another tag.
 * @param {Element} parent @param {number} index @param {number} [tag]
 */
export function child(parent, index, tag) {
  const element = children(parent)[index];
  if (!element || (tag !== undefined && element.tag !== tag)) throw new RangeError('DER: unexpected element');
  return element;
}

/** Lower case, two digits a byte. @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The first value of an attribute of a CMS message (RFC 5652 §5.3); undefined if it has none of this type.
 * @param {Element} attributes @param {string} type object identifier in DER, in hex
 * @returns {Element | undefined}
 */
export function attributeValue(attributes, type) {
  const match = children(attributes).find((each) => hex(child(each, 0, TAG.oid).content) === type);
  return match && child(child(match, 1, TAG.set), 0);
}
