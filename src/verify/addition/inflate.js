// Plain JavaScript, for servers and browsers.

/**
 * The content of a stream that is compressed as FlateDecode does (ISO 32000-2 §7.4.4). Rejects with RangeError if it is not, or
 * is larger than `most` bytes.
 * @param {Uint8Array} bytes @param {number} most @returns {Promise<Uint8Array>}
 */
export async function inflate(bytes, most) {
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const chunks = [];
  let length = 0;
  try {
    for (;;) {
      const { value } = await reader.read();
      if (!value) break;
      chunks.push(value);
      length += value.length;
      if (length > most) throw new RangeError('a stream that is too large');
    }
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('a stream that cannot be decompressed');
  } finally {
    reader.cancel().catch(() => undefined);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
