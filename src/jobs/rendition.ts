import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import { UNEXPECTED } from '../domain/due-work/retry.ts';
import {
  claimRendition,
  failRendition,
  MAX_ATTEMPTS,
  type RenditionClaim,
  releaseRendition,
  storeRendition,
} from '../domain/renditions/rendition-claim.ts';
import { ChildFailed } from '../files/child/child-pool.ts';
import { inspectPages, OFFICE_EXTENSIONS } from '../files/content/sniff/inspect.ts';
import { NotConvertible, type OfficeConverter } from '../files/office/converter.ts';
import { bytesSource } from '../files/store/byte-source.ts';
import { StoreError, storeBytes, storedSource } from '../files/store/store.ts';
import { TryLater } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';

const LOST = 'Every attempt ended before it could say why; the server may have run out of memory.';

/** Makes the PDF of the office file that is due next; false when none is, or where office files are not converted. */
export async function renderNext(ctx: JobContext): Promise<boolean> {
  const { db, office, stopping } = ctx;
  if (!office || stopping?.aborted) return false;
  const claim = await claimRendition(db);
  if (claim) await attempt(ctx, office, claim);
  return claim !== undefined;
}

async function attempt(ctx: JobContext, office: OfficeConverter, claim: RenditionClaim): Promise<void> {
  const { db, storage, log, stopping } = ctx;
  if (claim.attempts > MAX_ATTEMPTS) return failRendition(db, claim, LOST, 0);
  try {
    await render(ctx, office, claim);
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    if (stopping?.aborted) await releaseRendition(db, claim, 0);
    else if (error instanceof NotConvertible) await failRendition(db, claim, error.message, error.retries);
    else if (error instanceof ChildFailed) await failRendition(db, claim, UNREADABLE_PDF, 1);
    else if (passes(error))
      await releaseRendition(db, claim, error instanceof TryLater ? error.retryAfter * SECOND : MINUTE);
    else await failRendition(db, claim, UNEXPECTED, MAX_ATTEMPTS);
    await storage.store.remove(claim.blobId).catch(() => {}); // the sweep removes it later
    if (!(error instanceof NotConvertible || stopping?.aborted))
      log.warn({ err: error, revisionId: claim.revisionId }, 'an office file was not converted');
  }
}

const UNREADABLE_PDF = 'The PDF that was made of it takes too long, or too much memory, to open.';

/** The converter or the storage is not there, or has no capacity: the attempt is not counted. */
const passes = (error: unknown): boolean =>
  error instanceof TryLater || (error instanceof StoreError && error.code !== 'missing');

async function render(
  { db, storage: { store }, stopping }: JobContext,
  office: OfficeConverter,
  claim: RenditionClaim,
): Promise<void> {
  const { organizationId, sourceId, size, contentType, blobId } = claim;
  const source = storedSource(store, sourceId, Number(size), organizationId);
  const extension = OFFICE_EXTENSIONS[contentType] ?? 'docx';
  const bytes = await office.convert(source, extension, stopping);
  const pageCount = await requirePages(bytes, organizationId);
  const stored = await storeBytes(store, blobId, bytes);
  const key = await storeRendition(db, claim, { ...stored, pageCount });
  if (key !== blobId) await store.remove(blobId).catch(() => {}); // the sweep removes it later
}

/** The number of pages, as PDFium reads them: what shows and seals the PDF. */
async function requirePages(bytes: Uint8Array, organizationId: string): Promise<number> {
  const { pageCount } = await inspectPages(bytesSource(bytes, organizationId));
  if (!pageCount) throw new NotConvertible('What converts it did not make a PDF with pages of it.', 0);
  return pageCount;
}
