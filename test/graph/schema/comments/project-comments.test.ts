import { describe, expect, it } from 'vitest';
import { createComments, createTaskComments } from '../../../../src/domain/comments/comment.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $first: Int, $after: String, $direction: OrderDirection) { project(id: $id) {
  comments(first: $first, after: $after, direction: $direction) { totalCount pageInfo { hasNextPage endCursor }
    nodes { id text subjectId taskRevision createdBy { id } subject { __typename id } } } } }`;

/** A restricted project with comments on two documents and a task, one of the documents assigned to a member. */
async function setUp() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const ctx = await owner.context();
  const [project] = await createProjects(ctx, {
    organizationId: organization.id,
    projects: [{ name: 'Staff', access: 'RESTRICTED' }],
  });
  if (!project) throw new Error('no project');
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const [first, second] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
  const ids = [first?.id, second?.id, task?.id] as [string, string, string];
  await createComments(ctx, { documentId: ids[0], texts: ['one', 'two'] });
  await createTaskComments(ctx, { taskId: ids[2], texts: ['three'] });
  await createComments(ctx, { documentId: ids[1], texts: ['four'] });
  await db.prisma.documentAssignment.create({
    data: { organizationId: organization.id, documentId: ids[1], email: member.email },
  });
  const list = async (who: Person, variables: object = {}) =>
    (await who.graph(LIST, { id: project.id, first: 20, ...variables })).data?.project?.comments;
  return { ...world, project, member, ids, list };
}

const textsOf = ({ nodes }: { nodes: { text: string }[] }) => nodes.map(({ text }) => text);

describe('the comments of a project', () => {
  it('are those on its documents and tasks, newest first, with their subjects', async () => {
    const { owner, ids, list } = await setUp();
    const comments = await list(owner);
    expect([comments.totalCount, textsOf(comments)]).toEqual([4, ['four', 'three', 'two', 'one']]);
    expect(comments.nodes[1]).toMatchObject({
      ...{ subjectId: ids[2], subject: { __typename: 'Task', id: ids[2] }, taskRevision: expect.any(Number) },
      createdBy: { id: owner.id },
    });
    expect(comments.nodes[0].subject).toEqual({ __typename: 'Document', id: ids[1] });
    expect(textsOf(await list(owner, { direction: 'ASC' }))).toEqual(['one', 'two', 'three', 'four']);
  });

  it('lead page by page to the end', async () => {
    const { owner, list } = await setUp();
    const page = await list(owner, { first: 3 });
    const rest = await list(owner, { first: 3, after: page.pageInfo.endCursor });
    expect([textsOf(page), textsOf(rest)]).toEqual([['four', 'three', 'two'], ['one']]);
    expect([page.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  it('are only those on objects that the caller may see', async () => {
    const { db, stranger, organization, project, member, list } = await setUp();
    const { totalCount, ...page } = await list(member);
    expect([totalCount, textsOf(page)]).toEqual([1, ['four']]);
    const outside = await newMember(db, organization.id, 'MEMBER');
    for (const who of [outside, stranger]) {
      const { errors } = await who.graph(LIST, { id: project.id });
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    }
  });

  it('take as many statements for twenty comments as for four', async () => {
    const { owner, ids, list } = await setUp();
    const few = await counted(() => list(owner));
    const ctx = await owner.context();
    const texts = Array.from({ length: 16 }, (_, index) => `more ${index}`);
    await createComments(ctx, { documentId: ids[0], texts });
    const many = await counted(() => list(owner));
    expect([many.result.totalCount, many.statements]).toEqual([20, few.statements]);
  });
});
