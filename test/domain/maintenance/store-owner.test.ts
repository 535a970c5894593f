import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../../src/admin/commands.ts';
import { ForeignStore, requireOwnStore } from '../../../src/domain/maintenance/store-owner.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { diskStore } from '../../../src/files/store/disk.ts';
import { put } from '../../files/store/objects.ts';
import { newDocuments } from '../../support/storage.ts';
import { config, newWorld } from '../../support/world.ts';

async function newStore() {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return diskStore(folder);
}

describe('the files of a database', () => {
  it('get it as their owner when there are none yet', async () => {
    const [{ db }, store] = [await newWorld(), await newStore()];
    await requireOwnStore(db, store);
    expect(await store.owner()).toMatch(/^jwk_/);
    await requireOwnStore(db, store);
  });

  it('are neither served nor swept by another one', async () => {
    const [{ db }, store] = [await newWorld(), await newStore()];
    const key = await put(store, Buffer.from('of another'));
    await store.own('another');
    await expect(requireOwnStore(db, store)).rejects.toThrow(ForeignStore);
    await expect(sweep(db, store)).rejects.toThrow('The stored files belong to another database.');
    expect(await store.stat(key)).toMatchObject({ finished: true });
  });

  it('without a recorded owner are its own if it knows any of them', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await owner.context();
    const [document] = await newDocuments(ctx, project.id, [{ name: `${project.id}.txt` }]);
    const { blobId } = await db.prisma.revision.findFirstOrThrow({ where: { documentId: document?.id } });
    const store = await newStore();
    await store.append(blobId, 0, await ctx.storage.store.read(blobId));
    await put(store, Buffer.from('left behind'));
    await requireOwnStore(db, store);
    expect(await store.owner()).toMatch(/^jwk_/);
  });

  it('without a recorded owner are those of another if it knows none, until the operator says otherwise', async () => {
    const { db, owner } = await newWorld();
    const { storage } = await owner.context();
    const store = await newStore();
    const key = await put(store, Buffer.from('of another'));
    await expect(sweep(db, store)).rejects.toThrow(ForeignStore);
    expect(await store.stat(key)).toMatchObject({ finished: true });
    const site = { db, storage: { ...storage, store }, limits: config.limits };
    await COMMANDS['adopt-files']?.run(site, {});
    await requireOwnStore(db, store);
    expect((await sweep(db, store)).objects).toBe(1);
  });
});
