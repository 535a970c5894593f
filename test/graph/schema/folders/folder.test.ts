import { describe, expect, it } from 'vitest';
import type { Folder } from '../../../../src/domain/folders/folder.ts';
import { updateFolder } from '../../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { counted } from '../../../support/database.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

/** A chain of folders, each in the one before. */
async function chain(person: Person, projectId: string, ...names: string[]): Promise<Folder[]> {
  const folders: Folder[] = [];
  for (const name of names) {
    const parentId = folders.at(-1)?.id;
    folders.push(
      ...(await createFolders(await person.context(), { projectId, folders: [{ name, parentId }] })),
    );
  }
  return folders;
}

const MOVE = `mutation ($input: MoveFolderInput!) { moveFolder(input: $input) { folder { path depth ancestorIds } } }`;

describe('folders', () => {
  it('have a path, ancestors and a depth', async () => {
    const { owner, project } = await newWorld();
    const [a, b, c] = await chain(owner, project.id, 'A', 'B', 'C');
    const query = `query ($id: ID!) { folder(id: $id) { path depth ancestorIds parent { name folders { nodes { name } } } } }`;
    const { data } = await owner.graph(query, { id: c?.id });
    expect(data.folder).toEqual({
      path: ['A', 'B', 'C'],
      depth: 2,
      ancestorIds: [a?.id, b?.id],
      parent: { name: 'B', folders: { nodes: [{ name: 'C' }] } },
    });
  });

  it('move with their subfolders', async () => {
    const { owner, project } = await newWorld();
    const [, b, , d] = await chain(owner, project.id, 'A', 'B', 'C', 'D');
    const [x] = await chain(owner, project.id, 'X');
    const moved = await owner.graph(MOVE, { input: { folderId: b?.id, parentId: x?.id } });
    expect(moved.data.moveFolder.folder).toEqual({ path: ['X', 'B'], depth: 1, ancestorIds: [x?.id] });
    const descendant = await owner.graph(`query ($id: ID!) { folder(id: $id) { path depth } }`, {
      id: d?.id,
    });
    expect(descendant.data.folder).toEqual({ path: ['X', 'B', 'C', 'D'], depth: 3 });
  });

  it.each([undefined, null, ''])('move to the root without a parent: %j', async (parentId) => {
    const { owner, project } = await newWorld();
    const [, b] = await chain(owner, project.id, 'A', 'B');
    const { data } = await owner.graph(MOVE, { input: { folderId: b?.id, parentId } });
    expect(data.moveFolder.folder).toEqual({ path: ['B'], depth: 0, ancestorIds: [] });
  });

  it('cannot move into themselves or their subfolders', async () => {
    const { owner, project } = await newWorld();
    const [a, b] = await chain(owner, project.id, 'A', 'B');
    for (const parentId of [a?.id, b?.id])
      expect(codes((await owner.graph(MOVE, { input: { folderId: a?.id, parentId } })).errors)).toEqual([
        'CONFLICT',
      ]);
  });

  it('cannot move into another project, nor be created there', async () => {
    const { owner, project } = await newWorld();
    const other = await newWorld();
    const [mine] = await chain(owner, project.id, 'A');
    const [theirs] = await chain(other.owner, other.project.id, 'A');
    const moved = await owner.graph(MOVE, { input: { folderId: mine?.id, parentId: theirs?.id } });
    expect(codes(moved.errors)).toEqual(['NOT_FOUND']);
    const folders = [{ name: 'fine' }, { name: 'x', parentId: theirs?.id }];
    await expect(
      createFolders(await owner.context(), { projectId: project.id, folders }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      at: 'folders.1.parentId',
    });
  });

  it('of a restricted project are visible if assigned, below an assigned folder, or an ancestor of one', async () => {
    const { db, owner, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    await owner.graph(
      `mutation ($id: ID!) { updateProject(input: { projectId: $id, access: RESTRICTED }) { project { id } } }`,
      {
        id: project.id,
      },
    );
    await joinProject(db, project, member, 'EDITOR');
    const [, b] = await chain(owner, project.id, 'A', 'B', 'C');
    await chain(owner, project.id, 'Hidden');
    const assign = `mutation ($input: UpdateFolderInput!) { updateFolder(input: $input) { folder { assigneeEmails } } }`;
    await owner.graph(assign, { input: { folderId: b?.id, assigneeEmails: [member.email.toUpperCase()] } });
    const query = `query ($id: ID!) { project(id: $id) { folders(anyDepth: true) { totalCount nodes { name inheritedAssigneeEmails } } } }`;
    const { data } = await member.graph(query, { id: project.id });
    expect(data.project.folders).toEqual({
      totalCount: 3,
      nodes: [
        { name: 'A', inheritedAssigneeEmails: [] },
        { name: 'B', inheritedAssigneeEmails: [] },
        { name: 'C', inheritedAssigneeEmails: [member.email] },
      ],
    });
  });

  it('answer NOT_FOUND to a stranger, and FORBIDDEN to a guest', async () => {
    const { db, owner, stranger, organization, project } = await newWorld();
    const [a] = await chain(owner, project.id, 'A');
    const input = { folderId: a?.id, name: 'Mine' };
    const update = `mutation ($input: UpdateFolderInput!) { updateFolder(input: $input) { folder { name } } }`;
    expect(await stranger.graph(update, { input })).toMatchObject({
      errors: [{ message: 'Folder not found.' }],
    });
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'EDITOR');
    expect(codes((await guest.graph(update, { input })).errors)).toEqual(['FORBIDDEN']);
  });

  it('need one statement a level, for any number of folders', async () => {
    const { owner, project } = await newWorld();
    const query = `query ($id: ID!) { project(id: $id) { folders(first: 20) { nodes { name createdBy { name } folders(first: 5) { nodes { path parent { name } } } } } } }`;
    await chain(owner, project.id, 'A', 'B');
    const few = await counted(() => owner.graph(query, { id: project.id }));
    for (const name of ['C', 'D', 'E']) await chain(owner, project.id, name, `${name}1`);
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.data.project.folders.nodes).toHaveLength(4);
    expect(many.statements).toEqual(few.statements);
    expect(many.statements).toHaveLength(6);
  });

  it.runIf(process.env.TEST_DATABASE_URL)('form no cycle when two moves race', async () => {
    const { owner, project } = await newWorld();
    const context = await owner.context();
    for (let round = 0; round < 10; round++) {
      const [a] = await chain(owner, project.id, `A${round}`);
      const [b] = await chain(owner, project.id, `B${round}`);
      const moves = await Promise.allSettled([
        updateFolder(context, { folderId: a?.id as string, parentId: b?.id }),
        updateFolder(context, { folderId: b?.id as string, parentId: a?.id }),
      ]);
      expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
