import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../documents/document.ts';
import { findDocuments } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { requireUploads, type Upload } from './upload.ts';
import { catchUp, inspect, requireReceived, uploadedFile } from './upload-inspect.ts';
import { storeFiles } from './upload-store.ts';

const confirmation = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  files: z.array(uploadedFile),
});

/**
 * Makes documents of uploaded files: all or none. A file with a documentId becomes that document's next revision.
 * Each upload counts once: whoever confirms it again gets the document it became, as that now is.
 * Throws BAD_USER_INPUT when the bytes have another size or SHA-256 than said, CONFLICT when they have not arrived, or
 * came too late, NOT_FOUND for uploads of other people.
 */
export async function confirmUploads(ctx: Context, input: z.input<typeof confirmation>): Promise<Document[]> {
  const { files, ...within } = parse(confirmation, input);
  requireBatchSize(files, ctx.limits.batchMax, 'files');
  const ids = files.map(({ uploadId }) => uploadId);
  if (new Set(ids).size < ids.length) throw badInput('files: an upload is named twice', 'files');
  if (within.projectId) await requireProject(ctx, ctx.db, within.projectId, 'EDITOR', within.organizationId);
  await catchUp(ctx, await requireUploads(ctx, ctx.db, ids, ''));
  const inspected = await inspect(ctx, files, await requireUploads(ctx, ctx.db, ids, ''));
  return inTransaction(ctx.db, async (tx) => {
    const uploads = await requireUploads(ctx, tx, ids, 'FOR UPDATE');
    const projectId = await requirePlace(ctx, tx, uploads, within);
    const open = inspected.filter((_, index) => uploads[index]?.state !== 'CONFIRMED');
    uploads.forEach(requireReceived);
    const known = uploads.flatMap(({ documentId }) => documentId ?? []);
    const stored = open.length > 0 ? await storeFiles(ctx, tx, projectId, open) : new Map<string, string>();
    const documents = await findDocuments(ctx, [...known, ...stored.values()], tx);
    const wanted = uploads.map(({ id, documentId }) => ({ id: documentId ?? (stored.get(id) as string) }));
    if (wanted.some(({ id }) => !documents.some((document) => document.id === id)))
      throw notFound('Document');
    return inOrderOf(documents, wanted);
  });
}

/** The one project of all these uploads, in which the viewer may write. */
async function requirePlace(
  ctx: Context,
  tx: Transaction,
  uploads: Upload[],
  within: { organizationId?: string | null; projectId?: string | null },
): Promise<string> {
  const [first] = uploads as [Upload];
  const elsewhere = uploads.findIndex(({ projectId }) => projectId !== (within.projectId ?? first.projectId));
  if (elsewhere >= 0) throw notFound('Upload', `files.${elsewhere}.uploadId`);
  await requireProject(ctx, tx, first.projectId, 'EDITOR', within.organizationId);
  return first.projectId;
}
