import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { newId } from '../../../src/lib/id.ts';
import { readablePath } from '../../../src/rest/documents/record.ts';
import { newDocuments, upload } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const names = async (query: string): Promise<string[]> =>
    (await owner.rest('GET', `${base}/documents${query}`)).body.Documents.map(
      ({ Name }: { Name: string }) => Name,
    );
  return { ...world, ctx, base, names };
}

describe('the recycle bin over REST v1', () => {
  it('has the documents of all folders, the one that was recycled last first', async () => {
    const { ctx, owner, stranger, project, base, names } = await setUp();
    const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'In' }] });
    const [root, inside] = await newDocuments(ctx, project.id, [
      { name: 'root' },
      { name: 'inside', folderId: folder?.id },
      { name: 'kept' },
    ]);
    for (const document of [inside, root])
      await recycleDocuments(ctx, { documentIds: [document?.id as string] });
    const { body } = await owner.rest('GET', `${base}/recycleBinDocuments`);
    expect(body.Documents.map(({ Name }: { Name: string }) => Name)).toEqual(['root', 'inside']);
    expect(body.Documents[0].IsMarkedForPurge).toBe(true);
    expect((await names('?recycleBin=true&showAll=true')).sort()).toEqual(['inside', 'root']);
    expect((await stranger.rest('GET', `${base}/recycleBinDocuments`)).status).toBe(404);
  });
});

describe('documents over REST v1', () => {
  it('are listed one level in each call, or completely with showAll', async () => {
    const { ctx, project, names } = await setUp();
    const [outer] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Outer' }] });
    const [inner] = await createFolders(ctx, {
      projectId: project.id,
      folders: [{ name: 'Inner', parentId: outer?.id }],
    });
    await newDocuments(ctx, project.id, [
      { name: 'root' },
      { name: 'outer', folderId: outer?.id },
      { name: 'inner', folderId: inner?.id },
    ]);
    expect(await names('')).toEqual(['root']);
    expect(await names(`?documentFolderId=${outer?.id}`)).toEqual(['outer']);
    expect(await names('?showAll=True')).toEqual(['inner', 'outer', 'root']);
    expect(await names(`?showAll=true&documentFolderId=${outer?.id}`)).toEqual(['inner', 'outer']);
    expect(await names('?documentGroupId=none')).toEqual([]);
    expect(await names(`?documentFolderId=${newId('Folder')}`)).toEqual([]);
  });

  it('have their folder, revision and times, and move between list and recycle bin', async () => {
    const { owner, ctx, project, base, names } = await setUp();
    const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'In' }] });
    const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
    const IDs = [document?.id];
    const moved = await owner.rest('POST', `${base}/documentActions/setDocumentFolder`, {
      ids: IDs,
      documentfolderid: folder?.id,
    });
    expect(moved.body).toMatchObject([
      {
        DocumentID: document?.id,
        DocumentFolderPath: 'In',
        Revision: 0,
        FileSize: 5,
        Origin: 'UserUpload',
        PurgeDate: '0001-01-01T00:00:00Z',
      },
    ]);
    const recycled = await owner.rest('POST', `${base}/documentActions/sendToRecycleBin`, { IDs });
    expect(recycled.body[0]).toMatchObject({
      IsMarkedForPurge: true,
      PurgeDate: expect.stringMatching(/^20/),
    });
    expect([await names('?showAll=true'), await names('?showAll=true&recycleBin=true')]).toEqual([
      [],
      ['a.txt'],
    ]);
    const secondMove = await owner.rest('POST', `${base}/documentActions/sendToRecycleBin`, { IDs });
    expect(secondMove.status).toBe(409);
    await owner.rest('POST', `${base}/documentActions/restoreFromRecycleBin`, { IDs });
    expect(await names(`?documentFolderId=${folder?.id}`)).toEqual(['a.txt']);
  });

  it('are renamed, and refuse an invalid name', async () => {
    const { owner, ctx, project, base } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
    const path = `${base}/documents/${document?.id}`;
    const { body } = await owner.rest('PUT', path, { ID: document?.id, Name: 'Renamed' });
    expect(body).toMatchObject({ ID: document?.id, Name: 'Renamed', PageCount: 0 });
    for (const Name of ['', 7, 'a\u0000']) expect((await owner.rest('PUT', path, { Name })).status).toBe(400);
  });

  it('have comments and revisions paged in both orders, newest first by default', async () => {
    const { owner, ctx, project, base } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
    await newDocuments(ctx, project.id, [{ name: 'b.txt', content: 'two', documentId: document?.id }]);
    const texts = Array.from({ length: 27 }, (_, index) => `c${index}`);
    await owner.graph(
      `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id } } }`,
      {
        input: { documentId: document?.id, texts },
      },
    );
    const comments = async (query: string) => {
      const { body } = await owner.rest('GET', `${base}/documents/${document?.id}/comments${query}`);
      expect([typeof body.Cursor, typeof body.ReverseCursor, body.PageSize]).toEqual([
        'string',
        'string',
        25,
      ]);
      return {
        texts: body.DocumentEvents.map(
          ({ DetailJson }: { DetailJson: string }) => JSON.parse(DetailJson).Text,
        ),
        cursor: body.Cursor,
      };
    };
    const first = await comments('');
    expect([first.texts.length, first.texts[0]]).toEqual([25, 'c26']);
    expect((await comments(`?cursor=${first.cursor}`)).texts).toEqual(['c1', 'c0']);
    expect((await comments('?sortDescending=False')).texts[0]).toBe('c0');
    const { body } = await owner.rest('GET', `${base}/documents/${document?.id}/revisions`);
    expect(
      body.DocumentRevisions.map((each: Record<string, unknown>) => [
        each.Revision,
        each.Name,
        each.IsCurrent,
      ]),
    ).toEqual([
      [1, 'b.txt', true],
      [0, 'a.txt', false],
    ]);
  });

  it('are confirmed by camelCase bodies with fields and tags, and refused with 400, 404 and 409', async () => {
    const { db, owner, ctx, organization, project, base, names } = await setUp();
    const field = await db.prisma.field.create({
      data: {
        organizationId: organization.id,
        id: newId('Field'),
        projectId: project.id,
        name: 'No',
        nameKey: 'no',
        type: 'TEXT',
        createdById: owner.id,
      },
    });
    const uniqueId = await upload(ctx, project.id, 'bytes');
    const confirm = (item: object, query = `?uniqueId=${uniqueId}&captureOriginal=false`) =>
      owner.rest('PUT', `${base}/documentUploads${query}`, [item]);
    const item = {
      uniqueId,
      originalFilename: 'a.txt',
      originalFileSize: 5,
      signedUrl: 'decoded',
      tags: ['T'],
    };
    expect((await confirm({ ...item, originalFileSize: 6 })).status).toBe(400);
    expect((await confirm({ ...item, originalFileSize: 5.5 })).status).toBe(400);
    const digest = (content: string) => createHash('sha256').update(content).digest('hex');
    expect((await confirm({ ...item, sha256: digest('other') })).status).toBe(400);
    expect((await confirm({ ...item, sha256: 'abc' })).status).toBe(400);
    expect((await confirm(item, '')).status).toBe(400);
    expect((await confirm(item, `?uniqueId=${newId('Upload')}`)).status).toBe(400);
    expect((await confirm({ ...item, uniqueId: newId('Upload') }, '?uniqueId=x')).status).toBe(400);
    const unknown = newId('Upload');
    expect((await confirm({ ...item, uniqueId: unknown }, `?uniqueId=${unknown}`)).status).toBe(404);
    const { body } = await owner.rest('GET', `${base}/documentUploads`);
    expect((await confirm({ ...item, uniqueId: body.UniqueId }, `?uniqueId=${body.UniqueId}`)).status).toBe(
      409,
    );
    expect(await names('')).toEqual([]);
    const confirmed = await confirm({
      ...item,
      SHA256: digest('bytes'),
      FieldIDsAndValues: { [field.id]: ['17'] },
    });
    expect(confirmed.body).toMatchObject([{ Name: 'a.txt', FileSize: 5 }]);
    expect(await confirm(item)).toMatchObject({ status: 200, body: [{ ID: confirmed.body[0].ID }] });
    const values = await db.prisma.documentFieldValue.findMany({
      where: { documentId: confirmed.body[0].ID },
    });
    expect(values.map(({ text }) => text)).toEqual(['17']);
  });

  it('are reserved by a GET that requires the scope write', async () => {
    const { db, owner, base } = await setUp();
    await db.prisma.apiKey.updateMany({ where: { userId: owner.id }, data: { scopes: ['read'] } });
    expect((await owner.rest('GET', `${base}/documentUploads`)).status).toBe(403);
    expect((await owner.rest('GET', `${base}/documents`)).status).toBe(200);
  });

  it('have a path for exporters that cannot leave the target folder', () => {
    expect(readablePath(['..', 'a/b', 'c\\d', '.', 'e.f', '...'])).toBe('__/a_b/c_d/_/e.f/___');
  });
});
