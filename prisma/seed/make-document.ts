import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createComments } from '../../src/domain/comment.ts';
import type { Context } from '../../src/domain/context.ts';
import { recycleDocuments } from '../../src/domain/document-bin.ts';
import { updateDocument } from '../../src/domain/document-change.ts';
import { receiveUpload, reserveUploads } from '../../src/domain/upload.ts';
import { confirmUploads } from '../../src/domain/upload-confirm.ts';
import { as, type Site } from './make.ts';
import type { SeedDocument } from './workspace-shape.ts';

/** Compiled code stands one folder deeper than its source; the files are not copied. */
const FILES = ['files/', '../../../prisma/seed/files/']
  .map((folder) => new URL(folder, import.meta.url))
  .find((folder, index) => index === 1 || existsSync(folder)) as URL;

/** A document as people would have made it: uploaded, revised, commented on. Gives its id. */
export async function makeDocument(
  site: Site,
  projectId: string,
  folderId: string | undefined,
  seed: SeedDocument,
): Promise<string> {
  const ctx = await as(site, seed.creator);
  const { name, tags } = seed;
  const documentId = await upload(ctx, projectId, seed.file, { name, folderId, tags: tags && [...tags] });
  if (seed.assignees)
    await updateDocument(ctx, {
      documentId,
      assigneeEmails: seed.assignees.map((person) => site.people[person].email),
    });
  for (const { file, by } of seed.revisions ?? [])
    await upload(await as(site, by), projectId, file, { name: file, documentId });
  for (const { by, text } of seed.comments ?? [])
    await createComments(await as(site, by), { documentId, texts: [text] });
  if (seed.recycledBy) await recycleDocuments(await as(site, seed.recycledBy), { documentIds: [documentId] });
  return documentId;
}

async function upload(
  ctx: Context,
  projectId: string,
  file: string,
  said: { name: string; folderId?: string; documentId?: string; tags?: string[] },
): Promise<string> {
  const [reserved] = await reserveUploads(ctx, { projectId });
  if (!reserved) throw new Error('nothing was reserved');
  const bytes = await readFile(new URL(file, FILES));
  const { store } = ctx.storage;
  await store.append(reserved.blobId, 0, chunk(bytes));
  await receiveUpload(ctx.db, reserved.blobId, await store.finish(reserved.blobId, bytes.length));
  const [document] = await confirmUploads(ctx, { files: [{ ...said, uploadId: reserved.id }] });
  return document?.id as string;
}

async function* chunk(bytes: Uint8Array) {
  yield bytes;
}
