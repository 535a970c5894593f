import { MINUTE } from '../lib/time.ts';
import type { ByteSource } from './byte-source.ts';
import { isPicture, shrinkImage } from './image-picture.ts';
import { type PageImage, renderPage } from './page-image.ts';
import { type BlobStore, storedSource } from './store.ts';

/**
 * A page (from 1) of a stored PDF of `size` bytes, `width` pixels wide, or, where the type is that of an image, the image
 * itself; null where there is no picture of it.
 */
export type PagePictures = (
  blob: { key: string; size: number; contentType?: string },
  page: number,
  width: number,
) => Promise<PageImage | null>;

/** Of the pictures that were asked for last, in bytes; what there is no picture of counts a little, too. */
const KEPT = 32 * 2 ** 20;
const LEAST = 1_024;

/** How long there is none where there was none: for a while, since it may have been for want of time. */
const NONE_LASTS = MINUTE;

interface Kept {
  image: PageImage | null;
  until: number;
}

/** Draws pages, keeps the last ones, and draws a page once for all who ask for it at the same time. */
export function pagePictures(store: BlobStore, capacity = KEPT): PagePictures {
  const kept = new Map<string, Kept>();
  const drawing = new Map<string, Promise<PageImage | null>>();
  let held = 0;

  const take = (name: string) => {
    const known = kept.get(name);
    if (kept.delete(name)) held -= sizeOf(known?.image ?? null);
    return known && known.until > Date.now() ? known : undefined;
  };

  const keep = (name: string, one: Kept) => {
    kept.set(name, one);
    held += sizeOf(one.image);
    for (const oldest of kept.keys()) {
      if (held <= capacity) break;
      take(oldest);
    }
  };

  const draw = async (
    name: string,
    contentType: string | undefined,
    ...wanted: [ByteSource, page: number, width: number]
  ) => {
    try {
      const image = await (isPicture(contentType) ? shrinkImage(...wanted) : renderPage(...wanted));
      keep(name, { image, until: image ? Number.POSITIVE_INFINITY : Date.now() + NONE_LASTS });
      return image;
    } finally {
      drawing.delete(name);
    }
  };

  return async ({ key, size, contentType }, page, width) => {
    const name = `${key} ${page} ${width}`;
    const known = take(name);
    if (known) {
      keep(name, known);
      return known.image;
    }
    const begun = drawing.get(name) ?? draw(name, contentType, storedSource(store, key, size), page, width);
    drawing.set(name, begun);
    return begun;
  };
}

const sizeOf = (image: PageImage | null): number => LEAST + (image?.bytes.length ?? 0);
