import { type ByteCall, type ByteDoor, Refusal } from './byte-door.ts';
import { type PagePictures, pagePictures } from './page-pictures.ts';

/** The door of pictures of pages: each is drawn when it is asked for, and the last ones are kept. */
export function imageEndpoint({ store, addresses }: ByteDoor): (call: ByteCall) => Promise<Response> {
  const pictures: PagePictures = pagePictures(store);
  return async (call) => {
    const ticket = await addresses.readImage(call.req.param('token'));
    if (!ticket) throw new Refusal(403, 'This address gives no image, or no longer does.');
    const found = await store.stat(ticket.key);
    if (!found?.finished) throw new Refusal(404, 'The file of this address is gone.');
    const { page, width, contentType } = ticket;
    const image = await pictures({ key: ticket.key, size: found.size, contentType }, page, width);
    if (!image) throw new Refusal(404, 'There is no picture of this page.');
    return call.body(image.bytes, 200, {
      'Content-Type': image.contentType,
      'Content-Length': `${image.bytes.length}`,
      'Cache-Control': 'private, max-age=900, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  };
}
