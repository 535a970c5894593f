import { describe, expect, it } from 'vitest';
import { createTaskComments } from '../../../../src/domain/comments/comment.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { counted } from '../../../support/database.ts';
import { type Answer, newMember, newWorld, type Person } from '../../../support/world.ts';

const FEED = `query ($id: ID!, $first: Int, $after: String, $kinds: [String!], $projectId: ID, $last: Int, $before: String) {
  organization(id: $id) { events(first: $first, after: $after, last: $last, before: $before, kinds: $kinds, projectId: $projectId) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { sequence kind subjectId projectId subject { __typename id } createdBy { id } } } } } }`;

interface Edge {
  cursor: string;
  node: { sequence: number; kind: string; subjectId: string; subject: { __typename: string } | null };
}

interface Feed extends Pick<Answer, 'errors'> {
  edges: Edge[];
  kinds: string[];
  totalCount?: number;
  pageInfo?: object;
}

async function feed(person: Person, id: string, variables: object = {}): Promise<Feed> {
  const { data, errors } = await person.graph(FEED, { id, ...variables });
  if (errors) return { errors, edges: [], kinds: [] };
  const events = data.organization.events;
  const edges = events.edges as Edge[];
  return { errors, ...events, edges, kinds: edges.map(({ node }) => node.kind) };
}

/** A world in which two tasks were created and one was commented on; `hidden` is in a restricted project. */
async function busyWorld() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const [restricted] = await createProjects(ctx, {
    organizationId: world.organization.id,
    projects: [{ name: 'Vault', access: 'RESTRICTED' }],
  });
  const [task] = await createTasks(ctx, { projectId: world.project.id, tasks: [{ name: 'Open' }] });
  const [hidden] = await createTasks(ctx, {
    projectId: restricted?.id as string,
    tasks: [{ name: 'Hidden' }],
  });
  await createTaskComments(ctx, { taskId: task?.id as string, texts: ['Hello'] });
  await createFolders(ctx, { projectId: restricted?.id as string, folders: [{ name: 'Secret' }] });
  return {
    ...world,
    restrictedId: restricted?.id as string,
    taskId: task?.id as string,
    hiddenId: hidden?.id as string,
  };
}

describe('the events of an organization', () => {
  it('are in order, and a client continues after the last sequence that it read', async () => {
    const { owner, organization } = await busyWorld();
    const all = await feed(owner, organization.id);
    expect(all.kinds).toEqual([
      'organization.created',
      'member.added',
      'project.created',
      'project.created',
      'task.created',
      'task.created',
      'task.commented',
      'folder.created',
    ]);
    expect(all.edges.map(({ node }) => node.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const firstPage = await feed(owner, organization.id, { first: 5 });
    expect(firstPage.pageInfo).toEqual({ hasNextPage: true, endCursor: '5' });
    expect((await feed(owner, organization.id, { after: '5' })).edges).toEqual(all.edges.slice(5));
    expect((await feed(owner, organization.id, { last: 2, before: '5' })).edges).toEqual(
      all.edges.slice(2, 4),
    );
    expect((await feed(owner, organization.id, { after: '8' })).edges).toEqual([]);
  });

  it('have their subject in its current state, with a fixed number of statements', async () => {
    const { owner, organization } = await busyWorld();
    const { result, statements } = await counted(() => feed(owner, organization.id));
    expect(result.edges.map(({ node }) => node.subject?.__typename)).toEqual([
      'Organization',
      'User',
      'Project',
      'Project',
      'Task',
      'Task',
      'Task',
      'Folder',
    ]);
    // The viewer, the organization, the page with its actors, its count, and one for each type of subject.
    expect(statements).toHaveLength(8);
  });

  it('are filtered by kind, by noun and by project', async () => {
    const { owner, organization, restrictedId } = await busyWorld();
    const kinds = async (filter: object) => (await feed(owner, organization.id, filter)).kinds;
    expect(await kinds({ kinds: ['task.commented', 'folder.*'] })).toEqual([
      'task.commented',
      'folder.created',
    ]);
    expect(await kinds({ kinds: [] })).toEqual([]);
    expect(await kinds({ projectId: restrictedId })).toEqual([
      'project.created',
      'task.created',
      'folder.created',
    ]);
  });

  it('are visible if their subject is: to a member, one added to a restricted project, a guest, a stranger', async () => {
    const { db, owner, organization, restrictedId, hiddenId, stranger } = await busyWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const guest = await newMember(db, organization.id, 'GUEST');
    const kinds = ['organization.created', 'project.created', 'task.created', 'task.commented'];
    expect((await feed(member, organization.id)).kinds).toEqual(kinds);
    expect((await feed(guest, organization.id)).kinds).toEqual(['organization.created']);
    await addProjectMembers(await owner.context(), {
      projectId: restrictedId,
      members: [{ person: { email: member.email }, role: 'EDITOR' }],
    });
    expect((await feed(member, organization.id)).kinds).toEqual([
      'organization.created',
      'project.created',
      'project.created',
      'task.created',
      'task.commented',
    ]);
    await db.prisma.task.update({ where: { id: hiddenId }, data: { assigneeEmail: member.email } });
    const assigned = await feed(member, organization.id, { projectId: restrictedId });
    expect(assigned.kinds).toEqual(['project.created', 'task.created']);
    expect(assigned.totalCount).toBe(2);
    const outside = await feed(stranger, organization.id);
    expect(outside.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('of a deleted subject show only its deletion, to those who could see its surroundings', async () => {
    const { db, owner, organization, project } = await busyWorld();
    const ctx = await owner.context();
    const member = await newMember(db, organization.id, 'MEMBER');
    const guest = await newMember(db, organization.id, 'GUEST');
    const [folder] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Gone' }] });
    const { errors } = await owner.graph(
      `mutation ($id: ID!, $projectId: ID!) { deleteFolders(input: { projectId: $projectId, folderIds: [$id] }) { __typename } }`,
      { id: folder?.id, projectId: project.id },
    );
    expect(errors).toBeUndefined();
    for (const person of [owner, member]) {
      const { edges } = await feed(person, organization.id, { projectId: project.id, kinds: ['folder.*'] });
      expect(edges.map(({ node }) => [node.kind, node.subject])).toEqual([['folder.deleted', null]]);
    }
    expect((await feed(guest, organization.id, { kinds: ['folder.*'] })).kinds).toEqual([]);
  });

  it.each([
    [{ kinds: ['nonsense'] }],
    [{ kinds: ["task.'; --"] }],
    [{ after: 'abc' }],
    [{ after: '99999999999999999999' }],
  ])('refuse %j', async (variables) => {
    const { owner, organization } = await newWorld();
    const { errors } = await feed(owner, organization.id, variables);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});
