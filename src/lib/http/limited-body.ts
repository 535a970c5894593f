/** A body has more bytes than its reader takes. */
export class BodyTooLarge extends Error {
  constructor(limit: number) {
    super(`answered with more than ${limit} bytes`);
  }
}

/** The bytes of a body. Throws BodyTooLarge once it has more than `limit`. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
