import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PagePictures } from '../content/pictures/page-pictures.ts';
import type { BlobStore, FinishedBlob } from '../store/store.ts';
import type { SignedAddresses } from './signed-url.ts';

/** What the byte endpoints work with. */
export interface ByteService {
  store: BlobStore;
  signedUrls: SignedAddresses;
  limits: {
    /** The most that any upload may hold, whatever its address says. */
    uploadBytes: number;
    /** How long a session takes bytes, in ms. */
    reservation: number;
    /** How long a client may neither send nor take a byte before it is cut off, in ms. A minute, if unset. */
    idle?: number;
  };
  /**
   * Called once the bytes of an object are whole and safe, before the client is told so, and again whenever it asks
   * again. False when nobody waits for them (any more). A rejection makes the client ask again.
   */
  received: (key: string, blob: FinishedBlob) => Promise<boolean>;
  report: (error: unknown, requestId: string) => void;
  /** A memory of its own, if left out. */
  pictures?: PagePictures;
  /** Counts a page of this file that is to be drawn: 0, or the milliseconds until one may be drawn again. */
  countDrawing?: (call: Context, key: string) => Promise<number>;
}

/** Behind a listening server there are Node's own streams; a call in process has none. */
export interface ByteEnv {
  Bindings: Partial<HttpBindings> | undefined;
  Variables: { requestId: string };
}

export type ByteCall = Context<ByteEnv, `/${string}/:token`>;

export const IDLE = 60_000;

/** An answer that is no success. The text is meant for the client. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, publicText: string, headers: Record<string, string> = {}) {
    super(publicText);
    this.status = status;
    this.headers = headers;
  }
}

/** For what passes by itself: another request at the same object, or a database that is down. */
export const tryAgain = (publicText: string): Refusal => new Refusal(503, publicText, { 'Retry-After': '1' });
