import { SECOND } from '../../lib/time.ts';
import { pagePictures } from '../content/pictures/page-pictures.ts';
import { type ByteCall, type ByteService, Refusal } from './byte-service.ts';

/** Pictures of pages, drawn at the first request; the last ones are cached. */
export function imageEndpoint({
  store,
  signedUrls,
  pictures = pagePictures(store),
  countDrawing,
}: ByteService): (call: ByteCall) => Promise<Response> {
  return async (call) => {
    const ticket = await signedUrls.readImage(call.req.param('token'));
    if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
    const { key, page, width, contentType, organizationId = key } = ticket;
    const stat = await store.stat(key);
    if (!stat?.finished) throw new Refusal(404, 'The file of this URL does not exist any more.');
    const admit = async () => refuseUntil((await countDrawing?.(call, key)) ?? 0);
    const file = { organizationId, key, size: stat.size, contentType };
    const image = await pictures(file, page, width, admit);
    if (!image) throw new Refusal(404, 'There is no picture of this page.');
    return call.body(image.bytes, 200, {
      'Content-Type': image.contentType,
      'Content-Length': `${image.bytes.length}`,
      'Cache-Control': 'private, max-age=900, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  };
}

function refuseUntil(wait: number): void {
  if (wait > 0)
    throw new Refusal(429, 'Too many pictures are requested by this client, or of this file.', {
      'Retry-After': `${Math.ceil(wait / SECOND)}`,
    });
}
