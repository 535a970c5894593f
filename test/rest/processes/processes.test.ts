import { describe, expect, it } from 'vitest';
import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { newMember, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const steps = [{ name: 'Check', approverIds: [owner.id] }];
  const processes = ['Release', 'archive', 'Gone'].map((name) => ({ name, steps }));
  const created = await createProcesses(await owner.context(), { projectId: project.id, processes });
  await db.prisma.process.update({ where: { id: created[2]?.id }, data: { archivedAt: new Date() } });
  const path = `/organizations/${organization.id}/projects/${project.id}/processes`;
  return { ...world, created, path };
}

describe('the processes of a project over REST v1', () => {
  it('are those that can be started, by name', async () => {
    const { owner, project, created, path } = await setUp();
    const { body } = await owner.rest('GET', path);
    expect(body.Processes.map(({ Name }: { Name: string }) => Name)).toEqual(['archive', 'Release']);
    expect(body.Processes[1]).toMatchObject({
      ...{ ID: created[0]?.id, NameLower: 'release', ProjectID: project.id, ProjectName: project.name },
      ProjectAccess: { MemberAccess: { Tasks: 'World' } },
    });
    const descending = await owner.rest('GET', `${path}?sortDescending=true`);
    expect(descending.body.Processes).toEqual(body.Processes.reverse());
  });

  it('are complete with getAll', async () => {
    const { owner, project, path } = await setUp();
    const steps = [{ name: 'Check', approverIds: [owner.id] }];
    const processes = Array.from({ length: 30 }, (_, index) => ({ name: `P${index}`, steps }));
    await createProcesses(await owner.context(), { projectId: project.id, processes });
    const [page, all] = [await owner.rest('GET', path), await owner.rest('GET', `${path}?getAll=True`)];
    expect([page.body.Processes.length, page.body.PageSize]).toEqual([25, 25]);
    expect([all.body.Processes.length, all.body.PageSize, all.body.Cursor]).toEqual([32, 0, 'end']);
  });

  it('are read by members, and not found by strangers', async () => {
    const { db, organization, stranger, path } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    expect((await member.rest('GET', path)).body.Processes).toHaveLength(2);
    expect((await stranger.rest('GET', path)).status).toBe(404);
  });
});
