import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseClock } from '../../src/db/clock.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import { sealer } from '../../src/domain/keys/seal-key.ts';
import { signedUrlSecrets } from '../../src/domain/keys/signing-key.ts';
import { receiveUpload, reserveUploads } from '../../src/domain/uploads/upload.ts';
import { confirmUploads } from '../../src/domain/uploads/upload-confirm.ts';
import { diskStore } from '../../src/files/store/disk.ts';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';
import { vault } from '../../src/lib/seal.ts';

async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return diskStore(folder);
}

let store: ReturnType<typeof openStore> | undefined;

const open = async (db: Database, blobs: ReturnType<typeof openStore>): Promise<Storage> => {
  const secrets = await signedUrlSecrets(db);
  return {
    store: await blobs,
    signedUrls: createSignedUrls(secrets, 'http://docgraph.test', await databaseClock(db)),
    sealer: sealer(db),
    vault: vault(secrets),
  };
};

const storages = new WeakMap<Database['prisma'], Promise<Storage>>();

/** This worker's own blobs, with the keys of this database. */
export function testStorage(db: Database): Promise<Storage> {
  store ??= openStore();
  const cached = storages.get(db.prisma) ?? open(db, store);
  storages.set(db.prisma, cached);
  return cached;
}

/** Gives a database blobs of its own: those that it does not know would be removed by a sweep, and its own by that of another. */
export function separateStorage(db: Database): void {
  storages.set(db.prisma, open(db, openStore()));
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Reserves an upload and sends its bytes, as the byte endpoints do; gives its id. */
export async function upload(ctx: Context, projectId: string, content: string | Uint8Array): Promise<string> {
  const [reserved] = await reserveUploads(ctx, { projectId });
  if (!reserved) throw new Error('nothing was reserved');
  const bytes = Buffer.from(content);
  const { store } = ctx.storage;
  if (bytes.length > 0) await store.append(reserved.blobId, 0, once(bytes));
  await receiveUpload(ctx.db, reserved.blobId, await store.finish(reserved.blobId, bytes.length));
  return reserved.id;
}

/** New documents of a project, one for each name; the content is the name unless given. */
export async function newDocuments(
  ctx: Context,
  projectId: string,
  files: {
    name: string;
    content?: string | Uint8Array;
    folderId?: string;
    documentId?: string;
    tags?: string[];
  }[],
) {
  const confirmed = [];
  for (const { content, ...file } of files)
    confirmed.push({ ...file, uploadId: await upload(ctx, projectId, content ?? file.name) });
  return confirmUploads(ctx, { projectId, files: confirmed });
}
