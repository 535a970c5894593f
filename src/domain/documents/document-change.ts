import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Blob, Revision } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { changedFieldValues, fieldValues, setFieldValues, valuePath } from '../fields/field-value.ts';
import { findOrCreateTags, tagTexts } from '../fields/tag-change.ts';
import { lockFolders } from '../folders/folder.ts';
import { changes } from '../kernel/audit.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { email, name, normalizedKey, parentFolder, parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { requireVersion } from '../kernel/version.ts';
import { keepWhereLocked } from '../retention/keep-locked.ts';
import { type Document, findLabels } from './document.ts';
import {
  documentsInput,
  IN_RECYCLE_BIN,
  recordAndRead,
  requireDocument,
  requireDocuments,
  requireState,
  updateDocuments,
} from './document-batch.ts';
import { updateData } from './document-update.ts';
import { requestPageCount } from './file-pages.ts';
import { requestRenditions } from './rendition-request.ts';
import { readContents } from './revision-content.ts';

const update = z.strictObject({
  ...projectPath,
  documentId: z.string(),
  name: name.nullish(),
  assigneeEmails: z.array(email).max(100).nullish(),
  tags: tagTexts.nullish(),
  fieldValues: fieldValues.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Changes a document. Members left out, or null, stay; assigneeEmails, tags and the values of a field replace the list. */
export function updateDocument(ctx: Context, input: z.input<typeof update>): Promise<Document> {
  const { documentId, name, assigneeEmails, tags, expectedVersion, ...rest } = parse(update, input);
  const { fieldValues: given, ...path } = rest;
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireDocument(ctx, tx, documentId, path, 'changeDocuments');
    requireState([before], 'ACTIVE', IN_RECYCLE_BIN);
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name };
    const readLabels = async () =>
      tags || assigneeEmails ? (await findLabels(ctx, [documentId], tx))[0] : undefined;
    const labelsBefore = await readLabels();
    if (assigneeEmails) await assign(tx, before, assigneeEmails);
    if (tags) await tag(tx, before, tags);
    const pathOf = valuePath('fieldValues', given ?? []);
    const changed = given ? await changedFieldValues(tx, before, given, pathOf) : [];
    if (changed.length > 0)
      await keepWhereLocked(tx, before.organizationId, (documents) => sql`${documents}.id = ${documentId}`);
    await setFieldValues(tx, before.projectId, [{ documentId, values: changed, pathOf }]);
    await updateDocuments(ctx, tx, [documentId], { ...after, nameKey: normalizedKey(after.name) });
    const labelsAfter = await readLabels();
    const data = updateData({ ...before, ...labelsBefore }, { ...after, ...labelsAfter }, changed);
    return (await recordAndRead(ctx, tx, [before], 'document.updated', () => data))[0] as Document;
  });
}

async function assign(
  tx: Transaction,
  { organizationId, id: documentId }: Document,
  addresses: string[],
): Promise<void> {
  await tx.prisma.documentAssignment.deleteMany({ where: { organizationId, documentId } });
  await tx.prisma.documentAssignment.createMany({
    data: [...new Set(addresses)].map((address) => ({ organizationId, documentId, email: address })),
  });
}

/** Replaces the tags of a document. */
export async function tag(
  tx: Transaction,
  document: Pick<Document, 'organizationId' | 'projectId' | 'id'>,
  texts: string[],
): Promise<void> {
  const { organizationId, id: documentId } = document;
  await tx.prisma.documentTag.deleteMany({ where: { organizationId, documentId } });
  const tagIds = await findOrCreateTags(tx, document, texts);
  await tx.prisma.documentTag.createMany({
    data: [...tagIds.values()].map((tagId) => ({ organizationId, documentId, tagId })),
  });
}

const move = z.strictObject({ ...documentsInput, folderId: parentFolder });

/** Moves documents into a folder of their project; a folderId of null is the root. All or nothing. */
export function moveDocuments(ctx: Context, input: z.input<typeof move>): Promise<Document[]> {
  const { documentIds, folderId, ...path } = parse(move, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'changeDocuments');
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN, positionIn('documentIds', documentIds));
    const [folder] = folderId ? await lockFolders(ctx, [folderId], tx) : [];
    if (folderId && documents.some(({ projectId }) => projectId !== folder?.projectId))
      throw notFound('Folder', 'folderId');
    for (const organizationId of new Set(documents.map((each) => each.organizationId)))
      await keepWhereLocked(tx, organizationId, (rows) => sql`${rows}.id ${sql.any(documentIds)}`);
    await updateDocuments(ctx, tx, documentIds, { folderId });
    return recordAndRead(ctx, tx, documents, 'document.moved', (each) => changes(each, { folderId }));
  });
}

const revert = z.strictObject({
  ...projectPath,
  documentId: z.string(),
  number: z.int().min(1),
  expectedVersion: z.int().nullish(),
});

/** Restores an earlier revision as a new one, since revisions are immutable. Throws CONFLICT for the newest. */
export function restoreRevision(ctx: Context, input: z.input<typeof revert>): Promise<Document> {
  const { documentId, number, expectedVersion, ...path } = parse(revert, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireDocument(ctx, tx, documentId, path, 'changeDocuments');
    requireState([document], 'ACTIVE', IN_RECYCLE_BIN);
    requireVersion(document, expectedVersion);
    const { organizationId } = document;
    const old = await tx.prisma.revision.findUnique({
      where: { organizationId_documentId_number: { organizationId, documentId, number } },
    });
    if (!old) throw notFound('Revision', 'number');
    if (number === document.revisionNumber) throw conflict('This is the newest revision already.', 'number');
    const { id: _, createdAt: __, ...columns } = old;
    const content = { ...columns, pageCount: await pageCountNow(tx, old) };
    const next = document.revisionNumber + 1;
    const restored = await tx.prisma.revision.create({
      data: {
        ...content,
        id: newId('Revision'),
        number: next,
        restoredFrom: number,
        createdById: ctx.viewer.userId,
      },
    });
    await requestRenditions(ctx, tx, [restored]);
    const { contentType, pageCount, size } = content;
    await updateDocuments(ctx, tx, [documentId], {
      revisionNumber: next,
      contentType,
      pageCount,
      size,
    });
    const contentOf = async (number: number) => ({
      ...(await readContents(tx, organizationId, [{ documentId, number }])).get(documentId),
    });
    const data = { before: await contentOf(document.revisionNumber), after: await contentOf(next) };
    return (await recordAndRead(ctx, tx, [document], 'document.revised', () => data))[0] as Document;
  });
}

/** The page count of the content, which may be known since that revision; otherwise counting is requested again. */
async function pageCountNow(
  tx: Transaction,
  { blobId, pageCount }: Pick<Revision, 'blobId' | 'pageCount'>,
): Promise<number | null> {
  if (pageCount !== null) return pageCount;
  const [blob] = await tx.query<Pick<Blob, 'pageCount'>>(
    sql`SELECT page_count FROM blobs WHERE id = ${blobId} FOR SHARE`,
  );
  if (blob && blob.pageCount === null) await requestPageCount(tx, [blobId]);
  return blob?.pageCount ?? null;
}
