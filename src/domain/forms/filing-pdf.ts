import { databaseTime, nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { storeBytes } from '../../files/store/store.ts';
import type { Upload } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { MINUTE } from '../../lib/time.ts';
import { tables } from '../kernel/tables.ts';
import { cancelUpload, receiveUpload } from '../uploads/upload.ts';
import type { FilingServices } from './filing-state.ts';

/** The submission that it is of, and the author of its document. */
interface Submitted {
  submissionId: string;
  organizationId: string;
  projectId: string;
  authorId: string;
}

export interface Pdf {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
}

/** The PDF of a submission in the store, as an upload of its author. */
export interface StoredPdf {
  upload: Upload & { size: bigint; sha256: Uint8Array<ArrayBuffer> };
  pageCount: number;
}

/** The upload has to last for what is left of an attempt. */
const MARGIN = 5 * MINUTE;

/**
 * The PDF of a submission: the one that an earlier attempt stored, or a new one. Its upload is reserved before it is drawn,
 * so that the sweep can find what a failure leaves. Undefined if another attempt has taken over.
 */
export async function storedPdf(
  services: FilingServices,
  filled: Submitted,
  draw: () => Promise<Pdf>,
): Promise<StoredPdf | undefined> {
  const { db, storage } = services;
  const found = await findStoredPdf(db, filled.submissionId);
  if (found) return found;
  await dropUpload(
    services,
    filled.submissionId,
    (uploads) => sql`(${uploads}.state <> 'RECEIVED' OR ${uploads}.expires_at <= ${nowPlus(MARGIN)})`,
  );
  const upload = await reserve(services, filled);
  if (!upload) return undefined;
  try {
    const pdf = await draw();
    return await store(services, filled, upload, pdf);
  } catch (error) {
    await cancelUpload(db, upload.blobId);
    await storage.store.remove(upload.blobId).catch(() => {}); // the sweep removes it later
    // An attempt that takes over removes the bytes, also while they are being written.
    if (await isReplaced(db, filled.submissionId, upload.id)) return undefined;
    throw error;
  }
}

/** Whether another attempt has dropped this upload, or the submission was deleted. */
async function isReplaced({ prisma }: Database, submissionId: string, uploadId: string): Promise<boolean> {
  const where = { id: submissionId, filingUploadId: uploadId };
  return (await prisma.formSubmission.count({ where })) === 0;
}

async function findStoredPdf(db: Database, submissionId: string): Promise<StoredPdf | undefined> {
  const submission = await db.prisma.formSubmission.findUnique({ where: { id: submissionId } });
  if (!submission?.filingUploadId || submission.filingPageCount === null) return undefined;
  const after = await databaseTime(db, MARGIN);
  const upload = await db.prisma.upload.findFirst({
    where: { id: submission.filingUploadId, state: 'RECEIVED', expiresAt: { gt: after } },
  });
  return upload
    ? { upload: upload as StoredPdf['upload'], pageCount: submission.filingPageCount }
    : undefined;
}

/** Claims the id of the PDF by one conditional update. */
function reserve(
  { db, limits }: FilingServices,
  { submissionId, organizationId, projectId, authorId }: Submitted,
): Promise<Upload | undefined> {
  return inTransaction(db, async (tx) => {
    const id = newId('Upload');
    const claimed =
      await tx.query(sql`UPDATE form_submissions SET filing_upload_id = ${id}, filing_page_count = NULL
      WHERE id = ${submissionId} AND document_id IS NULL AND filing_upload_id IS NULL RETURNING id`);
    if (claimed.length === 0) return undefined;
    const expiresAt = await databaseTime(tx, limits.reservation);
    const row = { organizationId, id, projectId, userId: authorId, blobId: newId('Blob'), expiresAt };
    return tx.prisma.upload.create({ data: row });
  });
}

async function store(
  { db, storage: { store } }: FilingServices,
  { submissionId }: Submitted,
  upload: Upload,
  { bytes, pageCount }: Pdf,
): Promise<StoredPdf | undefined> {
  const finished = await storeBytes(store, upload.blobId, bytes);
  const { count } = await db.prisma.formSubmission.updateMany({
    where: { id: submissionId, filingUploadId: upload.id },
    data: { filingPageCount: pageCount },
  });
  if (count > 0 && (await receiveUpload(db, upload.blobId, finished)))
    return { upload: { ...upload, size: BigInt(finished.size), sha256: finished.sha256 }, pageCount };
  await store.remove(upload.blobId).catch(() => {}); // the sweep removes it later
  return undefined;
}

/** Ends the upload of the PDF of a submission that is not filed, and removes its bytes. */
export const dropStoredPdf = (services: FilingServices, submissionId: string): Promise<void> =>
  dropUpload(services, submissionId, () => sql`true`);

async function dropUpload(
  { db, storage }: FilingServices,
  submissionId: string,
  condition: (uploads: Rows<'uploads'>) => Sql,
): Promise<void> {
  const [dropped] = await db.query<{ blobId: string }>(sql`WITH old AS MATERIALIZED (
      SELECT s.id, u.blob_id FROM form_submissions s
      JOIN ${tables.uploads.from} ON u.organization_id = s.organization_id AND u.id = s.filing_upload_id
      WHERE s.id = ${submissionId} AND s.document_id IS NULL AND ${condition(tables.uploads)} FOR UPDATE OF s
    )
    UPDATE form_submissions s SET filing_upload_id = NULL, filing_page_count = NULL FROM old
    WHERE s.id = old.id RETURNING old.blob_id`);
  if (!dropped) return;
  const isUnused = await cancelUpload(db, dropped.blobId);
  if (isUnused) await storage.store.remove(dropped.blobId).catch(() => {}); // the sweep removes it later
}
