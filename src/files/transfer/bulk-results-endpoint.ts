import { Readable } from 'node:stream';
import { type ByteCall, type ByteService, IDLE, Refusal } from './byte-service.ts';

/** The results of a bulk operation as JSON Lines, read page by page as the client takes them. */
export async function downloadResults(service: ByteService, call: ByteCall): Promise<Response> {
  const ticket = await service.signedUrls.readBulkResults(call.req.param('token'));
  if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
  const pages = await service.bulkResults?.(ticket);
  if (!pages) throw new Refusal(404, 'The results of this URL do not exist any more.');
  const headers = {
    'Content-Type': 'application/jsonl; charset=utf-8',
    'Content-Disposition': `attachment; filename="${ticket.id}.jsonl"`,
    'Cache-Control': 'private, no-store, no-transform',
  };
  if (call.req.method === 'HEAD') return call.body(null, 200, headers);
  const text = Readable.from(pages, { highWaterMark: 1 });
  const requestId = call.get('requestId');
  // A client that disconnects destroys the stream with an AbortError.
  text.once('error', (error) => error.name === 'AbortError' || service.report(error, requestId));
  call.env?.outgoing?.setTimeout(service.limits.idle ?? IDLE);
  return call.body(bytesOf(text), 200, headers);
}

const bytesOf = (text: Readable): ReadableStream =>
  (Readable.toWeb(text, { strategy: { highWaterMark: 1 } }) as ReadableStream).pipeThrough(
    new TextEncoderStream(),
  );
