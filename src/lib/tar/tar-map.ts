import { BLOCK, headerSize, padding, type TarEntry, tarHeader } from './tar-header.ts';

/** A file of an archive, which is read when it is needed: from `start` to `end`, both included. */
export interface TarFile extends TarEntry {
  open: (range: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>;
}

/** Bytes that follow one another, of which a part can be read. */
interface Piece {
  size: number;
  open: TarFile['open'];
}

/** Two empty blocks end an archive. */
const END = 2 * BLOCK;

/**
 * A tar archive of files whose sizes are given, so that its size and the position of each byte are too, and any part of it can
 * be read without what is before. The same files and time give the same bytes.
 */
export class TarMap {
  /** In bytes. */
  readonly size: number;
  readonly #files: readonly TarFile[];
  readonly #modifiedAt: Date;
  /** Where the header of each file begins. */
  readonly #offsets: number[] = [];

  constructor(files: readonly TarFile[], modifiedAt: Date) {
    this.#files = files;
    this.#modifiedAt = modifiedAt;
    let offset = 0;
    for (const { size } of files) {
      this.#offsets.push(offset);
      offset += headerSize(size) + size + padding(size);
    }
    this.size = offset + END;
  }

  /** The bytes from `start` to `end`, both included; all by default. Fails if a file has not the size that was given. */
  async *read(start = 0, end = this.size - 1): AsyncGenerator<Uint8Array> {
    for (
      let index = this.#indexAt(start), offset = this.#offsets[index] ?? this.size - END;
      offset <= end;
    ) {
      for (const piece of this.#piecesAt(index++)) {
        const range = { start: Math.max(start - offset, 0), end: Math.min(end - offset, piece.size - 1) };
        if (range.start <= range.end) yield* readPiece(piece, range);
        offset += piece.size;
      }
      if (index > this.#files.length) return;
    }
  }

  /** The last file whose header begins at this position, or before. */
  #indexAt(position: number): number {
    let [low, high] = [0, this.#files.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#offsets[middle] as number) <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Of a file, or behind the last one, of the end. */
  #piecesAt(index: number): Piece[] {
    const file = this.#files[index];
    if (!file) return [fixed(Buffer.alloc(END))];
    return [fixed(tarHeader(file, this.#modifiedAt)), file, fixed(Buffer.alloc(padding(file.size)))];
  }
}

const fixed = (bytes: Buffer): Piece => ({
  size: bytes.length,
  open: async ({ start, end }) => once(bytes.subarray(start, end + 1)),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* readPiece(
  { open }: Piece,
  range: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  let missing = range.end - range.start + 1;
  for await (const chunk of await open(range)) {
    missing -= chunk.length;
    if (missing < 0) break;
    yield chunk;
  }
  if (missing !== 0) throw new RangeError('A file of the archive has another size than was given.');
}
