import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { erasePerson } from '../../../src/domain/personal-data/erase-person.ts';
import { redactEvents } from '../../../src/domain/redaction/redaction.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { config, newMember, newPerson, newWorld } from '../../support/world.ts';
import { newExport, readExport, runExports, started } from './exports.ts';

type Scene = Awaited<ReturnType<typeof newExport>>;

const purgeFirst = async ({ ctx, documents }: Pick<Scene, 'ctx' | 'documents'>): Promise<void> => {
  const documentIds = [documents[0]?.id as string];
  await recycleDocuments(ctx, { documentIds });
  await purgeDocuments(ctx, { documentIds });
};

const isWithdrawn = async ({ owner, id, download }: Scene) => {
  const { state, url } = await readExport(owner, id);
  const { status } = await download();
  return { state, url, status };
};

const WITHDRAWN = { state: 'WITHDRAWN', url: null, status: 404 };

describe('an archive', () => {
  it('is not served any more once a document in it was purged', async () => {
    const scene = await newExport();
    await purgeFirst(scene);
    expect(await isWithdrawn(scene)).toEqual(WITHDRAWN);
  });

  it('is not served any more once an event in it was redacted', async () => {
    const scene = await newExport();
    const { ctx, documents, organization } = scene;
    const documentId = documents[1]?.id as string;
    const [comment] = await createComments(ctx, { documentId, texts: ['marigold'] });
    expect((await scene.download()).status).toBe(200);
    const eventIds = [comment?.id as string];
    await redactEvents(ctx, { organizationId: organization.id, eventIds, reason: 'Asked for' });
    expect(await isWithdrawn(scene)).toEqual(WITHDRAWN);
  });

  it('is not served any more once somebody in it was erased, but for whoever else is', async () => {
    const scene = await newExport();
    const { db, owner, organization } = scene;
    const erase = async (userId: string) =>
      erasePerson({ db, storage: await testStorage(db), limits: config.limits }, userId, {
        by: 'OPERATOR',
        reason: 'Asked for',
      });
    await erase((await newPerson(db)).id);
    expect((await scene.download()).status).toBe(200);
    const member = await newMember(db, organization.id, 'MEMBER');
    await createComments(await member.context(), {
      documentId: scene.documents[0]?.id as string,
      texts: ['Seen'],
    });
    await erase(member.id);
    expect(await isWithdrawn(scene)).toEqual(WITHDRAWN);
    await db.query(
      sql`UPDATE users SET erased_at = erased_at - interval '2 minutes' WHERE erased_at IS NOT NULL`,
    );
    const again = await started(owner, organization.id);
    await runExports();
    expect(await readExport(owner, again)).toMatchObject({ state: 'READY' });
  });

  it('is served after what changes nothing that exists', async () => {
    const scene = await newExport();
    await recycleDocuments(scene.ctx, { documentIds: [scene.documents[0]?.id as string] });
    await newDocuments(scene.ctx, scene.project.id, [{ name: 'Later.txt' }]);
    expect((await scene.download()).status).toBe(200);
  });

  it('keeps files that nothing else uses until it is deleted', async () => {
    const scene = await newExport();
    const { db, organization, id } = scene;
    const { store } = await testStorage(db);
    const { revisions, ids } = { revisions: db.prisma.revision, ids: { organizationId: organization.id } };
    const blobs = (await revisions.findMany({ where: ids })).map(({ blobId }) => blobId);
    // As a form template that is deleted, which records no purge.
    await db.prisma.document.deleteMany({ where: ids });
    await sweep(db, store);
    expect((await scene.download()).status).toBe(200);
    expect(await Promise.all(blobs.map(async (key) => (await store.stat(key))?.finished))).toEqual([
      true,
      true,
    ]);
    await db.query(sql`UPDATE organization_exports SET expires_at = now() WHERE id = ${id}`);
    expect((await scene.download()).status).toBe(404);
    await sweep(db, store);
    expect(await Promise.all(blobs.map((key) => store.stat(key)))).toEqual([undefined, undefined]);
  });

  it('leaves nothing in the store once a day has passed', async () => {
    const { db, id, organization, owner } = await newExport();
    const { store } = await testStorage(db);
    const { blobId } = await db.prisma.organizationExport.findUniqueOrThrow({ where: { id } });
    await sweep(db, store);
    expect(await store.stat(blobId as string)).toMatchObject({ finished: true });
    await db.query(sql`UPDATE organization_exports SET expires_at = now()
      WHERE organization_id = ${organization.id}`);
    await sweep(db, store);
    expect(await store.stat(blobId as string)).toBeUndefined();
    expect(await readExport(owner, id)).toBeNull();
  });
});

describe('an export that is due', () => {
  it('has what is there when it is written', async () => {
    const { owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    const documents = await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }]);
    const id = await started(owner, organization.id);
    await purgeFirst({ ctx, documents });
    await runExports();
    expect(await readExport(owner, id)).toMatchObject({ state: 'READY', fileCount: 1 });
  });
});
