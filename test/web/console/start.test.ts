import { beforeAll, describe, expect, it } from 'vitest';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { newApp } from '../../support/browser.ts';
import { counted } from '../../support/database.ts';
import type { Person } from '../../support/world.ts';
import { HOSTILE, newScene, visitorsOf } from './scene.ts';

type World = Awaited<ReturnType<typeof newApprovalWorld>>;

let world: World;
let as: ReturnType<typeof visitorsOf>;

beforeAll(async () => {
  world = await newApprovalWorld();
  as = visitorsOf(world.db, await newApp(world.db));
});

const assign = async (id: string, { email }: Person, dueAt: string) =>
  world.db.prisma.task.update({ where: { id }, data: { assigneeEmail: email, dueAt: new Date(dueAt) } });

describe('the first page of the console', () => {
  it('has the approvals that wait for the visitor, their open tasks and the documents that changed last', async () => {
    const { ann, organization, project, requestApproval, task } = world;
    const { id } = await requestApproval(ann);
    const taskId = await task(HOSTILE);
    await assign(taskId, ann, '2020-01-01T10:00:00Z');
    const { text } = await (await as(ann)).open('/console');
    const path = `/console/${organization.id}`;
    expect(text).toContain(`href="${path}/approvals/${id}"`);
    expect(text).toContain(`href="${path}/projects/${project.id}/tasks/${taskId}"`);
    expect(text).toContain('Overdue');
    expect(text).toContain('permit.pdf');
    expect(text).not.toContain('<script>alert');
    for (const href of ['/graphql', '/api/v1/docs', '/docs']) expect(text).toContain(`<a href="${href}"`);
  });

  it('has nothing of what others have to do, nor of other organizations', async () => {
    const { bob, stranger, organization } = world;
    const { text } = await (await as(bob)).open('/console');
    for (const each of ['No approval waits for you.', 'No open task is assigned to you.'])
      expect(text).toContain(each);
    expect((await (await as(stranger)).open('/console')).text).not.toContain(organization.id);
  });

  it('shows five of each, and leads to all', async () => {
    const { bob, requestApproval, task } = world;
    const visitor = await as(bob);
    const links = async () => {
      const { text } = await visitor.open('/console');
      return [text.includes('All your approvals'), text.includes('All your tasks')];
    };
    expect(await links()).toEqual([false, false]);
    for (let more = 0; more < 6; more++) {
      await requestApproval(bob);
      await assign(await task(`Task ${more}`), bob, '2031-01-01T10:00:00Z');
    }
    expect(await links()).toEqual([true, true]);
    const { text } = await visitor.open('/console');
    expect(text.match(/href="[^"]+\/approvals\/apr_/g)).toHaveLength(5);
    expect(text.match(/href="[^"]+\/tasks\/tsk_/g)).toHaveLength(5);
  });

  it('takes as many statements for many as for one of each', async () => {
    const { cyd, requestApproval, task } = world;
    const add = async (count: number) => {
      for (let more = 0; more < count; more++) {
        await requestApproval(cyd);
        await assign(await task(`Task ${more}`), cyd, '2031-01-01T10:00:00Z');
      }
    };
    const visitor = await as(cyd);
    const count = async () => (await counted(() => visitor.open('/console'))).statements.length;
    await add(1);
    await count();
    const few = await count();
    await add(4);
    expect(await count()).toBe(few);
  });
});

it('all documents of the visitor are listed, in pages, and none that others see', async () => {
  const { ann, stranger, document } = world;
  for (let more = 0; more < 26; more++) await document(`Plan ${more}.pdf`);
  const visitor = await as(ann);
  expect((await visitor.open('/console')).text).toContain('All your documents');
  const { text } = await visitor.open('/console/documents');
  expect(text.match(/\/documents\/doc_\w+"/g)).toHaveLength(25);
  expect(text).toContain('Next page');
  expect((await (await as(stranger)).open('/console/documents')).text).toContain('You see no document yet.');
});

describe('the first page of an organization', () => {
  it('has the first ten of its projects', async () => {
    const { owner, organization, project } = world;
    const path = `/console/${organization.id}`;
    const visitor = await as(owner);
    const { text } = await visitor.open(path);
    expect(text).toContain(`href="${path}/projects/${project.id}"`);
    expect(text).not.toContain('All projects');
    const projects = Array.from({ length: 10 }, (_, index) => ({ name: `A${index}` }));
    await createProjects(await owner.context(), { organizationId: organization.id, projects });
    const after = (await visitor.open(path)).text;
    expect(after).toContain('All projects');
    expect(after.match(/href="[^"]+\/projects\/prj_/g)).toHaveLength(10);
  });

  it('counts the invitations whose mail will not arrive', async () => {
    const { as, path, db } = await newScene();
    const states = [
      'REFUSED',
      'GIVEN_UP',
      'CANCELLED',
      'UNCERTAIN',
      'NOT_CONFIGURED',
      'SENT',
      'WAITING',
    ] as const;
    for (const state of states) {
      const email = `${state.toLowerCase()}@example.test`;
      await as.owner.submit(`${path}/people/invite`, { email, role: 'MEMBER' });
      await db.prisma.mail.updateMany({ where: { toEmail: email }, data: { state } });
    }
    const { text } = await as.admin.open(path);
    expect(text).toMatch(/>\s*7 open invitations\s*</);
    expect(text).toMatch(/>\s*5 invitations not delivered\s*</);
    expect((await as.member.open(path)).text).not.toContain('invitation');
  });
});
