import { Readable } from 'node:stream';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import { type ByteCall, type ByteService, IDLE, Refusal } from './byte-service.ts';
import { presentation } from './disposition.ts';

/** Whole objects and single ranges of them (RFC 9110 §14), with the preconditions of §13. */
export async function download(service: ByteService, call: ByteCall): Promise<Response> {
  const ticket = await service.signedUrls.readDownload(call.req.param('token'));
  if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
  const stat = await service.store.stat(ticket.key);
  if (!stat?.finished) throw new Refusal(404, 'The file of this URL does not exist any more.');

  // Objects are immutable, so the id is a strong validator.
  const etag = `"${ticket.key}"`;
  const cached = { ETag: etag, 'Cache-Control': 'private, no-cache, no-transform' };
  if (!matches(call.req.header('if-match') ?? '*', etag))
    throw new Refusal(412, 'The file of this URL does not match If-Match.');
  if (matches(call.req.header('if-none-match')?.replaceAll('W/', ''), etag))
    return call.body(null, 304, cached);
  const part = { key: ticket.key, size: stat.size, range: rangeOf(call, etag, stat.size) };
  return send(service, call, part, { ...cached, ...presented(ticket) });
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

interface Part {
  key: string;
  size: number;
  range?: ByteRange;
}

async function send(service: ByteService, call: ByteCall, part: Part, headers: Record<string, string>) {
  const { start, end } = part.range ?? { start: 0, end: part.size - 1 };
  const whole = { ...headers, 'Content-Length': `${end - start + 1}` };
  if (part.size === 0 || call.req.method === 'HEAD') return call.body(null, 200, whole);
  const body = await open(service, call, part);
  if (!part.range) return call.body(body, 200, whole);
  return call.body(body, 206, { ...whole, 'Content-Range': `bytes ${start}-${end}/${part.size}` });
}

async function open(service: ByteService, call: ByteCall, { key, range }: Part): Promise<ReadableStream> {
  const file = await service.store.read(key, range);
  const requestId = call.get('requestId');
  // A client that disconnects destroys the stream with an AbortError.
  file.once('error', (error) => error.name === 'AbortError' || service.report(error, requestId));
  call.env?.outgoing?.setTimeout(service.limits.idle ?? IDLE);
  return Readable.toWeb(file, { strategy: { highWaterMark: 1 } }) as ReadableStream;
}

/** A sandboxed document runs no script and has no origin. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

function presented(file: { filename: string; contentType: string; inline: boolean }): Record<string, string> {
  const { contentType, disposition, essence } = presentation(file);
  // Chrome shows no PDF with a policy; its viewer runs the document's scripts in a separate process.
  const viewer = file.inline && essence === 'application/pdf';
  return {
    'Content-Type': contentType,
    'Content-Disposition': disposition,
    ...(viewer ? {} : { 'Content-Security-Policy': SANDBOX }),
    'Accept-Ranges': 'bytes',
  };
}
