import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Blob, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { Document } from '../documents/document.ts';
import {
  IN_RECYCLE_BIN,
  requireDocuments,
  requireState,
  updateDocuments,
} from '../documents/document-batch.ts';
import { tag } from '../documents/document-change.ts';
import { setFieldValues } from '../fields/field-value.ts';
import { lockFolders } from '../folders/folder.ts';
import { type Actor, type NewEvent, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { ReceivedFile } from './upload-inspect.ts';

/** One file on its way to a row of revisions. */
interface Placed {
  file: ReceivedFile;
  documentId: string;
  number: number;
  blobId: string;
  /** As counted now, or of the same bytes before. */
  pageCount: number | null;
}

/**
 * Writes what these files of one project become. Gives the ids of the documents by those of the uploads. `told` is what
 * the events say beside that: whose doing it was, if not the viewer's, and where the files come from.
 */
export async function storeFiles(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  files: ReceivedFile[],
  told: { actor?: Actor; source?: Prisma.InputJsonObject } = {},
): Promise<Map<string, string>> {
  await requireFolders(ctx, tx, projectId, files);
  const revised = await requireRevised(ctx, tx, projectId, files);
  const blobs = await keepBlobs(tx, files);
  if ([...blobs.values()].some(({ pageStatus }) => pageStatus === 'PENDING')) tx.wake('pages');
  const placed = place(files, revised, blobs);
  await createDocuments(ctx, tx, projectId, placed);
  await createRevisions(ctx, tx, placed);
  await reviseDocuments(ctx, tx, placed);
  for (const { file, documentId } of placed)
    if (file.tags)
      await tag(tx, { organizationId: file.upload.organizationId, projectId, id: documentId }, file.tags);
  await setFieldValues(
    tx,
    projectId,
    placed.map(({ documentId, file }) => ({ documentId, values: file.fieldValues ?? [] })),
  );
  await claim(tx, placed);
  await tx.enqueue({ queue: 'text', data: {} });
  await recordEvents(
    told.actor ?? ctx,
    tx,
    placed.map((each) => occurrence(projectId, each, told.source)),
  );
  return new Map(placed.map(({ file, documentId }) => [file.upload.id, documentId]));
}

async function requireFolders(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  files: ReceivedFile[],
): Promise<void> {
  const wanted = [...new Set(files.flatMap(({ folderId }) => folderId ?? []))];
  const folders = wanted.length > 0 ? await lockFolders(ctx, wanted, tx) : [];
  const here = new Set(folders.filter((each) => each.projectId === projectId).map(({ id }) => id));
  for (const [index, { folderId, documentId }] of files.entries()) {
    const at = `files.${index}.folderId`;
    if (folderId && documentId) throw badInput(`${at}: a revision stays where its document is`, at);
    if (folderId && !here.has(folderId)) throw notFound('Folder', at);
  }
}

async function requireRevised(ctx: Context, tx: Transaction, projectId: string, files: ReceivedFile[]) {
  const ids = files.flatMap(({ documentId }) => documentId ?? []);
  if (ids.length === 0) return [];
  const documents = await requireDocuments(ctx, tx, ids, { projectId }, 'EDITOR');
  requireState(documents, 'ACTIVE', IN_RECYCLE_BIN);
  return documents;
}

type KeptBlob = Pick<Blob, 'id' | 'sha256' | 'pageCount' | 'pageStatus'>;

/**
 * One blob for the same bytes in an organization. The row is taken even where it is there already, so that the sweep
 * cannot remove it before this transaction refers to it; one without a number of pages that now has one is due to be
 * counted, which writes the number wherever else it is missing.
 */
async function keepBlobs(tx: Transaction, files: ReceivedFile[]): Promise<Map<string, KeptBlob>> {
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
  const healed = sql`blobs.page_count IS NULL AND excluded.page_count IS NOT NULL`;
  const kept = await tx.query<KeptBlob>(sql`
    INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, page_status)
    SELECT "organizationId", id, decode(sha256, 'hex'), size, "contentType", "pageCount", "pageStatus"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, sha256 text, size bigint,
      "contentType" text, "pageCount" int, "pageStatus" page_status)
    ON CONFLICT (organization_id, sha256) DO UPDATE SET
      page_status = CASE WHEN ${healed} THEN 'PENDING' ELSE blobs.page_status END,
      page_attempts = CASE WHEN ${healed} THEN 0 ELSE blobs.page_attempts END,
      page_next_at = CASE WHEN ${healed} THEN now() ELSE blobs.page_next_at END
    RETURNING id, sha256, page_count, page_status`);
  return new Map(kept.map((blob) => [Buffer.from(blob.sha256).toString('hex'), blob]));
}

const hex = ({ upload }: ReceivedFile): string => Buffer.from(upload.sha256).toString('hex');

/** Several files may be revisions of one document: they count on in their order. */
function place(files: ReceivedFile[], revised: Document[], blobs: Map<string, KeptBlob>): Placed[] {
  const last = new Map(revised.map(({ id, revisionNumber }) => [id, revisionNumber]));
  return files.map((file) => {
    const documentId = file.documentId ?? newId('Document');
    const number = (last.get(documentId) ?? 0) + 1;
    last.set(documentId, number);
    const blob = blobs.get(hex(file)) as KeptBlob;
    return { file, documentId, number, blobId: blob.id, pageCount: file.pageCount ?? blob.pageCount };
  });
}

const contentOf = ({ file: { upload, contentType }, pageCount }: Placed) => ({
  contentType,
  pageCount,
  size: upload.size,
});

/** The columns that documents and revisions have in common. `size` is text, as JSON has no such numbers. */
const rowOf = (ctx: Context, placed: Placed) => ({
  organizationId: placed.file.upload.organizationId,
  documentId: placed.documentId,
  name: placed.file.name,
  contentType: placed.file.contentType,
  pageCount: placed.pageCount,
  size: String(placed.file.upload.size),
  createdById: ctx.viewer.userId,
});

/** One statement: Prisma takes a second to build one for as many rows as a batch may have. */
async function createDocuments(ctx: Context, tx: Transaction, projectId: string, placed: Placed[]) {
  const created = placed.filter(({ file }) => !file.documentId);
  const rows = await mapInSlices(created, (each) => ({
    ...rowOf(ctx, each),
    folderId: each.file.folderId,
    nameKey: normalizedKey(each.file.name),
  }));
  await tx.query(sql`
    INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type,
      page_count, size, created_by_id)
    SELECT "organizationId", "documentId", ${projectId}, "folderId", name, "nameKey", 1, "contentType", "pageCount", size,
      "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, "documentId" text, "folderId" text,
      name text, "nameKey" text, "contentType" text, "pageCount" int, size bigint, "createdById" text)`);
}

async function createRevisions(ctx: Context, tx: Transaction, placed: Placed[]) {
  const rows = await mapInSlices(placed, (each) => ({
    ...rowOf(ctx, each),
    id: newId('Revision'),
    number: each.number,
    blobId: each.blobId,
  }));
  await tx.query(sql`
    INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size,
      created_by_id)
    SELECT "organizationId", id, "documentId", number, "blobId", name, "contentType", "pageCount", size, "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, "documentId" text,
      number int, "blobId" text, name text, "contentType" text, "pageCount" int, size bigint, "createdById" text)`);
}

async function reviseDocuments(ctx: Context, tx: Transaction, placed: Placed[]) {
  const newest = new Map(placed.filter(({ file }) => file.documentId).map((each) => [each.documentId, each]));
  for (const [id, each] of newest)
    await updateDocuments(ctx, tx, [id], {
      ...contentOf(each),
      revisionNumber: each.number,
    });
}

/** Each upload is taken by a conditional update, so that it can become one document only. */
async function claim(tx: Transaction, placed: Placed[]): Promise<void> {
  const rows = placed.map(({ file: { upload }, documentId, number }) => ({
    id: upload.id,
    documentId,
    number,
  }));
  const claimed = await tx.query<{ id: string }>(sql`
    UPDATE uploads u SET state = 'CONFIRMED', confirmed_at = now(), document_id = row."documentId",
      revision_number = row.number
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, "documentId" text, number int)
    WHERE u.id = row.id AND u.state = 'RECEIVED' RETURNING u.id`);
  if (claimed.length !== rows.length) throw new Error('an upload was taken while it was locked');
}

function occurrence(
  projectId: string,
  { file, documentId, number }: Placed,
  source: Prisma.InputJsonObject = {},
): NewEvent {
  const { upload, name, folderId, contentType } = file;
  const content = { revision: number, contentType, size: Number(upload.size), sha256: hex(file) };
  const { organizationId } = upload;
  return file.documentId
    ? { organizationId, projectId, subjectId: documentId, kind: 'document.revised', data: { after: content } }
    : {
        organizationId,
        projectId,
        subjectId: documentId,
        kind: 'document.created',
        data: { after: { name, folderId, ...content, ...source } },
      };
}
