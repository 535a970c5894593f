import { FairCache } from '../../../lib/fair-cache.ts';
import { Busy, TryLater } from '../../../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../../../lib/time.ts';
import { ChildFailed } from '../../child/child-pool.ts';
import { type BlobStore, storedSource } from '../../store/store.ts';
import { isPicture, shrinkImage } from './image-picture.ts';
import { type PageImage, renderPage } from './page-image.ts';

/** A stored file of an organization; the pages of one without a type are those of a PDF. */
interface PicturedFile {
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

/** Drawing a page exceeded the limits of time or memory. */
export class TooCostly extends TryLater {
  constructor(cause: ChildFailed) {
    super('This page takes too long, or too much memory, to draw.', RETRY_AFTER / SECOND);
    this.cause = cause;
  }
}

/** Bytes of cached pictures; an outcome without a picture counts a little, too. */
const DEFAULT_CAPACITY = 32 * 2 ** 20;
const MIN_ENTRY_SIZE = 1_024;

/** How long an outcome without a picture is cached, in ms; it is not retried meanwhile. */
const RETRY_AFTER = MINUTE;

/** Pictures of one file that are drawn or wait at a time; more are refused, so that one page of links cannot fill the queue. */
const MAX_PER_FILE = 50;

type Outcome = { image: PageImage | null } | { costly: TooCostly };

/** Draws pages, caches the last ones, and draws a page once for concurrent requests. */
export function pagePictures(store: BlobStore, capacity = DEFAULT_CAPACITY): PagePictures {
  return new CachedPictures(store, capacity).get;
}

class CachedPictures {
  readonly #store: BlobStore;
  readonly #cache: FairCache<Outcome & { until: number }>;
  readonly #drawing = new Map<string, Promise<Outcome>>();
  readonly #pendingByFile = new Map<string, number>();

  constructor(store: BlobStore, capacity: number) {
    this.#store = store;
    this.#cache = new FairCache(capacity);
  }

  readonly get: PagePictures = async (file, page, width, admit) => {
    const name = `${file.key} ${page} ${width}`;
    const cached = this.#cache.get(file.organizationId, name);
    if (cached && cached.until > Date.now()) return imageOf(cached);
    if (!this.#drawing.has(name)) await admit?.();
    return imageOf(await this.#begin(name, file, page, width));
  };

  async #begin(name: string, file: PicturedFile, page: number, width: number): Promise<Outcome> {
    if ((this.#pendingByFile.get(file.key) ?? 0) >= MAX_PER_FILE) throw new Busy();
    const pending = this.#drawing.get(name) ?? this.#draw(name, file, page, width);
    this.#drawing.set(name, pending);
    return pending;
  }

  async #draw(name: string, file: PicturedFile, page: number, width: number): Promise<Outcome> {
    this.#count(file.key, 1);
    try {
      const outcome = await outcomeOf(this.#store, file, page, width);
      const image = 'image' in outcome ? outcome.image : null;
      const until = image ? Number.POSITIVE_INFINITY : Date.now() + RETRY_AFTER;
      const size = MIN_ENTRY_SIZE + (image?.bytes.length ?? 0);
      this.#cache.set(file.organizationId, name, { ...outcome, until }, size);
      return outcome;
    } finally {
      this.#count(file.key, -1);
      this.#drawing.delete(name);
    }
  }

  #count(key: string, change: number): void {
    const pending = (this.#pendingByFile.get(key) ?? 0) + change;
    if (pending > 0) this.#pendingByFile.set(key, pending);
    else this.#pendingByFile.delete(key);
  }
}

/** Only what is caused by the page itself is an outcome; everything else is thrown, and not cached. */
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
    return { costly: new TooCostly(error) };
  }
}

function imageOf(outcome: Outcome): PageImage | null {
  if ('costly' in outcome) throw outcome.costly;
  return outcome.image;
}
