/** One element of DER (X.690 §8.1), `bytes` with its tag and length, `content` without. */
export interface Element {
  tag: number;
  bytes: Uint8Array;
  content: Uint8Array;
}

export const TAG = { octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, context0: 0xa0 } as const;

/** The first element of these bytes; the rest is ignored. Throws RangeError for invalid bytes. */
export function readElement(bytes: Uint8Array): Element {
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

/** The elements within the content of an element. */
export function children({ content }: Element): Element[] {
  const elements: Element[] = [];
  for (let rest = content; rest.length > 0; ) {
    const each = readElement(rest);
    elements.push(each);
    rest = rest.subarray(each.bytes.length);
  }
  return elements;
}

/** The child at this index. Throws RangeError if it does not exist or has another tag. */
export function child(parent: Element, index: number, tag?: number): Element {
  const element = children(parent)[index];
  if (!element || (tag !== undefined && element.tag !== tag)) throw new RangeError('DER: unexpected element');
  return element;
}
