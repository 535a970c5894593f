import { createHash } from 'node:crypto';
import { type ByteCall, Refusal } from './byte-service.ts';
import { atLeastRate, type RateLimits } from './least-rate.ts';

export interface SenderLimits extends RateLimits {
  /** Milliseconds without a byte. */
  idle: number;
}

/**
 * The request body, with back-pressure. A Node stream is not destroyed when reading stops early, because the response uses
 * the same socket. A connection that is idle or too slow is closed. Throws `tooMany` beyond `limit` bytes, and Refusal 408 when
 * the connection breaks.
 */
export async function* requestBytes(
  call: ByteCall,
  sender: SenderLimits,
  limit: number,
  tooMany: Error,
): AsyncGenerator<Uint8Array> {
  const incoming = call.env?.incoming;
  incoming?.setTimeout(sender.idle);
  const chunks = incoming?.iterator({ destroyOnReturn: false }) ?? call.req.raw.body ?? noBytes();
  let count = 0;
  try {
    for await (const chunk of atLeastRate(chunks, sender, () => incoming?.destroy())) {
      count += chunk.length;
      if (count > limit) throw tooMany;
      yield chunk;
    }
  } catch (error) {
    throw error === tooMany
      ? error
      : new Refusal(408, 'The connection was interrupted. Query the upload status.');
  } finally {
    incoming?.setTimeout(0);
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** The bytes without the first `count`. */
export async function* skip(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of bytes) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

export async function digest(bytes: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
