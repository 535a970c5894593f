import { Readable } from 'node:stream';
import type { StreamedBytes } from '../store/store.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import { type ByteCall, type ByteService, IDLE, Refusal } from './byte-service.ts';

/**
 * Answers with whole bytes or a single range of them (RFC 9110 §14), with the preconditions of §13. `headers`: of 200 and 206; a
 * Cache-Control is also that of 304.
 */
export async function serveBytes(
  service: ByteService,
  call: ByteCall,
  bytes: StreamedBytes,
  headers: Record<string, string>,
): Promise<Response> {
  const { etag, size } = bytes;
  if (!matches(call.req.header('if-match') ?? '*', etag))
    throw new Refusal(412, 'The file of this URL does not match If-Match.');
  const cached = {
    ETag: etag,
    'Cache-Control': headers['Cache-Control'] ?? 'private, no-cache, no-transform',
  };
  if (matches(call.req.header('if-none-match')?.replaceAll('W/', ''), etag))
    return call.body(null, 304, cached);
  return send(service, call, bytes, { ...cached, ...headers }, rangeOf(call, etag, size));
}

const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim() === '*' || each.trim() === etag);

/** Undefined for the whole file: also for HEAD, and for If-Range with another validator (RFC 9110 §13.1.5). */
function rangeOf(call: ByteCall, etag: string, size: number): ByteRange | undefined {
  if (call.req.method === 'HEAD' || (call.req.header('if-range') ?? etag) !== etag) return undefined;
  const range = parseByteRange(call.req.header('range'), size);
  if (range !== 'unsatisfiable') return range;
  throw new Refusal(416, `The file has ${size} bytes.`, { 'Content-Range': `bytes */${size}` });
}

async function send(
  service: ByteService,
  call: ByteCall,
  bytes: StreamedBytes,
  headers: Record<string, string>,
  range: ByteRange | undefined,
) {
  const { start, end } = range ?? { start: 0, end: bytes.size - 1 };
  const whole = { ...headers, 'Accept-Ranges': 'bytes', 'Content-Length': `${end - start + 1}` };
  if (bytes.size === 0 || call.req.method === 'HEAD') return call.body(null, 200, whole);
  const body = await open(service, call, bytes, { start, end });
  if (!range) return call.body(body, 200, whole);
  return call.body(body, 206, { ...whole, 'Content-Range': `bytes ${start}-${end}/${bytes.size}` });
}

async function open(
  service: ByteService,
  call: ByteCall,
  { read }: StreamedBytes,
  range: ByteRange,
): Promise<ReadableStream> {
  const file = await read(range);
  const requestId = call.get('requestId');
  // A client that disconnects destroys the stream with an AbortError.
  file.once('error', (error) => error.name === 'AbortError' || service.report(error, requestId));
  call.env?.outgoing?.setTimeout(service.limits.idle ?? IDLE);
  return Readable.toWeb(file, { strategy: { highWaterMark: 1 } }) as ReadableStream;
}
