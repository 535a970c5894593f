import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VerifyOptions, verifyFiles } from '../../../src/domain/maintenance/file-verify.ts';
import { readRate } from '../../../src/domain/maintenance/read-rate.ts';
import { findSurplusFiles } from '../../../src/domain/maintenance/stored-objects.ts';
import { reserveUploads } from '../../../src/domain/uploads/upload.ts';
import { s3Store } from '../../../src/files/store/s3.ts';
import type { BlobStore } from '../../../src/files/store/store.ts';
import { newId } from '../../../src/lib/id.ts';
import { type Ceph, hasCeph, startCeph } from '../../support/servers/ceph.ts';
import { newDocuments } from '../../support/storage.ts';
import { config, newWorld } from '../../support/world.ts';

/** An organization with three files of 40 bytes, and its store: on the disk, or another one. */
async function scene(other?: BlobStore) {
  const { db, owner, organization, project } = await newWorld();
  const own = await owner.context();
  const ctx = other ? { ...own, storage: { ...own.storage, store: other } } : own;
  const contents = [0, 1, 2].map(() => randomBytes(20).toString('hex'));
  await newDocuments(
    ctx,
    project.id,
    contents.map((content) => ({ name: `${content}.txt`, content })),
  );
  const blobs = await db.prisma.blob.findMany({
    where: { organizationId: organization.id },
    orderBy: { id: 'asc' },
  });
  const { store } = ctx.storage;
  const verify = async (more: VerifyOptions = { hashes: true }) => {
    const findings: string[] = [];
    for await (const batch of verifyFiles(db, store, { organizationId: organization.id, ...more }))
      findings.push(...batch.findings);
    return findings;
  };
  const site = { db, storage: ctx.storage, limits: config.limits };
  return { db, ctx, project, site, store, organization, blobs: blobs.map(({ id }) => id), verify };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** What holds for every store. */
function verification(open: () => ReturnType<typeof scene>) {
  it('reports nothing while each file is as its row says', async () => {
    expect(await (await open()).verify()).toEqual([]);
  });

  it('names files that are missing, of another size, of another content, and incomplete', async () => {
    const { store, organization, blobs, verify } = await open();
    const [missing, shorter, changed] = blobs as [string, string, string];
    for (const id of blobs) await store.remove(id);
    await store.append(shorter, 0, bytesOf('short'));
    await store.finish(shorter, 5);
    await store.append(changed, 0, bytesOf('x'.repeat(40)));
    const incomplete = await verify();
    expect(incomplete).toContain(`${changed} of ${organization.id}: the file is not complete`);
    await store.finish(changed, 40);
    expect(await verify()).toEqual([
      `${missing} of ${organization.id}: the file is missing`,
      `${shorter} of ${organization.id}: the file has 5 bytes instead of 40`,
      `${changed} of ${organization.id}: the content of the file has changed (SHA-256)`,
    ]);
  });
}

describe('the verification of stored files', () => {
  verification(scene);

  it('ignores a file that a sweep deletes between the row and the file', async () => {
    const { db, store, organization, blobs } = await scene();
    const [first] = blobs as [string];
    const slow = {
      ...store,
      async stat(key: string) {
        if (key !== first) return store.stat(key);
        await store.remove(key);
        await db.transact(async ({ prisma }) => {
          await prisma.document.deleteMany({ where: { organizationId: organization.id } });
          await prisma.blob.deleteMany({ where: { id: key } });
        });
        return undefined;
      },
    };
    const options = { organizationId: organization.id };
    for await (const { findings } of verifyFiles(db, slow, options)) expect(findings).toEqual([]);
  });

  it('compares contents only if they are to be read', async () => {
    const { store, blobs, verify } = await scene();
    const [changed] = blobs as [string];
    await store.remove(changed);
    await store.append(changed, 0, bytesOf('x'.repeat(40)));
    await store.finish(changed, 40);
    expect(await verify({})).toEqual([]);
    expect(await verify({ hashes: true })).toHaveLength(1);
  });

  it('continues behind a file', async () => {
    const { store, blobs, verify } = await scene();
    for (const id of blobs) await store.remove(id);
    const rest = await verify({ after: blobs[0] as string });
    expect(rest.map((line) => line.split(' ')[0])).toEqual(blobs.slice(1));
  });

  it('ends within a file when it is interrupted', async () => {
    const { blobs, verify } = await scene();
    const controller = new AbortController();
    const read: number[] = [];
    const pace = async (bytes: number) => {
      read.push(bytes);
      controller.abort(new Error('interrupted'));
    };
    const options = { hashes: true, pace, signal: controller.signal };
    await expect(verify(options)).rejects.toThrow('interrupted');
    expect(read.length).toBeLessThanOrEqual(blobs.length);
  });
});

describe('the rate of reads', () => {
  it('is that of all readers together', async () => {
    const pace = readRate(1_000);
    const begin = performance.now();
    await Promise.all([pace(40), pace(40), pace(40)]);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(115);
  });
});

async function surplus({ db, store }: Awaited<ReturnType<typeof scene>>) {
  const keys: string[] = [];
  for await (const batch of findSurplusFiles(db, store)) keys.push(...batch.surplus.map(({ key }) => key));
  return keys;
}

async function findsSurplus(world: Awaited<ReturnType<typeof scene>>): Promise<void> {
  const [finished, begun] = [newId('Blob'), newId('Blob')];
  await world.store.append(finished, 0, bytesOf('text'));
  await world.store.finish(finished, 4);
  await world.store.append(begun, 0, bytesOf('te'));
  const keys = await surplus(world);
  expect(keys).toEqual(expect.arrayContaining([finished, begun]));
  for (const id of world.blobs) expect(keys).not.toContain(id);
}

describe('the search for surplus files', () => {
  it('finds what no row names, finished or not', async () => {
    await findsSurplus(await scene());
  });

  it('does not name files of uploads in progress', async () => {
    const world = await scene();
    const [reserved] = await reserveUploads(world.ctx, { projectId: world.project.id });
    const key = reserved?.blobId as string;
    await world.store.append(key, 0, bytesOf('te'));
    expect(await surplus(world)).not.toContain(key);
  });
});

describe.runIf(hasCeph)('the verification of files in a bucket (needs the programs of Ceph)', () => {
  let ceph: Ceph;
  beforeAll(async () => {
    ceph = await startCeph();
  }, 180_000);
  afterAll(() => ceph?.stop());

  const inBucket = async () => scene(await s3Store({ ...(await ceph.bucket()), prefix: 'docgraph/' }));
  verification(inBucket);

  it('finds what no row names, finished or not', async () => {
    await findsSurplus(await inBucket());
  });
});
