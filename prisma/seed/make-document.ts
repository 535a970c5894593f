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

/** Compiled code stands one folder deeper than its source; the files are not copied. */
const FILES = ['files/', '../../../prisma/seed/files/']
  .map((folder) => new URL(folder, import.meta.url))
  .find((folder, index) => index === 1 || existsSync(folder)) as URL;

/** Documents as people would have made them: uploaded, revised, commented on. Gives their ids by their names. */
export async function makeDocuments(
  site: SeedSite,
  projectId: string,
  folders: Map<string, string>,
  seeds: readonly SeedDocument[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const creator of new Set(seeds.map((seed) => seed.creator))) {
    const own = seeds.filter((seed) => seed.creator === creator);
    const made = await upload(
      await actAs(site, creator),
      projectId,
      own.map(({ file, name, folder, tags }) => {
        return { file, name, folderId: folders.get(folder), tags: tags && [...tags] };
      }),
    );
    for (const [index, { name }] of own.entries()) ids.set(name, made[index] as string);
  }
  await forEachConcurrently(seeds, (seed) =>
    editDocument(site, projectId, ids.get(seed.name) as string, seed),
  );
  return ids;
}

const CONCURRENCY = 4;

/** Begun in their order: while a file is written, or its pages are counted, others have the database. */
async function forEachConcurrently<T>(
  things: readonly T[],
  make: (thing: T) => Promise<void>,
): Promise<void> {
  const left = things.values();
  const next = async () => {
    for (const each of left) await make(each);
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

/** Gives the ids of the documents. */
async function upload(ctx: Context, projectId: string, sent: readonly SeedUpload[]): Promise<string[]> {
  const reserved = await reserveUploads(ctx, { projectId, count: sent.length });
  const files = await Promise.all(
    reserved.map(async ({ id, blobId }, index) => {
      const { file, ...said } = sent[index] as SeedUpload;
      const bytes = await readFile(new URL(file, FILES));
      const { store } = ctx.storage;
      await store.append(blobId, 0, singleChunk(bytes));
      await receiveUpload(ctx.db, blobId, await store.finish(blobId, bytes.length));
      return { ...said, uploadId: id };
    }),
  );
  return (await confirmUploads(ctx, { files })).map(({ id }) => id);
}

async function* singleChunk(bytes: Uint8Array) {
  yield bytes;
}
