/** Where the bytes of an upload come from. Read again from an earlier position after a cut connection. */
export interface UploadSource {
  name?: string | undefined;
  /** Bytes; undefined if not known before the end. */
  size?: number | undefined;
  /** At most `length` bytes from `start` on; fewer only at the end. `start` never goes back behind an earlier `start`. */
  read(start: number, length: number): Promise<Blob | Uint8Array>;
  close?(): Promise<void>;
}

export type UploadInput =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | UploadSource;

/** The source of what can be uploaded: files and bytes, streams of bytes, and sources as such. */
export function sourceOf(input: UploadInput): UploadSource {
  if (input instanceof Blob)
    return {
      name: 'name' in input ? String(input.name) : undefined,
      size: input.size,
      read: async (start, length) => input.slice(start, start + length),
    };
  if (input instanceof ArrayBuffer) return sourceOf(new Uint8Array(input));
  if (input instanceof Uint8Array)
    return { size: input.length, read: async (start, length) => input.subarray(start, start + length) };
  if (Symbol.asyncIterator in input) return new StreamSource(input);
  return 'read' in input ? input : new StreamSource(chunksOf(input));
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A stream, of which the bytes are held until the server has them. */
class StreamSource implements UploadSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();
  /** Position of the first byte of `#held`. */
  #start = 0;
  #ended = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async read(start: number, length: number): Promise<Uint8Array> {
    if (start < this.#start)
      throw new Error('The server has lost bytes of a stream, which cannot be read again.');
    this.#held = this.#held.subarray(start - this.#start);
    this.#start = start;
    const parts = [this.#held];
    let size = this.#held.length;
    while (size < length && !this.#ended) {
      const next = await this.#chunks.next();
      if (next.done) this.#ended = true;
      else parts.push(next.value);
      size += next.done ? 0 : next.value.length;
    }
    if (parts.length > 1) this.#held = joined(parts, size);
    return this.#held.subarray(0, length);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}
