import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { claimExport, type ExportClaim } from '../../../src/domain/archive/export-claim.ts';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { type BlobStore, StoreError } from '../../../src/files/store/store.ts';
import type { JobContext } from '../../../src/jobs/context.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { chainFault } from '../../support/chain.ts';
import { jobContext } from '../../support/jobs.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';
import { readExport, runExports, started } from './exports.ts';

async function newDue() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  await runExports();
  const ctx = await owner.context();
  const documents = await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  return { ...world, ctx, documents, id: await started(owner, organization.id) };
}

const makeDue = (db: Database, id: string) =>
  db.query(sql`UPDATE organization_exports SET next_at = now() - interval '1 second' WHERE id = ${id}`);

/** Writes the next archive into a store that calls `before` when the rows were read, and their bytes come. */
async function writeWith(before: (store: BlobStore, key: string) => Promise<unknown>): Promise<JobContext> {
  const job = await jobContext();
  const { store } = job.storage;
  const append: BlobStore['append'] = async (key, offset, bytes) => {
    await before(store, key);
    return store.append(key, offset, bytes);
  };
  const ctx = { ...job, storage: { ...job.storage, store: { ...store, append } } };
  await doNext(ctx, 'export');
  return ctx;
}

describe('an export that is written', () => {
  it('is written again after something in it was purged meanwhile', async () => {
    const { db, owner, ctx, documents, id } = await newDue();
    let stored = '';
    await writeWith(async (_, key) => {
      stored = key;
      const documentIds = [documents[0]?.id as string];
      await recycleDocuments(ctx, { documentIds });
      await purgeDocuments(ctx, { documentIds });
    });
    expect(await readExport(owner, id)).toMatchObject({ state: 'QUEUED', url: null });
    expect(await (await testStorage(db)).store.stat(stored)).toBeUndefined();
    await makeDue(db, id);
    await runExports();
    expect(await readExport(owner, id)).toMatchObject({ state: 'READY', fileCount: 1 });
  });

  it('is tried again where the storage fails, and fails after five times', async () => {
    const { db, owner, organization, id } = await newDue();
    const full = async (_: BlobStore, key: string) => Promise.reject(new StoreError('full', key));
    for (let tries = 1; tries <= 5; tries++) {
      expect(await readExport(owner, id)).toMatchObject({ state: 'QUEUED' });
      await makeDue(db, id);
      await writeWith(full);
    }
    const failure = 'Something went wrong on our side; see the log of the server.';
    expect(await readExport(owner, id)).toMatchObject({ state: 'FAILED', failure, url: null });
    const event = await db.prisma.event.findFirstOrThrow({
      where: { organizationId: organization.id, kind: 'organization.exportFailed' },
    });
    expect(event.data).toEqual({ after: { exportId: id, failure } });
    expect(await chainFault(db, organization.id)).toBeUndefined();
  });

  it('ends without a trace once it is deleted meanwhile', async () => {
    const { db, id, organization } = await newDue();
    let stored = '';
    await writeWith(async (_, key) => {
      stored = key;
      await db.query(sql`DELETE FROM organization_exports WHERE id = ${id}`);
    });
    expect(await (await testStorage(db)).store.stat(stored)).toBeUndefined();
    const where = { organizationId: organization.id, kind: 'organization.exported' };
    expect(await db.prisma.event.count({ where })).toBe(0);
  });

  it('is written by another process after one that crashed, of which nothing counts that comes later', async () => {
    const { db, owner, id } = await newDue();
    const crashed = (await claimExport(db)) as ExportClaim;
    expect(await claimExport(db)).toBeUndefined();
    await makeDue(db, id);
    await runExports();
    expect(await readExport(owner, id)).toMatchObject({ state: 'READY' });
    const { blobId } = await db.prisma.organizationExport.findUniqueOrThrow({ where: { id } });
    expect(blobId).not.toBe(crashed.blobId);
  });

  it('is left to others when its process stops', async () => {
    const { db, owner, id } = await newDue();
    const stopping = new AbortController();
    const job = await jobContext();
    const { store } = job.storage;
    const append: BlobStore['append'] = async () => {
      stopping.abort();
      throw new Error('the process stops');
    };
    const storage = { ...job.storage, store: { ...store, append } };
    await doNext({ ...job, storage, stopping: stopping.signal }, 'export');
    const row = await db.prisma.organizationExport.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ state: 'QUEUED', tries: 0, blobId: null });
    await makeDue(db, id);
    await runExports();
    expect(await readExport(owner, id)).toMatchObject({ state: 'READY' });
  });
});
