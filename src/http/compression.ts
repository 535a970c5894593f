import type { MiddlewareHandler } from 'hono';
import { acceptedCoding, type Coding, codedTag, compress, compressStream } from '../lib/content-coding.ts';

/** In bytes; below it, compression costs more than it saves. */
const MIN_SIZE = 1_024;

/** In bytes; what is longer is compressed as it is read. */
const AT_ONCE = 2 ** 18;

/** Not event streams, multipart responses, pages, or what is compressed already. */
const COMPRESSIBLE = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i;

/**
 * Compresses responses for clients that accept it. `offered`: the codings, the preferred one first.
 *
 * Only for the APIs. A compressed length reveals secrets beside text of an attacker who can repeat a victim's request
 * (BREACH): here other origins cannot, as cookies count for our own pages only. Pages with secrets stay uncompressed.
 */
export const compression =
  (offered: readonly Coding[]): MiddlewareHandler =>
  async (call, next) => {
    await next();
    if (!isCompressible(call.res)) return;
    const { headers, status } = call.res;
    headers.append('Vary', 'Accept-Encoding');
    const coding = acceptedCoding(call.req.header('accept-encoding'), offered);
    if (!coding || status === 304) return;
    const { bytes, rest } = await readBeginning(call.res.body);
    const isWorthwhile = bytes.length >= MIN_SIZE;
    headers.delete('Content-Length');
    if (isWorthwhile) {
      headers.set('Content-Encoding', coding);
      const tag = headers.get('ETag');
      if (tag) headers.set('ETag', codedTag(tag, coding));
    }
    const compressed = () => (rest ? compressStream(rest, coding) : compress(bytes, coding));
    call.res = undefined;
    call.res = new Response(isWorthwhile ? await compressed() : bytes, { status, headers });
  };

/** A body of up to AT_ONCE bytes; of a longer one the beginning, and `rest` is the whole of it as it is read. */
async function readBeginning(body: ReadableStream<Uint8Array> | null) {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body?.[Symbol.asyncIterator]();
  while (size <= AT_ONCE) {
    const next = await reader?.next();
    if (!next || next.done) return { bytes: Buffer.concat(parts) };
    parts.push(next.value);
    size += next.value.length;
  }
  const bytes = Buffer.concat(parts);
  return { bytes, rest: followedBy(bytes, reader as AsyncIterator<Uint8Array>) };
}

async function* followedBy(bytes: Uint8Array, reader: AsyncIterator<Uint8Array>) {
  yield bytes;
  yield* { [Symbol.asyncIterator]: () => reader };
}

/** Also for 304, whose Vary is that of the 200 (RFC 9110 §15.4.5). */
function isCompressible({ status, headers }: Response): boolean {
  if (status === 304) return true;
  if (headers.has('Content-Encoding') || headers.has('Content-Disposition')) return false;
  return (
    !/accept-encoding/i.test(headers.get('Vary') ?? '') &&
    COMPRESSIBLE.test(headers.get('Content-Type') ?? '')
  );
}
