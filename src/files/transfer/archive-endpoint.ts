import { type ByteCall, type ByteService, Refusal } from './byte-service.ts';
import { serveBytes } from './serve-bytes.ts';

/** The archive of an export, whole or in part, which is put together while it is sent. */
export async function downloadArchive(service: ByteService, call: ByteCall): Promise<Response> {
  const ticket = await service.signedUrls.readArchive(call.req.param('token'));
  if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
  const archive = await service.archive?.(ticket);
  if (!archive)
    throw new Refusal(
      404,
      'The archive of this URL does not exist any more, or something in it was purged, redacted or erased. Export again.',
    );
  return serveBytes(service, call, archive, {
    'Content-Type': 'application/x-tar',
    'Content-Disposition': `attachment; filename="${archive.filename}"`,
    'Cache-Control': 'private, no-store, no-transform',
  });
}
