import { describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { newId } from '../../../src/lib/id.ts';
import { newDocuments, upload } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

const blobOf = async (ctx: Awaited<ReturnType<typeof setUp>>['ctx'], documentId: string | undefined) =>
  (await ctx.db.prisma.revision.findFirstOrThrow({ where: { documentId } })).blobId;

async function setUp() {
  const { db, owner, project } = await newWorld();
  const ctx = await owner.context();
  return { db, ctx, project, store: ctx.storage.store };
}

describe('the sweep', () => {
  it('removes expired reservations with their bytes, and keeps the others', async () => {
    const { db, ctx, project, store } = await setUp();
    const [expiredId, open] = [await upload(ctx, project.id, 'late'), await upload(ctx, project.id, 'open')];
    const expired = await db.prisma.upload.update({
      where: { id: expiredId },
      data: { createdAt: new Date(0), expiresAt: new Date(1) },
    });
    const waiting = await db.prisma.upload.findUniqueOrThrow({ where: { id: open } });
    await sweep(db, store);
    expect(await store.stat(expired.blobId)).toBeUndefined();
    expect(await store.stat(waiting.blobId)).toMatchObject({ finished: true });
    expect((await db.prisma.upload.findUniqueOrThrow({ where: { id: expiredId } })).state).toBe('EXPIRED');
  });

  it('purges documents after their purge date, except under legal hold, and records events', async () => {
    const { db, ctx, project, store } = await setUp();
    const [due, underHold, waiting] = await newDocuments(ctx, project.id, [
      { name: 'due' },
      { name: 'held' },
      { name: 'waiting' },
    ]);
    const documentIds = [due?.id, underHold?.id, waiting?.id] as string[];
    await recycleDocuments(ctx, { documentIds });
    await db.prisma.document.updateMany({
      where: { id: { in: documentIds.slice(0, 2) } },
      data: { purgeAt: new Date(1) },
    });
    await db.prisma.document.update({ where: { id: underHold?.id }, data: { legalHold: true } });
    await sweep(db, store);
    const remaining = await db.prisma.document.findMany({
      where: { id: { in: documentIds } },
      orderBy: { id: 'asc' },
    });
    expect(remaining.map(({ name }) => name)).toEqual(['held', 'waiting']);
    const event = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: due?.id, kind: 'document.purged' },
    });
    expect(event).toMatchObject({ actorId: null, data: { before: { name: 'due' } } });
  });

  it('removes the bytes of purged documents unless another revision has them', async () => {
    const { db, ctx, project, store } = await setUp();
    const [unshared, shared, twin] = await newDocuments(ctx, project.id, [
      { name: 'alone', content: `alone ${project.id}` },
      { name: 'shared', content: `shared ${project.id}` },
      { name: 'twin', content: `shared ${project.id}` },
    ]);
    const [removed, stays] = [await blobOf(ctx, unshared?.id), await blobOf(ctx, twin?.id)];
    const documentIds = [unshared?.id, shared?.id] as string[];
    await recycleDocuments(ctx, { documentIds });
    await purgeDocuments(ctx, { documentIds });
    await sweep(db, store);
    expect(await store.stat(removed)).toBeUndefined();
    expect(await store.stat(stays)).toMatchObject({ finished: true });
  });

  it('removes stored objects without a row, complete or not', async () => {
    const { db, store } = await setUp();
    const [finished, begun] = [newId('Blob'), newId('Blob')];
    await store.finish(finished, 0);
    await store.append(
      begun,
      0,
      (async function* () {
        yield Buffer.from('begun');
      })(),
    );
    expect((await sweep(db, store)).objects).toBeGreaterThanOrEqual(2);
    expect([await store.stat(finished), await store.stat(begun)]).toEqual([undefined, undefined]);
  });
});
