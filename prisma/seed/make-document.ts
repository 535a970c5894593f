import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createComments } from '../../src/domain/comments/comment.ts';
import { recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { updateDocument } from '../../src/domain/documents/document-change.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { receiveUpload, reserveUploads } from '../../src/domain/uploads/upload.ts';
import { confirmUploads } from '../../src/domain/uploads/upload-confirm.ts';
import { actAs, type SeedSite } from './site.ts';
import type { SeedDocument } from './workspace-shape.ts';

/** Compiled code is one folder deeper than its source; the files are not copied. */
const FILES = ['files/', '../../../prisma/seed/files/']
  .map((folder) => new URL(folder, import.meta.url))
  .find((folder, index) => index === 1 || existsSync(folder)) as URL;

/** Creates documents as people would: uploaded, revised, commented on. Returns their ids by name. */
export async function makeDocuments(
  site: SeedSite,
  projectId: string,
  folders: Map<string, string>,
  seeds: readonly SeedDocument[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const creator of new Set(seeds.map((seed) => seed.creator))) {
    const ofCreator = seeds.filter((seed) => seed.creator === creator);
    const documentIds = await upload(
      await actAs(site, creator),
      projectId,
      ofCreator.map(({ file, name, folder, tags }) => {
        return { file, name, folderId: folders.get(folder), tags: tags && [...tags] };
      }),
    );
    for (const [index, { name }] of ofCreator.entries()) ids.set(name, documentIds[index] as string);
  }
  await forEachConcurrently(seeds, (seed) =>
    editDocument(site, projectId, ids.get(seed.name) as string, seed),
  );
  return ids;
}

const CONCURRENCY = 4;

/** Runs CONCURRENCY calls at a time, started in order: file work of one overlaps with database work of others. */
async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const next = async () => {
    for (const each of iterator) await work(each);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}

async function editDocument(
  site: SeedSite,
  projectId: string,
  documentId: string,
  seed: SeedDocument,
): Promise<void> {
  if (seed.assignees)
    await updateDocument(await actAs(site, seed.creator), {
      documentId,
      assigneeEmails: seed.assignees.map((person) => site.people[person].email),
    });
  for (const { file, by } of seed.revisions ?? [])
    await upload(await actAs(site, by), projectId, [{ file, name: file, documentId }]);
  for (const { by, text } of seed.comments ?? [])
    await createComments(await actAs(site, by), { documentId, texts: [text] });
  if (seed.recycledBy)
    await recycleDocuments(await actAs(site, seed.recycledBy), { documentIds: [documentId] });
}

interface SeedUpload {
  /** A name in prisma/seed/files. */
  file: string;
  name: string;
  folderId?: string;
  documentId?: string;
  tags?: string[];
}

/** Uploads and confirms files. Returns the ids of their documents. */
async function upload(ctx: Context, projectId: string, uploads: readonly SeedUpload[]): Promise<string[]> {
  const reserved = await reserveUploads(ctx, { projectId, count: uploads.length });
  const files = await Promise.all(
    reserved.map(async ({ id, blobId }, index) => {
      const { file, ...properties } = uploads[index] as SeedUpload;
      const bytes = await readFile(new URL(file, FILES));
      const { store } = ctx.storage;
      await store.append(blobId, 0, singleChunk(bytes));
      await receiveUpload(ctx.db, blobId, await store.finish(blobId, bytes.length));
      return { ...properties, uploadId: id };
    }),
  );
  return (await confirmUploads(ctx, { files })).map(({ id }) => id);
}

async function* singleChunk(bytes: Uint8Array) {
  yield bytes;
}
