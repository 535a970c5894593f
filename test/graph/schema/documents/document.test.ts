import { describe, expect, it } from 'vitest';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

async function seed(person: Person, projectId: string, ...names: string[]): Promise<string[]> {
  const documents = await newDocuments(
    await person.context(),
    projectId,
    names.map((name) => ({ name })),
  );
  return documents.map(({ id }) => id);
}

async function folder(person: Person, projectId: string, name: string, parentId?: string): Promise<string> {
  const [created] = await createFolders(await person.context(), { projectId, folders: [{ name, parentId }] });
  return created?.id as string;
}

const NAMES = `query ($id: ID!, $filter: DocumentFilter, $order: DocumentOrder) {
  project(id: $id) { documents(filter: $filter, orderBy: $order) { totalCount nodes { name } } } }`;
const BY_NAME = { field: 'NAME', direction: 'ASC' };

async function names(person: Person, id: string, filter: object = {}): Promise<string[]> {
  const { data } = await person.graph(NAMES, { id, filter, order: BY_NAME });
  const { nodes, totalCount } = data.project.documents;
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ name }: { name: string }) => name);
}

const act = (name: string, input: string, selection = 'documents { name state }') =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { ${selection} } }`;
const RECYCLE = act('recycleDocuments', 'RecycleDocumentsInput');
const RESTORE = act('restoreDocuments', 'RestoreDocumentsInput');
const PURGE = act('purgeDocuments', 'PurgeDocumentsInput', 'documentIds');
const MOVE = act('moveDocuments', 'MoveDocumentsInput', 'documents { folder { name } }');
const UPDATE = act('updateDocument', 'UpdateDocumentInput', 'document { name version tags assigneeEmails }');
const COMMENT = act('createComments', 'CreateCommentsInput', 'comments { id text createdBy { name } }');

const PAGE = `query ($id: ID!, $order: DocumentOrder, $after: String) { project(id: $id) {
  documents(first: 3, orderBy: $order, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } } }`;

describe('documents', () => {
  it.each([
    ['CREATED_AT', 'DESC'],
    ['CREATED_AT', 'ASC'],
    ['NAME', 'ASC'],
    ['NAME', 'DESC'],
  ])('are each on exactly one page by %s %s, while others are created and recycled', async (field, direction) => {
    const { owner, project } = await newWorld();
    const staying = await seed(owner, project.id, ...Array.from('bdfhjlnprt'));
    const leaving = await seed(owner, project.id, 'c', 'i', 'q');
    const ids: string[] = [];
    let [after, more] = [null, true];
    while (more) {
      const variables = { id: project.id, order: { field, direction }, after };
      const page = (await owner.graph(PAGE, variables)).data.project.documents;
      ids.push(...page.nodes.map(({ id }: { id: string }) => id));
      more = page.pageInfo.hasNextPage;
      after = page.pageInfo.endCursor;
      const leavingId = leaving.pop();
      if (!leavingId) continue;
      await owner.graph(RECYCLE, { input: { documentIds: [leavingId] } });
      await seed(owner, project.id, 'a', 'm', 'z');
    }
    expect(ids.filter((id) => staying.includes(id)).toSorted()).toEqual(staying.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are listed by folder, by subtree, at the root, by name, tag, type and state', async () => {
    const { owner, project } = await newWorld();
    const outer = await folder(owner, project.id, 'Outer');
    const inner = await folder(owner, project.id, 'Inner', outer);
    const [, , , recycled] = await newDocuments(await owner.context(), project.id, [
      { name: 'root.txt', tags: ['Plan'] },
      { name: 'outer.txt', folderId: outer },
      { name: 'inner.txt', folderId: inner, tags: ['plan', 'Old'] },
      { name: 'gone.txt' },
    ]);
    await owner.graph(RECYCLE, { input: { documentIds: [recycled?.id] } });
    expect(await names(owner, project.id)).toEqual(['inner.txt', 'outer.txt', 'root.txt']);
    expect(await names(owner, project.id, { folderId: outer })).toEqual(['outer.txt']);
    expect(await names(owner, project.id, { belowFolderId: outer })).toEqual(['inner.txt', 'outer.txt']);
    expect(await names(owner, project.id, { atRoot: true })).toEqual(['root.txt']);
    expect(await names(owner, project.id, { namePrefix: 'IN' })).toEqual(['inner.txt']);
    expect(await names(owner, project.id, { tag: 'PLAN' })).toEqual(['inner.txt', 'root.txt']);
    expect(await names(owner, project.id, { contentType: 'image/png' })).toEqual([]);
    expect(await names(owner, project.id, { state: 'RECYCLED' })).toEqual(['gone.txt']);
    expect(await names(owner, project.id, { createdAfter: '2100-01-01T00:00:00Z' })).toEqual([]);
  });

  it('are paged in every order, forward and backward, each document once', async () => {
    const { owner, project } = await newWorld();
    await newDocuments(await owner.context(), project.id, [
      { name: 'b', content: 'xx' },
      { name: 'a', content: 'xx' },
      { name: 'c', content: 'x' },
      { name: 'e', content: '' },
      { name: 'd', content: 'xxx' },
    ]);
    const query = `query ($id: ID!, $order: DocumentOrder, $after: String, $first: Int, $before: String, $last: Int) { project(id: $id) {
      documents(orderBy: $order, after: $after, first: $first, before: $before, last: $last) { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
    for (const field of ['NAME', 'CREATED_AT', 'MODIFIED_AT', 'SIZE']) {
      const order = { field, direction: 'DESC' };
      const names: string[] = [];
      let page = {
        pageInfo: { hasNextPage: true, endCursor: null, startCursor: null },
        nodes: [] as { name: string }[],
      };
      while (page.pageInfo.hasNextPage) {
        const { data } = await owner.graph(query, {
          id: project.id,
          order,
          first: 2,
          after: page.pageInfo.endCursor,
        });
        page = data.project.documents;
        names.push(...page.nodes.map(({ name }) => name));
      }
      expect([...names].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
      const { data } = await owner.graph(query, {
        id: project.id,
        order,
        last: 2,
        before: page.pageInfo.startCursor,
      });
      expect(data.project.documents.nodes.map(({ name }: { name: string }) => name)).toEqual(
        names.slice(2, 4),
      );
    }
  });

  it('are renamed, tagged and assigned, and refuse a stale version', async () => {
    const { owner, project } = await newWorld();
    const [documentId] = await seed(owner, project.id, 'a.txt');
    const input = {
      documentId,
      name: 'b.txt',
      tags: ['X', 'x', 'Y'],
      assigneeEmails: ['Q@Example.test'],
      expectedVersion: 1,
    };
    const first = await owner.graph(UPDATE, { input });
    expect(first.data.updateDocument.document).toEqual({
      name: 'b.txt',
      version: 2,
      tags: ['x', 'Y'],
      assigneeEmails: ['q@example.test'],
    });
    expect(codes((await owner.graph(UPDATE, { input })).errors)).toEqual(['CONFLICT']);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ assigneeEmails: ['nobody'] }, 'assigneeEmails.0'],
    [{ tags: [' '] }, 'tags.0'],
  ])('refuse %j, and do not change', async (change, at) => {
    const { owner, project } = await newWorld();
    const [documentId] = await seed(owner, project.id, 'a.txt');
    const { errors } = await owner.graph(UPDATE, { input: { documentId, ...change } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', at });
    expect(await names(owner, project.id)).toEqual(['a.txt']);
  });

  it('move into a folder of their project and back to the root, all or none', async () => {
    const { owner, project } = await newWorld();
    const other = await newWorld();
    const inside = await folder(owner, project.id, 'In');
    const theirs = await folder(other.owner, other.project.id, 'Theirs');
    const documentIds = await seed(owner, project.id, 'a', 'b');
    const moved = await owner.graph(MOVE, { input: { documentIds, folderId: inside } });
    expect(moved.data.moveDocuments.documents).toEqual([
      { folder: { name: 'In' } },
      { folder: { name: 'In' } },
    ]);
    const toForeignFolder = await owner.graph(MOVE, { input: { documentIds, folderId: theirs } });
    expect(codes(toForeignFolder.errors)).toEqual(['NOT_FOUND']);
    const withUnknownId = await owner.graph(MOVE, {
      input: { documentIds: [...documentIds, newId('Document')] },
    });
    expect(codes(withUnknownId.errors)).toEqual(['NOT_FOUND']);
    expect(await names(owner, project.id, { folderId: inside })).toEqual(['a', 'b']);
    const back = await owner.graph(MOVE, { input: { documentIds } });
    expect(back.data.moveDocuments.documents).toEqual([{ folder: null }, { folder: null }]);
  });

  it('are recycled and restored, and purged only from the recycle bin', async () => {
    const { db, owner, organization, project } = await newWorld();
    const documentIds = await seed(owner, project.id, 'a', 'b');
    const input = { documentIds };
    expect(codes((await owner.graph(PURGE, { input })).errors)).toEqual(['CONFLICT']);
    const { data } = await owner.graph(RECYCLE, { input });
    expect(data.recycleDocuments.documents.map(({ state }: { state: string }) => state)).toEqual([
      'RECYCLED',
      'RECYCLED',
    ]);
    expect(codes((await owner.graph(RECYCLE, { input })).errors)).toEqual(['CONFLICT']);
    expect(
      codes((await owner.graph(UPDATE, { input: { documentId: documentIds[0], name: 'x' } })).errors),
    ).toEqual(['CONFLICT']);
    expect((await owner.graph(RESTORE, { input })).errors).toBeUndefined();
    await owner.graph(RECYCLE, { input });
    const editor = await newMember(db, organization.id, 'MEMBER');
    expect(codes((await editor.graph(PURGE, { input })).errors)).toEqual(['FORBIDDEN']);
    expect((await owner.graph(PURGE, { input })).data.purgeDocuments.documentIds).toEqual(documentIds);
    expect(codes((await owner.graph(RESTORE, { input })).errors)).toEqual(['NOT_FOUND']);
  });

  it('get a revision with each upload, and restore an earlier one as a new revision', async () => {
    const { owner, project } = await newWorld();
    const ctx = await owner.context();
    const [documentId] = await seed(owner, project.id, 'a.txt');
    await newDocuments(ctx, project.id, [
      { name: 'second.txt', content: 'two', documentId },
      { name: 'third.txt', content: 'three', documentId },
    ]);
    const restore = act('restoreRevision', 'RestoreRevisionInput', 'document { id revisionNumber }');
    await owner.graph(restore, { input: { documentId, number: 2 } });
    const query = `query ($id: ID!) { document(id: $id) { name revisionNumber size currentRevision { number }
      revisions { nodes { number name restoredFrom size sha256 } } } }`;
    const { data } = await owner.graph(query, { id: documentId });
    const two = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3';
    expect(data.document).toMatchObject({
      name: 'a.txt',
      revisionNumber: 4,
      size: 3,
      currentRevision: { number: 4 },
    });
    expect(data.document.revisions.nodes).toMatchObject([
      { number: 4, name: 'second.txt', restoredFrom: 2, sha256: two },
      { number: 3, name: 'third.txt', restoredFrom: null },
      { number: 2, name: 'second.txt', sha256: two },
      { number: 1, name: 'a.txt' },
    ]);
    const again = await owner.graph(restore, { input: { documentId, number: 4 } });
    expect(codes(again.errors)).toEqual(['CONFLICT']);
    const never = await owner.graph(restore, { input: { documentId, number: 9 } });
    expect(codes(never.errors)).toEqual(['NOT_FOUND']);
  });

  it('have comments in the order of their creation', async () => {
    const { owner, project } = await newWorld();
    const [documentId] = await seed(owner, project.id, 'a');
    const { data } = await owner.graph(COMMENT, { input: { documentId, texts: ['first', 'second'] } });
    const [{ id }] = data.createComments.comments;
    const read = await owner.graph(
      `query ($id: ID!, $comment: ID!) { document(id: $id) { comments { totalCount nodes { text } } } node(id: $comment) { ... on Comment { text } } }`,
      { id: documentId, comment: id },
    );
    expect(read.data.document.comments).toEqual({
      totalCount: 2,
      nodes: [{ text: 'first' }, { text: 'second' }],
    });
    expect(read.data.node).toEqual({ text: 'first' });
    const empty = await owner.graph(COMMENT, { input: { documentId, texts: ['fine', '  '] } });
    expect(empty.errors?.[0]?.extensions.at).toBe('texts.1');
  });

  it('are invisible to a stranger by id, node, list, count, comment, and in every mutation', async () => {
    const { owner, project, stranger } = await newWorld();
    const [documentId] = await seed(owner, project.id, 'secret');
    const { data } = await owner.graph(COMMENT, { input: { documentId, texts: ['hush'] } });
    const comment = data.createComments.comments[0].id;
    const revision = (
      await owner.graph(`query ($id: ID!) { document(id: $id) { currentRevision { id } } }`, {
        id: documentId,
      })
    ).data.document.currentRevision.id;
    for (const id of [documentId, comment, revision])
      expect(await stranger.graph('query ($id: ID!) { node(id: $id) { id } }', { id })).toMatchObject({
        data: { node: null },
        errors: [{ message: 'Node not found.' }],
      });
    const own = await newWorld();
    const attempts: [string, object][] = [
      [RECYCLE, { documentIds: [documentId] }],
      [PURGE, { documentIds: [documentId] }],
      [UPDATE, { documentId, name: 'mine' }],
      [COMMENT, { documentId, texts: ['x'] }],
      [MOVE, { documentIds: [documentId], projectId: own.project.id }],
    ];
    for (const [mutation, input] of attempts)
      expect(codes((await stranger.graph(mutation, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(await names(owner, project.id)).toEqual(['secret']);
  });

  it('answer FORBIDDEN to a guest for every mutation', async () => {
    const { db, owner, organization, project } = await newWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'EDITOR');
    const [documentId] = await seed(owner, project.id, 'a');
    expect(await names(guest, project.id)).toEqual(['a']);
    for (const [mutation, input] of [
      [RECYCLE, { documentIds: [documentId] }],
      [UPDATE, { documentId, name: 'mine' }],
      [COMMENT, { documentId, texts: ['x'] }],
    ] as const)
      expect(codes((await guest.graph(mutation, { input })).errors)).toEqual(['FORBIDDEN']);
  });

  it('need one statement a level, for any number of documents', async () => {
    const { owner, organization, project } = await newWorld();
    const query = `query ($id: ID!) { organization(id: $id) { projects(first: 5) { nodes { documents(first: 5) { totalCount nodes {
      name tags downloadUrl createdBy { name } folder { name path } currentRevision { number }
      revisions(first: 2) { nodes { number sha256 createdBy { name } } } comments(first: 2) { nodes { text createdBy { name } } } } } } } } }`;
    const inside = await folder(owner, project.id, 'In');
    const [first] = await newDocuments(await owner.context(), project.id, [{ name: 'a', folderId: inside }]);
    await owner.graph(COMMENT, { input: { documentId: first?.id, texts: ['1', '2', '3'] } });
    const few = await counted(() => owner.graph(query, { id: organization.id }));
    expect(few.result.errors).toBeUndefined();
    for (const name of ['b', 'c', 'd']) {
      const [created] = await newDocuments(await owner.context(), project.id, [{ name, folderId: inside }]);
      await newDocuments(await owner.context(), project.id, [
        { name, content: `${name}2`, documentId: created?.id },
      ]);
      await owner.graph(COMMENT, { input: { documentId: created?.id, texts: ['1', '2'] } });
    }
    const many = await counted(() => owner.graph(query, { id: organization.id }));
    expect(many.result.data.organization.projects.nodes[0].documents.totalCount).toBe(4);
    expect(many.statements).toEqual(few.statements);
    expect(many.statements).toHaveLength(10);
  });
});
