import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Blob, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
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
  const rows = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
  const healed = sql`blobs.page_count IS NULL AND excluded.page_count IS NOT NULL`;
  const kept = await tx.query<KeptBlob>(sql`
    INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, page_status)
    VALUES ${sql.join(
      rows.map(
        ({ upload, contentType, pageCount, pageStatus }) =>
          sql`(${upload.organizationId}, ${upload.blobId}, ${upload.sha256}, ${upload.size}, ${contentType}, ${pageCount},
            ${pageStatus}::page_status)`,
      ),
    )}
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

async function createDocuments(ctx: Context, tx: Transaction, projectId: string, placed: Placed[]) {
  await tx.prisma.document.createMany({
    data: placed
      .filter(({ file }) => !file.documentId)
      .map((each) => ({
        organizationId: each.file.upload.organizationId,
        id: each.documentId,
        projectId,
        folderId: each.file.folderId,
        name: each.file.name,
        nameKey: normalizedKey(each.file.name),
        revisionNumber: 1,
        ...contentOf(each),
        createdById: ctx.viewer.userId,
      })),
  });
}

async function createRevisions(ctx: Context, tx: Transaction, placed: Placed[]) {
  await tx.prisma.revision.createMany({
    data: placed.map((each) => ({
      organizationId: each.file.upload.organizationId,
      id: newId('Revision'),
      documentId: each.documentId,
      number: each.number,
      blobId: each.blobId,
      name: each.file.name,
      ...contentOf(each),
      createdById: ctx.viewer.userId,
    })),
  });
}

async function reviseDocuments(ctx: Context, tx: Transaction, placed: Placed[]) {
  const newest = new Map(placed.filter(({ file }) => file.documentId).map((each) => [each.documentId, each]));
  for (const [id, each] of newest)
    await updateDocuments(ctx, tx, [id], {
      ...contentOf(each),
      revisionNumber: each.number,
    });
}

/** Each upload is taken by one conditional update, so that it can become one document only. */
async function claim(tx: Transaction, placed: Placed[]): Promise<void> {
  for (const { file, documentId, number } of placed) {
    const { count } = await tx.prisma.upload.updateMany({
      where: { id: file.upload.id, state: 'RECEIVED' },
      data: { state: 'CONFIRMED', confirmedAt: new Date(), documentId, revisionNumber: number },
    });
    if (count !== 1) throw new Error(`upload ${file.upload.id} was taken while it was locked`);
  }
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
