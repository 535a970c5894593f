import { describe, expect, it } from 'vitest';
import { followDocuments, followTasks } from '../../../src/domain/follows/follow-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld } from '../../support/world.ts';

/** The owner follows one document and the task of a project, and a document of another one. */
async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const [other] = await createProjects(ctx, {
    organizationId: organization.id,
    projects: [{ name: 'Other' }],
  });
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  const [elsewhere] = await newDocuments(ctx, other?.id as string, [{ name: 'c.txt' }]);
  const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
  const [documentId, taskId] = [document?.id as string, task?.id as string];
  await followDocuments(ctx, { documentIds: [documentId, elsewhere?.id as string] });
  await followTasks(ctx, { taskIds: [taskId] });
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  return { ...world, ctx, base, documentId, taskId };
}

describe('what the caller follows in a project over REST v1', () => {
  it('are the documents of that project', async () => {
    const { owner, organization, project, base, documentId } = await setUp();
    const { status, body } = await owner.rest('GET', `${base}/documentSubscriptions`);
    const record = {
      ...{ UserID: owner.id, OrganizationID: organization.id, ProjectID: project.id },
      ...{ DocumentID: documentId, CreatedOn: expect.any(String), ModifiedOn: '0001-01-01T00:00:00Z' },
    };
    expect([status, body.DocumentSubscriptions]).toEqual([200, [record]]);
    const { CreatedOn } = (await owner.rest('GET', `${base}/documentSubscriptions/${documentId}`)).body;
    expect(body.DocumentSubscriptions[0].CreatedOn).toBe(CreatedOn);
  });

  it('are its tasks', async () => {
    const { owner, base, taskId } = await setUp();
    const { status, body } = await owner.rest('GET', `${base}/taskSubscriptions`);
    const ids = body.TaskSubscriptions.map(({ TaskID }: { TaskID: string }) => TaskID);
    expect([status, ids]).toEqual([200, [taskId]]);
  });

  it('is seen by nobody else', async () => {
    const { db, organization, stranger, base } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const { body } = await member.rest('GET', `${base}/documentSubscriptions`);
    expect(body.DocumentSubscriptions).toEqual([]);
    for (const name of ['documentSubscriptions', 'taskSubscriptions'])
      expect((await stranger.rest('GET', `${base}/${name}`)).status).toBe(404);
  });

  it('leads from page to page', async () => {
    const { ctx, owner, project, base } = await setUp();
    const tasks = Array.from({ length: 30 }, (_, index) => ({ name: `T${index}` }));
    const created = await createTasks(ctx, { projectId: project.id, tasks });
    await followTasks(ctx, { taskIds: created.map(({ id }) => id) });
    const first = (await owner.rest('GET', `${base}/taskSubscriptions`)).body;
    const second = (await owner.rest('GET', `${base}/taskSubscriptions?cursor=${first.Cursor}`)).body;
    const ids = [first, second].flatMap(({ TaskSubscriptions }) =>
      TaskSubscriptions.map(({ TaskID }: { TaskID: string }) => TaskID),
    );
    expect([first.TaskSubscriptions.length, new Set(ids).size]).toEqual([25, 31]);
  });
});
