import { FairCache } from '../../../lib/fair-cache.ts';
import { Busy, TryLater } from '../../../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed } from '../../child/child-pool.ts';
import { type BlobStore, storedSource } from '../../store/store.ts';
import { isPicture, shrinkImage } from './image-picture.ts';
import { type PageImage, renderPage } from './page-image.ts';

/** A stored file of an organization; the pages of one without a type are those of a PDF. */
export interface PicturedFile {
  organizationId: string;
  key: string;
  size: number;
  contentType?: string;
}

/**
 * A page (from 1) of a stored PDF, `width` pixels wide, or, where the type is that of an image, the image itself; null
 * where the file has no picture of it. `admit` is called before anything is drawn, and may refuse by throwing. Throws
 * Busy; TooCostly where drawing took too long or too much memory; ChildFailed; what the store throws.
 */
export type PagePictures = (
  file: PicturedFile,
  page: number,
  width: number,
  admit?: () => Promise<void>,
) => Promise<PageImage | null>;

/** Drawing a page took more time or memory than any page gets. */
export class TooCostly extends TryLater {
  constructor() {
    super('This page takes too long, or too much memory, to draw.', NOT_AGAIN / SECOND);
  }
}

/** Bytes of pictures kept; an outcome without a picture counts a little, too. */
const KEPT = 32 * 2 ** 20;
const LEAST = 1_024;

/** How long an outcome without a picture is remembered, in ms: it is not tried again meanwhile. */
const NOT_AGAIN = MINUTE;

/** Pictures of one file that are drawn or wait at a time: more are refused, so that one page of links cannot fill the queue. */
const MOST_OF_A_FILE = 50;

type Outcome = { image: PageImage | null } | { costly: TooCostly };

/** Draws pages, keeps the last ones, and draws a page once for all who ask for it at the same time. */
export function pagePictures(store: BlobStore, capacity = KEPT): PagePictures {
  const kept = new FairCache<Outcome & { until: number }>(capacity);
  const drawing = new Map<string, Promise<Outcome>>();
  const underWay = new Map<string, number>();

  const count = (key: string, change: number) => {
    const now = (underWay.get(key) ?? 0) + change;
    if (now > 0) underWay.set(key, now);
    else underWay.delete(key);
  };

  const draw = async (name: string, file: PicturedFile, page: number, width: number): Promise<Outcome> => {
    count(file.key, 1);
    try {
      const outcome = await outcomeOf(store, file, page, width);
      const image = 'image' in outcome ? outcome.image : null;
      const until = image ? Number.POSITIVE_INFINITY : Date.now() + NOT_AGAIN;
      kept.set(file.organizationId, name, { ...outcome, until }, LEAST + (image?.bytes.length ?? 0));
      return outcome;
    } finally {
      count(file.key, -1);
      drawing.delete(name);
    }
  };

  const begin = async (name: string, file: PicturedFile, page: number, width: number) => {
    if ((underWay.get(file.key) ?? 0) >= MOST_OF_A_FILE) throw new Busy();
    const begun = drawing.get(name) ?? draw(name, file, page, width);
    drawing.set(name, begun);
    return begun;
  };

  return async (file, page, width, admit) => {
    const name = `${file.key} ${page} ${width}`;
    const known = kept.get(file.organizationId, name);
    if (known && known.until > Date.now()) return imageOf(known);
    if (!drawing.has(name)) await admit?.();
    return imageOf(await begin(name, file, page, width));
  };
}

/** Only what the page itself is the reason for is an outcome; all else is thrown, and not remembered. */
async function outcomeOf(
  store: BlobStore,
  { organizationId, key, size, contentType }: PicturedFile,
  page: number,
  width: number,
): Promise<Outcome> {
  const source = storedSource(store, key, size, organizationId);
  try {
    return {
      image: await (isPicture(contentType)
        ? shrinkImage(source, page, width)
        : renderPage(source, page, width)),
    };
  } catch (error) {
    if (!(error instanceof ChildFailed) || error.reason === 'died') throw error;
    return { costly: new TooCostly() };
  }
}

function imageOf(outcome: Outcome): PageImage | null {
  if ('costly' in outcome) throw outcome.costly;
  return outcome.image;
}
