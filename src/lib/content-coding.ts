import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, createBrotliCompress, createGzip, gzip, constants as zlib } from 'node:zlib';

/** A content coding of HTTP (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Far cheaper than the default of 11, and still smaller than gzip. */
const BROTLI_QUALITY = 4;

const brotliParams = (bytes?: number) => ({
  [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
  ...(bytes !== undefined && { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes }),
});

/** Compresses in the thread pool, off the main thread. */
export async function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  if (coding === 'gzip') return Uint8Array.from(await toGzip(bytes));
  return Uint8Array.from(await toBrotli(bytes, { params: brotliParams(bytes.length) }));
}

/** Compresses parts as the result is read. An error in them is one of the result. */
export function compressStream(parts: AsyncIterable<Uint8Array>, coding: Coding): ReadableStream<Uint8Array> {
  const coder = coding === 'gzip' ? createGzip() : createBrotliCompress({ params: brotliParams() });
  // The reader of the result gets the error.
  pipeline(Readable.from(parts, { objectMode: false }), coder, () => {});
  return Readable.toWeb(coder) as ReadableStream<Uint8Array>;
}

/**
 * The coding to send to a client with this Accept-Encoding (RFC 9110 §12.5.3): the one it prefers; of equals the first in
 * `offered`. Undefined if it accepts none, or prefers the body as it is.
 */
export function acceptedCoding(
  acceptEncoding: string | null | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  if (!acceptEncoding) return undefined;
  const weights = weightsOf(acceptEncoding);
  let best: Coding | undefined;
  let bestWeight = Math.max(weights.get('identity') ?? 0, 0);
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    const isBetter = best ? weight > bestWeight : weight > 0 && weight >= bestWeight;
    if (isBetter) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** Weight by coding; NaN for one that is malformed, which no comparison selects. */
function weightsOf(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const weight = parameters.find((each) => each.startsWith('q='));
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return weights;
}

/** The ETag of a coded response: a strong one differs from that of the same content uncoded (RFC 9110 §8.8.3.3). */
export const codedTag = (tag: string, coding: Coding): string =>
  tag.startsWith('W/') ? tag : tag.replace(/"$/, `-${coding}"`);

/** The inverse of `codedTag`, for the part of a tag between the quotes. */
export const uncodedTag = (opaqueTag: string): string => opaqueTag.replace(/-(?:br|gzip)$/, '');
