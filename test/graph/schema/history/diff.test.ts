import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { updateDocument } from '../../../../src/domain/documents/document-change.ts';
import { updateFolder } from '../../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../../src/domain/folders/folder-delete.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld } from '../../../support/world.ts';
import { lastSequence } from './world.ts';

const DIFF = `query ($id: ID!, $from: AsOf!, $to: AsOf, $first: Int, $after: String) { project(id: $id) {
  diff(from: $from, to: $to, first: $first, after: $after) { totalCount pageInfo { endCursor } nodes { subjectId kind members
    before { ...Named } after { ...Named } events { nodes { kind } } } } } }
  fragment Named on Node { id ... on Document { name tags } ... on Folder { name } ... on Project { name } }`;

async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const projectId = world.project.id;
  const [folder, gone] = await createFolders(ctx, {
    projectId,
    folders: [{ name: 'Kept' }, { name: 'Gone' }],
  });
  const [document] = await newDocuments(ctx, projectId, [{ name: 'one.txt', tags: ['old'] }]);
  const ids = { folder: folder?.id as string, gone: gone?.id as string, document: document?.id as string };
  const last = () => lastSequence(world.db, world.organization.id);
  return { ...world, ctx, ids, last, from: { sequence: await last() } };
}

describe('the difference between two moments', () => {
  it('lists each item that differs once, as it was and as it is, with its events', async () => {
    const { owner, project, ctx, ids, from } = await setUp();
    await updateDocument(ctx, { documentId: ids.document, name: 'two.txt' });
    await updateDocument(ctx, { documentId: ids.document, tags: ['new'] });
    await deleteFolders(ctx, { projectId: project.id, folderIds: [ids.gone] });
    const [created] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Created' }] });
    const { data, errors } = await owner.graph(DIFF, { id: project.id, from });
    expect(errors).toBeUndefined();
    const nodes = data.project.diff.nodes;
    expect(nodes).toHaveLength(3);
    expect(nodes[0]).toEqual({
      subjectId: ids.document,
      kind: 'DOCUMENT',
      members: ['name', 'tags'],
      before: { id: ids.document, name: 'one.txt', tags: ['old'] },
      after: { id: ids.document, name: 'two.txt', tags: ['new'] },
      events: { nodes: [{ kind: 'document.updated' }, { kind: 'document.updated' }] },
    });
    const folders = nodes.slice(1) as { subjectId: string; before: object; after: object }[];
    expect(folders.map(({ subjectId, before, after }) => ({ subjectId, before, after }))).toEqual([
      { subjectId: ids.gone, before: { id: ids.gone, name: 'Gone' }, after: null },
      { subjectId: created?.id, before: null, after: { id: created?.id, name: 'Created' } },
    ]);
  });

  it('leaves out what was changed back, and ends at the second moment', async () => {
    const { owner, project, ctx, ids, from, last } = await setUp();
    await updateFolder(ctx, { folderId: ids.folder, name: 'Other' });
    const to = { sequence: await last() };
    await updateFolder(ctx, { folderId: ids.folder, name: 'Kept' });
    const now = await owner.graph(DIFF, { id: project.id, from });
    expect(now.data.project.diff).toMatchObject({ totalCount: 0, nodes: [] });
    const then = await owner.graph(DIFF, { id: project.id, from, to });
    expect(then.data.project.diff.nodes).toMatchObject([
      { subjectId: ids.folder, members: ['name'], after: { name: 'Other' } },
    ]);
    const reversed = await owner.graph(DIFF, { id: project.id, from: to, to: from });
    expect(reversed.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('has pages, and what is gone for admins alone', async () => {
    const { db, owner, organization, project, ctx, ids, from } = await setUp();
    await updateProject(ctx, { projectId: project.id, name: 'Renamed' });
    await updateFolder(ctx, { folderId: ids.folder, name: 'Other' });
    await deleteFolders(ctx, { projectId: project.id, folderIds: [ids.gone] });
    const first = (await owner.graph(DIFF, { id: project.id, from, first: 2 })).data.project.diff;
    const after = first.pageInfo.endCursor;
    const second = (await owner.graph(DIFF, { id: project.id, from, first: 2, after })).data.project.diff;
    const idsOf = ({ nodes }: { nodes: { subjectId: string }[] }) => nodes.map(({ subjectId }) => subjectId);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([ids.folder, ids.gone, project.id].sort());
    const member = await newMember(db, organization.id, 'MEMBER');
    expect(idsOf((await member.graph(DIFF, { id: project.id, from })).data.project.diff)).toEqual([
      ids.folder,
      project.id,
    ]);
  });

  it('reads both moments in as many statements for one item as for many', async () => {
    const { owner, project, ctx, ids, from } = await setUp();
    await updateFolder(ctx, { folderId: ids.folder, name: 'Other' });
    const read = () => counted(() => owner.graph(DIFF, { id: project.id, from }));
    const one = await read();
    await createFolders(ctx, {
      projectId: project.id,
      folders: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
    expect((await read()).statements).toHaveLength(one.statements.length);
  });
});

/** JSON with the members of objects sorted at every depth. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('the recorded state of an item', () => {
  it('is proved by its salt, and the event by the hashes of all that was written with it', async () => {
    const { db, owner, project, ctx, ids, from } = await setUp();
    const { data } = await owner.graph(
      `query ($id: ID!, $from: AsOf) { folder(id: $id, asOf: $from) { recordedState { from to content salt hash hashes event { id } } } }`,
      { id: ids.folder, from },
    );
    const { content, salt, hash, hashes, event } = data.folder.recordedState;
    expect(JSON.parse(content)).toMatchObject({ name: 'Kept', project_id: project.id });
    expect(content).not.toContain('link_sealed');
    expect(sha256(Buffer.from(salt, 'hex'), canonical(JSON.parse(content)))).toBe(hash);
    expect(hashes).toHaveLength(2);
    expect(hashes).toContain(hash);
    const { stateHash } = await db.prisma.event.findUniqueOrThrow({ where: { id: event.id } });
    expect(sha256(...hashes.map((each: string) => Buffer.from(each, 'hex')))).toBe(
      Buffer.from(stateHash as Uint8Array).toString('hex'),
    );
    await updateFolder(ctx, { folderId: ids.folder, name: 'Other' });
    const later = await owner.graph(
      `query ($id: ID!, $from: AsOf) { folder(id: $id, asOf: $from) { recordedState { to hash } } }`,
      { id: ids.folder, from },
    );
    expect(later.data.folder.recordedState).toEqual({ to: from.sequence + 1, hash });
  });
});
