import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { storeBytes, storedSource } from '../../files/store/store.ts';
import { newId } from '../../lib/id.ts';
import { memoize } from '../../lib/memoize.ts';
import { toHex } from '../../lib/text/hex.ts';
import { MINUTE } from '../../lib/time.ts';
import { NotSealable } from '../../pdf/copy/not-sealable.ts';
import { type ActiveContent, makeSigningCopy } from '../../pdf/copy/signing-copy.ts';
import type { Document } from '../documents/document.ts';
import { withPageCount } from '../documents/pending-pages.ts';
import type { Context, Storage } from '../kernel/context.ts';
import { badValue, conflict } from '../kernel/errors.ts';

/** The stored copy of a revision on which a session is to begin; `uploadId` reserves it until then. */
export interface StoredCopy {
  revisionId: string;
  uploadId: string;
  blobId: string;
  sha256: Uint8Array<ArrayBuffer>;
  size: number;
  pageCount: number;
  removed: ActiveContent[];
}

/** Thrown in a transaction that needs the copy of this revision, which is written outside of it. */
class CopyMissing extends Error {
  constructor(readonly revision: CopiedRevision) {
    super('the copy of a revision is missing');
  }
}

interface CopiedRevision {
  organizationId: string;
  projectId: string;
  revisionId: string;
  blobId: string;
  size: bigint;
}

/** Revisions that may be added one after the other while copies are written. */
const MAX_TRIES = 3;

/**
 * Runs a command that begins a session, first without a copy, so that it checks all else before one is written. Throws
 * BAD_USER_INPUT with the reason for a PDF that cannot be sealed, and CONFLICT for one that is revised all the time.
 */
export async function withSigningCopy<Result>(
  ctx: Context,
  run: (copy: StoredCopy | undefined) => Promise<Result>,
): Promise<Result> {
  let copy: StoredCopy | undefined;
  for (let tries = 0; tries <= MAX_TRIES; tries++) {
    try {
      return await withPageCount(ctx, () => run(copy));
    } catch (error) {
      if (!(error instanceof CopyMissing)) throw error;
      copy = await copyOf(ctx, error.revision);
    }
  }
  throw conflict('The document was revised while its signing began. Begin again.');
}

/**
 * The columns of a session that begins on the newest revision, and what its event says of them; none but for a PDF, also of an
 * office file.
 * Throws CopyMissing unless `copy` is that of this revision.
 */
export async function claimCopy(
  tx: Transaction,
  { organizationId, projectId, contentType }: Document,
  revisionId: string,
  copy: StoredCopy | undefined,
) {
  if (contentType !== 'application/pdf') return { columns: {}, data: {} };
  const isReserved =
    copy?.revisionId === revisionId &&
    (await tx.prisma.upload.deleteMany({ where: { id: copy.uploadId } })).count > 0;
  if (!isReserved) {
    const { blobId, size } = await copiedFile(tx, revisionId);
    throw new CopyMissing({ organizationId, projectId, revisionId, blobId, size });
  }
  const { renditionSha256 } = await copiedFile(tx, revisionId);
  const { sha256, size, removed } = copy;
  // The update of an equal file locks it against the sweep.
  const [blob] = await tx.query<{ id: string }>(sql`
    INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count)
    VALUES (${organizationId}, ${copy.blobId}, ${sha256}, ${size}, 'application/pdf', ${copy.pageCount})
    ON CONFLICT (organization_id, sha256) DO UPDATE SET size = excluded.size RETURNING id`);
  tx.wake('text');
  return {
    columns: { copyBlobId: blob?.id as string, copySha256: sha256, sealRemoved: removed, renditionSha256 },
    data: {
      copy: { sha256: toHex(sha256), size, ...(removed.length > 0 && { removed }) },
      ...(renditionSha256 && { rendition: { sha256: toHex(renditionSha256) } }),
    },
  };
}

/** The PDF of a revision: the rendition of an office file, else its own file, which has no `renditionSha256`. */
async function copiedFile(tx: Transaction, revisionId: string) {
  const [file] = await tx.query<{
    blobId: string;
    size: bigint;
    renditionSha256: Uint8Array<ArrayBuffer> | null;
  }>(sql`
    SELECT b.id AS blob_id, b.size, x.sha256 AS rendition_sha256 FROM revisions v
    LEFT JOIN renditions x ON x.organization_id = v.organization_id AND x.revision_id = v.id AND x.state = 'READY'
    JOIN blobs b ON b.organization_id = v.organization_id AND b.id = coalesce(x.blob_id, v.blob_id)
    WHERE v.id = ${revisionId}`);
  if (!file) throw new Error(`revision ${revisionId} has no file`);
  return file;
}

/** Milliseconds for which a copy waits for the request that needs it to be sent again. */
const KEPT = 10 * MINUTE;

const copies = new WeakMap<Storage, Map<string, Promise<StoredCopy>>>();

/**
 * The copy of a revision, which is written once for all requests that need it. One that has taken longer than its request may
 * is found when the request is sent again.
 */
async function copyOf(ctx: Context, revision: CopiedRevision): Promise<StoredCopy> {
  const kept = memoize(copies, ctx.storage, () => new Map());
  const { revisionId } = revision;
  const earlier = kept.get(revisionId);
  if (earlier) {
    const copy = await earlier.catch(() => undefined);
    if (copy && (await isStillReserved(ctx, copy))) return copy;
    // Another request may have begun to write it meanwhile.
    if (kept.get(revisionId) === earlier) kept.delete(revisionId);
    return copyOf(ctx, revision);
  }
  const written = storeCopy(ctx, revision);
  const forget = () => kept.get(revisionId) === written && kept.delete(revisionId);
  kept.set(revisionId, written);
  written.then(() => setTimeout(forget, KEPT).unref(), forget);
  return written;
}

const isStillReserved = async ({ db }: Context, { uploadId }: StoredCopy): Promise<boolean> =>
  (await db.prisma.upload.count({ where: { id: uploadId } })) > 0;

/**
 * Writes the copy, and stores it under a reservation: without one, the sweep would remove it before the session begins. It
 * goes on when its caller has left.
 */
async function storeCopy(
  { db, storage: { store }, limits, viewer }: Context,
  { organizationId, projectId, revisionId, ...file }: CopiedRevision,
): Promise<StoredCopy> {
  const { bytes, pageCount, removed } = await makeSigningCopy(
    storedSource(store, file.blobId, Number(file.size), organizationId),
  ).catch(refuse);
  const [uploadId, blobId] = [newId('Upload'), newId('Blob')];
  await db.transact(async (session) => {
    const expiresAt = await databaseTime(session, limits.reservation);
    const reservation = { organizationId, id: uploadId, projectId, userId: viewer.userId, blobId, expiresAt };
    await session.prisma.upload.create({ data: reservation });
  });
  const { sha256, size } = await storeBytes(store, blobId, bytes);
  return { revisionId, uploadId, blobId, sha256, size, pageCount, removed };
}

function refuse(error: unknown): never {
  if (error instanceof NotSealable) throw badValue('documentId', error.message);
  throw error;
}
