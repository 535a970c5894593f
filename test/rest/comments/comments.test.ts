import { describe, expect, it } from 'vitest';
import { createComments, createTaskComments } from '../../../src/domain/comments/comment.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

const textsOf = (body: { ProjectEvents: { DetailJson: string }[] }) =>
  body.ProjectEvents.map(({ DetailJson }) => JSON.parse(DetailJson).Text);

/** A restricted project with a document that is assigned to a member, and a task that is not. */
async function setUp() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const ctx = await owner.context();
  const organizationId = organization.id;
  const [project] = await createProjects(ctx, {
    organizationId,
    projects: [{ name: 'Staff', access: 'RESTRICTED' }],
  });
  if (!project) throw new Error('no project');
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
  const [documentId, taskId] = [document?.id as string, task?.id as string];
  await createComments(ctx, { documentId, texts: ['one'] });
  await createTaskComments(ctx, { taskId, texts: ['two'] });
  const member = await newMember(db, organizationId, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  await db.prisma.documentAssignment.create({ data: { organizationId, documentId, email: member.email } });
  const base = `/organizations/${organizationId}/projects/${project.id}`;
  return { ...world, ctx, member, base, path: `${base}/comments`, documentId, taskId };
}

describe('the comments of a project over REST v1', () => {
  it('are those on documents and tasks, newest first, and say what they are on', async () => {
    const { owner, path, documentId, taskId } = await setUp();
    const { body } = await owner.rest('GET', path);
    expect(
      body.ProjectEvents.map(({ ItemType, ItemID }: Record<string, string>) => [ItemType, ItemID]),
    ).toEqual([
      ['Task', taskId],
      ['Document', documentId],
    ]);
    expect(body.ProjectEvents[0]).toMatchObject({
      ...{ ID: expect.stringMatching(/^evt_/), Type: 'Comment', DetailJson: '{"Text":"two"}' },
      ...{ CreatedByUserID: owner.id, CreatedByUserEmail: owner.email, ModifiedOn: '0001-01-01T00:00:00Z' },
    });
    expect(textsOf((await owner.rest('GET', `${path}?sortDescending=false`)).body)).toEqual(['one', 'two']);
  });

  it('have the same ids as among the comments of their document', async () => {
    const { owner, base, path, documentId } = await setUp();
    const own = await owner.rest('GET', `${base}/documents/${documentId}/comments`);
    const { body } = await owner.rest('GET', path);
    expect(body.ProjectEvents[1].ID).toBe(own.body.DocumentEvents[0].ID);
  });

  it('are those that the caller may see', async () => {
    const { member, stranger, path } = await setUp();
    expect(textsOf((await member.rest('GET', path)).body)).toEqual(['one']);
    expect((await stranger.rest('GET', path)).status).toBe(404);
  });

  it('lead from page to page, and from the newest of a page to newer ones', async () => {
    const { ctx, owner, path, documentId } = await setUp();
    const texts = Array.from({ length: 30 }, (_, index) => `n${index}`);
    await createComments(ctx, { documentId, texts });
    const first = (await owner.rest('GET', path)).body;
    const second = (await owner.rest('GET', `${path}?cursor=${first.Cursor}`)).body;
    expect([...textsOf(first), ...textsOf(second)]).toEqual([...texts.reverse(), 'two', 'one']);
    await createComments(ctx, { documentId, texts: ['newer'] });
    const newer = await owner.rest('GET', `${path}?cursor=${first.ReverseCursor}&sortDescending=false`);
    expect(textsOf(newer.body)).toEqual(['newer']);
  });
});
