import type { StreamedBytes } from '../store/store.ts';
import { type ByteCall, type ByteService, Refusal } from './byte-service.ts';
import { presentation } from './disposition.ts';
import { serveBytes } from './serve-bytes.ts';

/** Whole objects and single ranges of them (RFC 9110 §14), with the preconditions of §13. */
export async function download(service: ByteService, call: ByteCall): Promise<Response> {
  const ticket = await service.signedUrls.readDownload(call.req.param('token'));
  if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
  const stat = await service.store.stat(ticket.key);
  if (!stat?.finished) throw new Refusal(404, 'The file of this URL does not exist any more.');

  // Objects are immutable, so the id is a strong validator.
  const { key } = ticket;
  const bytes: StreamedBytes = {
    size: stat.size,
    etag: `"${key}"`,
    read: (range) => service.store.read(key, range),
  };
  return serveBytes(service, call, bytes, presented(ticket));
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
  };
}
