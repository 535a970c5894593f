import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/admin/commands.ts';
import { verifyFiles } from '../../../src/domain/maintenance/file-verify.ts';
import { newDocuments } from '../../support/storage.ts';
import { config, newWorld } from '../../support/world.ts';

/** An organization with three files of 40 bytes, and its store. */
async function scene() {
  const { db, owner, organization, project } = await newWorld();
  const ctx = await owner.context();
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
  const verify = async () => {
    const findings: string[] = [];
    for await (const batch of verifyFiles(db, store, organization.id)) findings.push(...batch.findings);
    return findings;
  };
  const site = { db, storage: ctx.storage, limits: config.limits };
  return { db, site, store, organization, blobs: blobs.map(({ id }) => id), verify };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

describe('the verification of stored files', () => {
  it('reports nothing while each file is as its row says', async () => {
    expect(await (await scene()).verify()).toEqual([]);
  });

  it('names files that are missing, of another size, of another content, and incomplete', async () => {
    const { store, organization, blobs, verify } = await scene();
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
    for await (const { findings } of verifyFiles(db, slow, organization.id)) expect(findings).toEqual([]);
  });
});

describe('admin verify --files', () => {
  it('prints the number of files and their bytes', async () => {
    const { site, organization } = await scene();
    const text = await COMMANDS.verify?.run(site, { organization: organization.id, files: 'true' });
    expect(text).toContain('3 files with 120 bytes, all as stored');
  });

  it('fails when a file is missing, which verify alone does not see', async () => {
    const { site, store, organization, blobs } = await scene();
    await store.remove(blobs[0] as string);
    const verify = (more: Record<string, string>) =>
      COMMANDS.verify?.run(site, { organization: organization.id, ...more });
    await expect(verify({})).resolves.toContain('all in order');
    await expect(verify({ files: 'true' })).rejects.toThrow('1 of 3 files with 120 bytes are not as stored');
  });
});
