import { toHex } from '../../lib/text/hex.ts';
import type { BlobStore, FinishedBlob } from '../store/store.ts';
import {
  type ByteCall,
  type ByteService,
  GRACE,
  IDLE,
  Refusal,
  requireUploadTicket,
  tryAgain,
} from './byte-service.ts';
import { parseUploadRange, type UploadRange } from './content-range.ts';
import type { FairIntake } from './fair-intake.ts';
import { digest, requestBytes, skip } from './request-bytes.ts';
import type { UploadTicket } from './signed-url.ts';

const EMPTY = { 'Content-Length': '0' };

/** What a request contains: a chunk or a status query (with Content-Range), or the complete file (without). */
interface Delivery {
  key: string;
  /** Maximum size of the object, in bytes. */
  limit: number;
  range: UploadRange | undefined;
  /** The body, up to `limit` bytes. Throws `tooMany` beyond them. */
  bytes: (limit: number, tooMany: Refusal) => AsyncIterable<Uint8Array>;
  /** Passes bytes of this upload on in its organization's share of the main thread. */
  pace: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/**
 * The resumable protocol (contract, "Upload"). A start answers 200 with the URL of a session. Pieces, status queries and
 * whole files are answered with 308 and the stored `Range` until the upload is complete, then with 200.
 */
export async function upload(service: ByteService, intake: FairIntake, call: ByteCall): Promise<Response> {
  const ticket = await requireUploadTicket(service, call);
  const { key, organizationId = key } = ticket;
  if (service.mayReceive?.(call, organizationId) === false)
    throw tryAgain('Too many uploads of your organization are under way. Retry.');
  if (call.req.header('x-goog-resumable') !== undefined) return start(service, call, ticket);
  const delivery = readDelivery(service, intake, call, ticket);
  const { size, complete, blob } = await deliver(service.store, delivery);
  if (complete) return record(service, call, key, blob ?? (await service.store.finish(key, size)));
  return call.body(null, 308, { ...EMPTY, ...(size > 0 && { Range: `bytes=0-${size - 1}` }) });
}

/** Starts a session. Discards the bytes of an earlier attempt, which may be of another file. */
async function start(
  { store, signedUrls, limits }: ByteService,
  call: ByteCall,
  ticket: Ticket,
): Promise<Response> {
  if (ticket.session) throw new Refusal(400, 'This URL is already a session. Send the bytes to it.');
  if (call.req.header('x-goog-resumable')?.toLowerCase() !== 'start')
    throw new Refusal(400, 'x-goog-resumable must be "start" or absent.');
  await store.discard(ticket.key);
  const Location = await signedUrls.uploadSession(ticket, limits.reservation);
  return call.body(null, 200, { ...EMPTY, Location });
}

type Ticket = UploadTicket & { session: boolean };

/** Checks the headers before the body is read. Throws Refusal. */
function readDelivery({ limits }: ByteService, intake: FairIntake, call: ByteCall, ticket: Ticket): Delivery {
  const { key, maxSize, organizationId = key } = ticket;
  requirePlainBody(call);
  const limit = Math.min(maxSize, limits.uploadBytes);
  const length = Number(call.req.header('content-length') ?? Number.NaN);
  const range = readRange(call.req.header('content-range'), length);
  const end = range ? Math.max(range.total ?? 0, range.piece ? range.end : 0) : length;
  if (end > limit) throw tooLarge(limit);
  const { idle = IDLE, leastRate = 0, grace = GRACE } = limits;
  return {
    key,
    limit,
    range,
    bytes: (maxBytes, tooMany) => requestBytes(call, { idle, leastRate, grace }, maxBytes, tooMany),
    pace: (bytes) => intake.pace(organizationId, bytes),
  };
}

function requirePlainBody(call: ByteCall): void {
  const codings = [call.req.header('content-encoding'), call.req.header('transfer-encoding')]
    .join()
    .toLowerCase();
  const coded = codings.split(',').some((coding) => !['', 'identity', 'chunked'].includes(coding.trim()));
  if (coded) throw new Refusal(415, 'Send the bytes of the file without compression.');
  if (/^\s*multipart\/form-data/i.test(call.req.header('content-type') ?? ''))
    throw new Refusal(415, 'Send only the bytes of the file as the body, not a form.');
}

/** `length` is NaN without a Content-Length. */
function readRange(header: string | undefined, length: number): UploadRange | undefined {
  if (header === undefined) return undefined;
  const range = parseUploadRange(header);
  if (!range) throw new Refusal(400, 'Content-Range must be such as "bytes 0-1048575/*" or "bytes */2048".');
  if (!range.piece) return range;
  // The last request of some clients, after the whole file was sent (contract, "Chunked").
  if (length === 0 && range.end === 1) return { piece: false, total: range.total };
  if (!Number.isNaN(length) && length !== range.end - range.start)
    throw new Refusal(400, 'Content-Length and Content-Range have different numbers of bytes.');
  return range;
}

const tooLarge = (limit: number) => new Refusal(413, `An upload to this URL has at most ${limit} bytes.`);

/** `complete`: `size` is the total that the client announced; `blob`: the object, once it is finished. */
interface Delivered {
  size: number;
  complete: boolean;
  blob?: FinishedBlob;
}

/** Stores the bytes of the request. */
async function deliver(store: BlobStore, delivery: Delivery): Promise<Delivered> {
  const { key, range } = delivery;
  const stored = await store.stat(key);
  const { size = 0, finished = false } = stored ?? {};
  if (range?.total !== undefined && (finished ? range.total !== size : range.total < size))
    throw new Refusal(400, `Content-Range has a wrong total: ${size} bytes are stored.`);
  if (finished) {
    await compare(store, delivery, size);
    return { size, complete: true };
  }
  if (!range) {
    if (stored) await store.discard(key);
    const bytes = delivery.pace(delivery.bytes(delivery.limit, tooLarge(delivery.limit)));
    const blob = await unlessTooMany(store, key, store.write(key, bytes));
    return { size: blob.size, complete: true, blob };
  }
  const newSize = range.piece ? await add(store, delivery, range, size) : size;
  return { size: newSize, complete: newSize === range.total };
}

/** A repeated request for a finished object succeeds only with identical bytes. */
async function compare(store: BlobStore, { key, range, bytes, pace }: Delivery, size: number): Promise<void> {
  if (range && !range.piece) return;
  const { start, end } = range ?? { start: 0, end: size };
  if (end > size) throw otherBytes();
  const sent = await digest(pace(bytes(end - start, otherBytes())));
  if (!range && sent.size < size) throw otherBytes();
  if (sent.size === 0) return;
  const stored = await digest(pace(await store.read(key, { start, end: start + sent.size - 1 })));
  if (sent.sha256 !== stored.sha256) throw otherBytes();
}

const otherBytes = () =>
  new Refusal(409, 'The upload to this URL was finished with other bytes, and cannot change any more.');

/** Appends the part of the chunk that is not stored yet. A chunk that would leave a gap is ignored. */
async function add(
  store: BlobStore,
  { key, bytes, pace }: Delivery,
  { start, end }: { start: number; end: number },
  size: number,
): Promise<number> {
  if (start > size || end <= size) return size;
  const tooMany = new Refusal(400, 'The body is longer than Content-Range.');
  const sent = bytes(end - start, tooMany);
  const added = pace(size > start ? skip(sent, size - start) : sent);
  return unlessTooMany(store, key, store.append(key, size, added));
}

/** Discards the object when the body is longer than announced. After a broken connection (408), its bytes stay. */
async function unlessTooMany<Result>(
  store: BlobStore,
  key: string,
  written: Promise<Result>,
): Promise<Result> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof Refusal && error.status !== 408) await store.discard(key);
    throw error;
  }
}

async function record(
  service: ByteService,
  call: ByteCall,
  key: string,
  blob: FinishedBlob,
): Promise<Response> {
  const expected = await service.received(key, blob).catch((error) => {
    service.report(error, call.get('requestId'));
    throw tryAgain('The bytes are stored, but the upload could not be recorded. Retry.');
  });
  if (!expected) throw new Refusal(410, 'This upload is not reserved any more. Reserve another one.');
  return call.json({ size: blob.size, sha256: toHex(blob.sha256) });
}
