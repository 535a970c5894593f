import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Blob, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { mapInSlices } from '../../lib/slices.ts';
import { toHex } from '../../lib/text/hex.ts';
import type { Document } from '../documents/document.ts';
import { requireDocuments, updateDocuments } from '../documents/document-batch.ts';
import { tag } from '../documents/document-change.ts';
import { requestRenditions } from '../documents/rendition-request.ts';
import { requireRevisable } from '../documents/revisable.ts';
import { setFieldValues, valuePath } from '../fields/field-value.ts';
import { lockFolders } from '../folders/folder.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import type { PathOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { normalizedKey } from '../kernel/input.ts';
import { watchDetails } from './revised-details.ts';
import { type NewRevision, revisionEvents } from './revision-event.ts';
import type { ReceivedFile } from './upload-inspect.ts';

interface StoreOptions {
  actor?: Actor;
  source?: Prisma.InputJsonObject;
  /** With document ids by upload id. */
  complete?: (documentIds: ReadonlyMap<string, string>) => Promise<void>;
}

/**
 * Creates the documents and revisions of these files of one project; returns document ids by upload id. `options.actor`
 * replaces the viewer in the events; `options.source` is added to their data; `options.complete` changes more of the documents
 * before the events are recorded.
 */
export async function storeFiles(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  files: ReceivedFile[],
  options: StoreOptions = {},
): Promise<Map<string, string>> {
  await requireFolders(ctx, tx, projectId, files);
  const revised = await requireRevisedDocuments(ctx, tx, projectId, files);
  const blobs = await upsertBlobs(tx, files);
  if ([...blobs.values()].some(({ pageStatus }) => pageStatus === 'PENDING')) tx.wake('pages');
  const revisions = planRevisions(files, revised, blobs);
  const detailEvents = await watchDetails(ctx, tx, projectId, revisions);
  await createDocuments(ctx, tx, projectId, revisions);
  await requestRenditions(ctx, tx, await createRevisions(ctx, tx, revisions));
  await reviseDocuments(ctx, tx, revisions);
  for (const { file, documentId } of revisions)
    if (file.tags)
      await tag(tx, { organizationId: file.upload.organizationId, projectId, id: documentId }, file.tags);
  await setFieldValues(
    tx,
    projectId,
    revisions.map(({ documentId, file: { at, fieldValues: values } }) => ({
      documentId,
      values: values ?? [],
      pathOf: valuePath(`${at}.fieldValues`, values ?? []),
    })),
  );
  tx.wake('text');
  const documentIds = new Map(revisions.map(({ file, documentId }) => [file.upload.id, documentId]));
  await options.complete?.(documentIds);
  const events = [
    ...(await revisionEvents(tx, projectId, revisions, options.source)),
    ...(await detailEvents()),
  ];
  // Sent together.
  await Promise.all([markConfirmed(tx, revisions), recordEvents(options.actor ?? ctx, tx, events)]);
  return documentIds;
}

async function requireFolders(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  files: ReceivedFile[],
): Promise<void> {
  const folderIds = [...new Set(files.flatMap(({ folderId }) => folderId ?? []))];
  const folders = folderIds.length > 0 ? await lockFolders(ctx, folderIds, tx) : [];
  const projectFolderIds = new Set(
    folders.filter((each) => each.projectId === projectId).map(({ id }) => id),
  );
  for (const { folderId, documentId, at: fileAt } of files) {
    const at = `${fileAt}.folderId`;
    if (folderId && documentId) throw badValue(at, 'a revision stays where its document is');
    if (folderId && !projectFolderIds.has(folderId)) throw notFound('Folder', at);
  }
}

async function requireRevisedDocuments(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  files: ReceivedFile[],
) {
  const ids = files.flatMap(({ documentId }) => documentId ?? []);
  if (ids.length === 0) return [];
  const pathOf: PathOf = (id) => `${files.find(({ documentId }) => documentId === id)?.at}.documentId`;
  const documents = await requireDocuments(ctx, tx, ids, { projectId }, 'uploadFiles', pathOf);
  await requireRevisable(tx, documents, pathOf);
  return documents;
}

type StoredBlob = Pick<Blob, 'id' | 'sha256' | 'pageCount' | 'pageStatus'>;

/**
 * Stores one blob per distinct content in an organization. The upsert also locks existing rows, so that the sweep cannot
 * delete them. A blob whose missing page count is now available is queued for counting, which updates its revisions.
 */
async function upsertBlobs(tx: Transaction, files: ReceivedFile[]): Promise<Map<string, StoredBlob>> {
  const distinct = new Map(files.map((file) => [hex(file), file]));
  const rows = [...distinct]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([sha256, { upload, contentType, pageCount, pageStatus }]) => ({
      organizationId: upload.organizationId,
      id: upload.blobId,
      sha256,
      size: String(upload.size),
      contentType,
      pageCount,
      pageStatus,
    }));
  const countable = sql`blobs.page_count IS NULL AND excluded.page_count IS NOT NULL`;
  const blobs = await tx.query<StoredBlob>(sql`
    INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, page_status)
    SELECT "organizationId", id, decode(sha256, 'hex'), size, "contentType", "pageCount", "pageStatus"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, sha256 text, size bigint,
      "contentType" text, "pageCount" int, "pageStatus" page_status)
    ON CONFLICT (organization_id, sha256) DO UPDATE SET
      page_status = CASE WHEN ${countable} THEN 'PENDING' ELSE blobs.page_status END,
      page_attempts = CASE WHEN ${countable} THEN 0 ELSE blobs.page_attempts END,
      page_next_at = CASE WHEN ${countable} THEN now() ELSE blobs.page_next_at END
    RETURNING id, sha256, page_count, page_status`);
  return new Map(blobs.map((blob) => [toHex(blob.sha256), blob]));
}

const hex = ({ upload }: ReceivedFile): string => toHex(upload.sha256);

/** Numbers the revisions; several files may be consecutive revisions of one document. */
function planRevisions(
  files: ReceivedFile[],
  revised: Document[],
  blobs: Map<string, StoredBlob>,
): NewRevision[] {
  const lastNumbers = new Map(revised.map(({ id, revisionNumber }) => [id, revisionNumber]));
  return files.map((file) => {
    const documentId = file.documentId ?? newId('Document');
    const number = (lastNumbers.get(documentId) ?? 0) + 1;
    lastNumbers.set(documentId, number);
    const blob = blobs.get(hex(file)) as StoredBlob;
    return { file, documentId, number, blobId: blob.id, pageCount: file.pageCount ?? blob.pageCount };
  });
}

const contentOf = ({ file: { upload, contentType }, pageCount }: NewRevision) => ({
  contentType,
  pageCount,
  size: upload.size,
});

/** The columns that documents and revisions share. `size` is text: JSON numbers cannot hold every bigint. */
const rowOf = (ctx: Context, revision: NewRevision) => ({
  organizationId: revision.file.upload.organizationId,
  documentId: revision.documentId,
  name: revision.file.name,
  contentType: revision.file.contentType,
  pageCount: revision.pageCount,
  size: String(revision.file.upload.size),
  createdById: ctx.viewer.userId,
});

/** Plain SQL: Prisma takes a second to build a statement for a full batch. */
async function createDocuments(ctx: Context, tx: Transaction, projectId: string, revisions: NewRevision[]) {
  const created = revisions.filter(({ file }) => !file.documentId);
  const rows = await mapInSlices(created, (each) => ({
    ...rowOf(ctx, each),
    folderId: each.file.folderId,
    nameKey: normalizedKey(each.file.name),
  }));
  await tx.defer(sql`
    INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type,
      page_count, size, created_by_id)
    SELECT "organizationId", "documentId", ${projectId}, "folderId", name, "nameKey", 1, "contentType", "pageCount", size,
      "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, "documentId" text, "folderId" text,
      name text, "nameKey" text, "contentType" text, "pageCount" int, size bigint, "createdById" text)`);
}

async function createRevisions(ctx: Context, tx: Transaction, revisions: NewRevision[]) {
  const rows = await mapInSlices(revisions, (each) => ({
    ...rowOf(ctx, each),
    id: newId('Revision'),
    number: each.number,
    blobId: each.blobId,
  }));
  await tx.defer(sql`
    INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size,
      created_by_id)
    SELECT "organizationId", id, "documentId", number, "blobId", name, "contentType", "pageCount", size, "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, "documentId" text,
      number int, "blobId" text, name text, "contentType" text, "pageCount" int, size bigint, "createdById" text)`);
  return rows;
}

async function reviseDocuments(ctx: Context, tx: Transaction, revisions: NewRevision[]) {
  const newest = new Map(
    revisions.filter(({ file }) => file.documentId).map((each) => [each.documentId, each]),
  );
  for (const [id, each] of newest)
    await updateDocuments(ctx, tx, [id], {
      ...contentOf(each),
      revisionNumber: each.number,
    });
}

/** A conditional update, so that each upload becomes one document only. */
async function markConfirmed(tx: Transaction, revisions: NewRevision[]): Promise<void> {
  const rows = revisions.map(({ file: { upload }, documentId, number }) => ({
    id: upload.id,
    documentId,
    number,
  }));
  const confirmed = await tx.query(sql`
    UPDATE uploads u SET state = 'CONFIRMED', confirmed_at = now(), document_id = row."documentId",
      revision_number = row.number
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, "documentId" text, number int)
    WHERE u.id = row.id AND u.state = 'RECEIVED' RETURNING u.id`);
  if (confirmed.length !== rows.length) throw new Error('an upload was taken while it was locked');
}
