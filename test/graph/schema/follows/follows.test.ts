import { describe, expect, it } from 'vitest';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $kind: FollowKind, $projectId: ID) { organization(id: $id) { viewerFollows(first: 20, kind: $kind, projectId: $projectId) {
  totalCount nodes { id kind createdAt subject { id ... on Document { name viewerFollows viewerFollow { id } } } } } } }`;

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const documents = await newDocuments(ctx, project.id, [
    { name: 'a.txt' },
    { name: 'b.txt' },
    { name: 'c.txt' },
  ]);
  const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'In' }] });
  const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
  const change = (who: Person, name: string, input: object) =>
    who.graph(
      `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`,
      { input },
    );
  const list = async (who: Person, kind?: string, projectId?: string) =>
    (await who.graph(LIST, { id: organization.id, kind, projectId })).data.organization.viewerFollows;
  const ids = documents.map(({ id }) => id) as [string, string, string];
  return { ...world, ids, folder: folder?.id as string, task: task?.id as string, change, list };
}

describe('following', () => {
  it('holds documents, folders, tasks and projects, newest first, each once', async () => {
    const { owner, project, ids, folder, task, change, list } = await setUp();
    for (const input of [{ documentIds: [ids[0], ids[0]] }, { documentIds: [ids[0]] }])
      expect((await change(owner, 'followDocuments', input)).errors).toBeUndefined();
    await change(owner, 'followFolders', { folderIds: [folder] });
    await change(owner, 'followTasks', { taskIds: [task] });
    await change(owner, 'followProjects', { projectIds: [project.id] });
    const all = await list(owner);
    expect([all.totalCount, all.nodes.map((each: { subject: { id: string } }) => each.subject.id)]).toEqual([
      4,
      [project.id, task, folder, ids[0]],
    ]);
    const [follow] = (await list(owner, 'DOCUMENT')).nodes;
    expect(follow).toMatchObject({
      kind: 'DOCUMENT',
      subject: { name: 'a.txt', viewerFollows: true, viewerFollow: { id: follow.id } },
    });
    await change(owner, 'unfollowDocuments', { documentIds: [ids[0], ids[1]] });
    expect(await list(owner, 'DOCUMENT')).toMatchObject({ totalCount: 0, nodes: [] });
  });

  it('follows all of a batch or none, and nothing under another project', async () => {
    const { owner, stranger, ids, change, list } = await setUp();
    const { project: elsewhere } = await newWorld();
    const refused = async (who: Person, input: object) =>
      (await change(who, 'followDocuments', input)).errors?.[0]?.extensions.code;
    expect(await refused(owner, { documentIds: [ids[0], 'none'] })).toBe('NOT_FOUND');
    expect(await refused(owner, { documentIds: [] })).toBe('BAD_USER_INPUT');
    expect(await refused(owner, { documentIds: [ids[0]], projectId: elsewhere.id })).toBe('NOT_FOUND');
    expect(await refused(stranger, { documentIds: [ids[0]] })).toBe('NOT_FOUND');
    expect((await list(owner)).totalCount).toBe(0);
  });

  it('is open to whoever sees the object, seen by nobody else, and hidden with the object', async () => {
    const { db, owner, organization, project, ids, change, list } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    const membership = await joinProject(db, project, guest, 'VIEWER');
    expect((await change(guest, 'followDocuments', { documentIds: [ids[0]] })).errors).toBeUndefined();
    const [{ id }] = (await list(guest)).nodes;
    expect((await list(owner)).totalCount).toBe(0);
    const node = `query ($id: ID!) { node(id: $id) { id } }`;
    expect((await owner.graph(node, { id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await guest.graph(node, { id })).data.node.id).toBe(id);
    await db.prisma.projectMember.delete({ where: { id: membership } });
    expect((await list(guest)).totalCount).toBe(0);
    expect((await guest.graph(node, { id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('is listed for one project, with the project itself', async () => {
    const { owner, organization, project, ids, change, list } = await setUp();
    const ctx = await owner.context();
    const [other] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Other' }],
    });
    const [elsewhere] = await newDocuments(ctx, other?.id as string, [{ name: 'e.txt' }]);
    await change(owner, 'followDocuments', { documentIds: [ids[0], elsewhere?.id] });
    await change(owner, 'followProjects', { projectIds: [project.id] });
    const subjectsOf = async (kind: string | undefined, projectId: string) =>
      (await list(owner, kind, projectId)).nodes.map((each: { subject: { id: string } }) => each.subject.id);
    expect(await subjectsOf(undefined, project.id)).toEqual([project.id, ids[0]]);
    expect(await subjectsOf('DOCUMENT', other?.id as string)).toEqual([elsewhere?.id]);
    expect(await subjectsOf('DOCUMENT', 'prj_unknown')).toEqual([]);
  });

  it('ends with the object', async () => {
    const { db, owner, ids, change } = await setUp();
    await change(owner, 'followDocuments', { documentIds: [ids[0]] });
    await owner.graph(
      `mutation ($ids: [ID!]!) { recycleDocuments(input: { documentIds: $ids }) { __typename } }`,
      {
        ids: [ids[0]],
      },
    );
    await owner.graph(
      `mutation ($ids: [ID!]!) { purgeDocuments(input: { documentIds: $ids }) { __typename } }`,
      {
        ids: [ids[0]],
      },
    );
    expect(await db.prisma.follow.count({ where: { documentId: ids[0] } })).toBe(0);
  });

  it('costs as many statements for many as for one', async () => {
    const { owner, ids, change, list } = await setUp();
    await change(owner, 'followDocuments', { documentIds: [ids[0]] });
    const one = await counted(() => list(owner));
    await change(owner, 'followDocuments', { documentIds: ids });
    const many = await counted(() => list(owner));
    expect(many.result.totalCount).toBe(3);
    expect(many.statements).toEqual(one.statements);
  });
});
