import { describe, expect, it } from 'vitest';
import { recycleDocuments, restoreDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { moveDocuments } from '../../../../src/domain/documents/document-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../../src/domain/folders/folder-delete.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const DELETE = `mutation ($input: DeleteFoldersInput!) { deleteFolders(input: $input) { folderIds } }`;

/** A folder in a folder, and one beside them. */
async function setUp() {
  const world = await newWorld();
  const { db, owner, project } = world;
  const ctx = await owner.context();
  const make = async (name: string, parentId?: string) =>
    (await createFolders(ctx, { projectId: project.id, folders: [{ name, parentId }] }))[0]?.id as string;
  const outer = await make('Outer');
  const inner = await make('Inner', outer);
  const beside = await make('Beside');
  const input = (...folderIds: string[]) => ({ input: { projectId: project.id, folderIds } });
  const names = async () =>
    (await db.prisma.folder.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } })).map(
      ({ name }) => name,
    );
  return { ...world, ctx, outer, inner, beside, input, names };
}

describe('deleting folders', () => {
  it('deletes their subfolders, and no others', async () => {
    const { db, owner, outer, inner, input, names } = await setUp();
    const { data } = await owner.graph(DELETE, input(outer, outer));
    expect(data.deleteFolders.folderIds).toEqual([outer, inner].sort());
    expect(await names()).toEqual(['Beside']);
    const events = await db.prisma.event.findMany({ where: { kind: 'folder.deleted', subjectId: inner } });
    expect(events.map((event) => event.data)).toMatchObject([{ before: { name: 'Inner', parentId: outer } }]);
  });

  it('deletes none while a document is in one of them', async () => {
    const { owner, ctx, project, inner, outer, beside, input, names } = await setUp();
    await newDocuments(ctx, project.id, [{ name: 'in use', folderId: inner }]);
    expect(codes((await owner.graph(DELETE, input(beside, outer))).errors)).toEqual(['CONFLICT']);
    expect(await names()).toEqual(['Outer', 'Inner', 'Beside']);
  });

  it('moves their recycled documents to the root when these are restored', async () => {
    const { db, owner, ctx, project, inner, outer, input } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'recycled', folderId: inner }]);
    const documentIds = [document?.id as string];
    await recycleDocuments(ctx, { documentIds });
    expect((await owner.graph(DELETE, input(outer))).errors).toBeUndefined();
    const [restored] = await restoreDocuments(ctx, { documentIds });
    expect(restored).toMatchObject({ state: 'ACTIVE', folderId: null });
    const [event] = await db.prisma.event.findMany({ where: { kind: 'folder.deleted', subjectId: inner } });
    expect(event?.data).toMatchObject({ recycledDocumentIds: documentIds });
  });

  it('requires the role ADMIN, and does not find folders of other projects', async () => {
    const { db, owner, stranger, organization, outer, input, names } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const elsewhere = await setUp();
    expect(codes((await member.graph(DELETE, input(outer))).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(DELETE, input(outer))).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(DELETE, input(outer, elsewhere.outer))).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(DELETE, input('a\u0000'))).errors)).toEqual(['BAD_USER_INPUT']);
    expect(codes((await owner.graph(DELETE, input())).errors)).toEqual(['BAD_USER_INPUT']);
    expect(await names()).toEqual(['Outer', 'Inner', 'Beside']);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'never loses a document that is moved into one concurrently',
    async () => {
      for (let round = 0; round < 8; round++) {
        const { db, ctx, project, beside } = await setUp();
        const [document] = await newDocuments(ctx, project.id, [{ name: 'moving' }]);
        const documentIds = [document?.id as string];
        const [moved, deleted] = await Promise.allSettled([
          moveDocuments(ctx, { documentIds, folderId: beside }),
          deleteFolders(ctx, { projectId: project.id, folderIds: [beside] }),
        ]);
        const failed = [moved, deleted].flatMap((each) =>
          each.status === 'rejected' ? each.reason.code : [],
        );
        expect(failed).toEqual([moved.status === 'rejected' ? 'NOT_FOUND' : 'CONFLICT']);
        const { folderId } = await db.prisma.document.findUniqueOrThrow({ where: { id: documentIds[0] } });
        expect(folderId).toBe(moved.status === 'rejected' ? null : beside);
      }
    },
  );
});
