import type { MiddlewareHandler } from 'hono';
import { acceptedCoding, type Coding, codedTag, compress } from '../lib/content-coding.ts';

/** In bytes; below it, compression costs more than it saves. */
const MIN_SIZE = 1_024;

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
    const bytes = new Uint8Array(await call.res.arrayBuffer());
    const isLarge = bytes.length >= MIN_SIZE;
    const body = isLarge ? await compress(bytes, coding) : bytes;
    headers.delete('Content-Length');
    if (isLarge) {
      headers.set('Content-Encoding', coding);
      const tag = headers.get('ETag');
      if (tag) headers.set('ETag', codedTag(tag, coding));
    }
    call.res = undefined;
    call.res = new Response(body, { status, headers });
  };

/** Also for 304, whose Vary is that of the 200 (RFC 9110 §15.4.5). */
function isCompressible({ status, headers }: Response): boolean {
  if (status === 304) return true;
  if (headers.has('Content-Encoding') || headers.has('Content-Disposition')) return false;
  return (
    !/accept-encoding/i.test(headers.get('Vary') ?? '') &&
    COMPRESSIBLE.test(headers.get('Content-Type') ?? '')
  );
}
