import { mkdtempSync, rmSync } from 'node:fs';
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
import { memoize } from '../../src/lib/memoize.ts';
import { vault } from '../../src/lib/seal.ts';

/** Of the stores of this worker. */
const root = mkdtempSync(join(tmpdir(), 'docgraph-test-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

const openStore = async () => diskStore(await mkdtemp(join(root, 'store-')));

async function open(db: Database): Promise<Storage> {
  const secrets = await signedUrlSecrets(db);
  return {
    store: await openStore(),
    signedUrls: createSignedUrls(secrets, 'http://docgraph.test', await databaseClock(db)),
    sealer: sealer(db),
    vault: vault(secrets),
    office: 'a converter of the test',
  };
}

const storages = new WeakMap<Database['prisma'], Promise<Storage>>();

/** The blobs of a database, with its keys: a sweep removes those that it does not know. */
export const testStorage = (db: Database): Promise<Storage> => memoize(storages, db.prisma, () => open(db));

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
