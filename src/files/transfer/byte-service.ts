import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PagePictures } from '../content/pictures/page-pictures.ts';
import type { BlobStore, FinishedBlob, StreamedBytes } from '../store/store.ts';
import type { ArchiveTicket, BulkTicket, SignedUrls } from './signed-url.ts';

/** Dependencies and limits of the byte endpoints. */
export interface ByteService {
  store: BlobStore;
  signedUrls: SignedUrls;
  limits: {
    /** Maximum size of any upload in bytes, whatever its signed URL allows. */
    uploadBytes: number;
    /** Lifetime of an upload session, in ms. */
    reservation: number;
    /** Time without a byte sent or received after which the connection is closed, in ms; a minute by default. */
    idle?: number;
    /** Least bytes a second of an upload, 0 or absent for none, and the ms that a sender may take in addition. */
    leastRate?: number;
    grace?: number;
  };
  /** Counts a request that receives bytes for the organization. False if that has too many of them under way. */
  mayReceive?: (call: Context, organizationId: string) => boolean;
  /**
   * Called when all bytes of an object are stored durably, before the response, and again for each repeated request.
   * Returns false when no upload is reserved for them. If it rejects, the client gets a 503 and tries again.
   */
  received: (key: string, blob: FinishedBlob) => Promise<boolean>;
  /** Ends the reservation of an upload. Returns false if it cannot end any more, as it is a document. */
  cancelled: (key: string) => Promise<boolean>;
  /** Pages of the results of a bulk operation; undefined if they are not kept any more. Without it, there are none. */
  bulkResults?: (ticket: BulkTicket) => Promise<AsyncIterable<string> | undefined>;
  /** The archive of an export; undefined if it is not served any more. Without it, there are none. */
  archive?: (ticket: ArchiveTicket) => Promise<(StreamedBytes & { filename: string }) | undefined>;
  report: (error: unknown, requestId: string) => void;
  /** Cached page pictures; a cache of its own by default. */
  pictures?: PagePictures;
  /** Rate limit for drawing pages of this file. Returns 0, or the milliseconds until the next page may be drawn. */
  countDrawing?: (call: Context, key: string) => Promise<number>;
}

/** Behind a listening server there are Node's own streams; a call in process has none. */
export interface ByteEnv {
  Bindings: Partial<HttpBindings> | undefined;
  Variables: { requestId: string };
}

export type ByteCall = Context<ByteEnv, `/${string}/:token`>;

export const IDLE = 60_000;

/** Longer than a phone takes to change its network. */
export const GRACE = 20_000;

/** An error response. The text is for the client. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, publicText: string, headers: Record<string, string> = {}) {
    super(publicText);
    this.status = status;
    this.headers = headers;
  }
}

/** 503 for temporary conditions: a concurrent request for the same object, or an unavailable database. */
export const tryAgain = (publicText: string): Refusal => new Refusal(503, publicText, { 'Retry-After': '1' });

/** What the signed URL of an upload permits. Throws Refusal. */
export async function requireUploadTicket({ signedUrls }: ByteService, call: ByteCall) {
  const ticket = await signedUrls.readUpload(call.req.param('token'));
  if (!ticket) throw new Refusal(403, 'This URL is invalid or has expired.');
  return ticket;
}
