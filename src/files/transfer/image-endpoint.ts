import { SECOND } from '../../lib/time.ts';
import { pagePictures } from '../content/pictures/page-pictures.ts';
import { type ByteCall, type ByteService, Refusal } from './byte-service.ts';

/** Pictures of pages: each is drawn when it is first wanted, and the last ones are kept. */
export function imageEndpoint({
  store,
  signedUrls,
  pictures = pagePictures(store),
  countDrawing,
}: ByteService): (call: ByteCall) => Promise<Response> {
  return async (call) => {
    const ticket = await signedUrls.readImage(call.req.param('token'));
    if (!ticket) throw new Refusal(403, 'This address gives no image, or no longer does.');
    const { key, page, width, contentType, organizationId = key } = ticket;
    const found = await store.stat(key);
    if (!found?.finished) throw new Refusal(404, 'The file of this address is gone.');
    const admit = async () => refuseUntil((await countDrawing?.(call, key)) ?? 0);
    const file = { organizationId, key, size: found.size, contentType };
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
    throw new Refusal(429, 'Too many pictures are drawn from here, or of this file; slow down.', {
      'Retry-After': `${Math.ceil(wait / SECOND)}`,
    });
}
