import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../documents/document.ts';
import { findDocuments } from '../documents/document.ts';
import { requireDistinct } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { restoreLostObjects } from './lost-object.ts';
import { requireUploads, type Upload } from './upload.ts';
import { inspectUploads, recordFinishedUploads, requireReceived, uploadedFile } from './upload-inspect.ts';
import { storeFiles } from './upload-store.ts';

const confirmation = z.strictObject({
  ...projectPath,
  files: z.array(uploadedFile),
});

/**
 * Creates documents from uploads, all or none, or the next revision of documentId. A repeated confirmation returns the
 * current document. Throws BAD_USER_INPUT for another size or SHA-256 than declared, CONFLICT for incomplete or expired
 * uploads and for a document that is being signed, NOT_FOUND for uploads of other users.
 */
export async function confirmUploads(ctx: Context, input: z.input<typeof confirmation>): Promise<Document[]> {
  const { files, ...path } = parse(confirmation, input);
  requireBatchSize(files, ctx.limits.batchMax, 'files');
  const ids = files.map(({ uploadId }) => uploadId);
  requireDistinct(ids, (index) => `files.${index}.uploadId`, 'an upload is named twice');
  let uploads = await readUploads(ctx, path, ids);
  if (await recordFinishedUploads(ctx, uploads)) uploads = await requireUploads(ctx, ctx.db, ids, '');
  const inspected = await inspectUploads(ctx, files, uploads);
  await restoreLostObjects(ctx, inspected);
  const projectId = requireSameProject(uploads, path);
  return inTransaction(ctx.db, async (tx) => {
    const [locked] = await Promise.all([
      requireUploads(ctx, tx, ids, 'FOR UPDATE'),
      requireProject(ctx, tx, projectId, 'uploadFiles', path.organizationId),
    ]);
    const unconfirmed = inspected.filter((_, index) => locked[index]?.state !== 'CONFIRMED');
    locked.forEach(requireReceived);
    const confirmedIds = locked.flatMap(({ documentId }) => documentId ?? []);
    const stored =
      unconfirmed.length > 0 ? await storeFiles(ctx, tx, projectId, unconfirmed) : new Map<string, string>();
    const documents = await findDocuments(ctx, [...confirmedIds, ...stored.values()], tx);
    const results = locked.map(({ id, documentId }) => ({ id: documentId ?? (stored.get(id) as string) }));
    if (results.some(({ id }) => !documents.some((document) => document.id === id)))
      throw notFound('Document');
    return inOrderOf(documents, results);
  });
}

/** Reads the uploads, and checks the project beside that: whoever may not see it learns nothing else. */
async function readUploads(ctx: Context, path: ProjectPath, ids: readonly string[]): Promise<Upload[]> {
  const { pipelined } = ctx.db;
  const reading = requireUploads(ctx, pipelined, ids, '');
  reading.catch(() => {});
  if (path.projectId)
    await requireProject(ctx, pipelined, path.projectId, 'uploadFiles', path.organizationId);
  return reading;
}

/** Returns the project that all uploads belong to, which never changes. */
function requireSameProject(uploads: readonly Upload[], path: ProjectPath): string {
  const [first] = uploads as [Upload];
  const otherIndex = uploads.findIndex(({ projectId }) => projectId !== (path.projectId ?? first.projectId));
  if (otherIndex >= 0) throw notFound('Upload', `files.${otherIndex}.uploadId`);
  return first.projectId;
}
