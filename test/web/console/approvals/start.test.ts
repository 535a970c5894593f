import { describe, expect, it } from 'vitest';
import { counted } from '../../../support/database.ts';
import { HOSTILE } from '../scene.ts';
import { newApprovalScene } from './scene.ts';

/** A document and a task of a project, and the paths of their pages. */
async function scene() {
  const world = await newApprovalScene();
  const { db, newDocument, task, projectPath } = world;
  const [documentId, taskId] = [await newDocument(), await task()];
  const runs = () =>
    db.prisma.processRun.findMany({
      where: { OR: [{ documentId }, { taskId }] },
      orderBy: { createdAt: 'asc' },
    });
  const pages = [`${projectPath}/documents/${documentId}`, `${projectPath}/tasks/${taskId}`] as const;
  return { ...world, documentId, taskId, runs, pages };
}

describe('a process in the console', () => {
  it('is started on a document and on a task, whose pages lead to its approval', async () => {
    const { db, ann, bob, process, as, pages, runs, approvals, documentId, taskId, organizationPath } =
      await scene();
    const { id: processId } = await process({ name: 'Check', approvers: [bob] });
    await db.prisma.process.update({ where: { id: processId }, data: { name: `Release ${HOSTILE}` } });
    const editor = await as(ann);
    for (const [index, page] of pages.entries()) {
      expect((await editor.open(page)).text).toContain('No process was started on it.');
      const { headers } = await editor.submit(`${page}/processes`, { processId });
      expect(headers.get('location')).toContain(`${page}?done=started`);
      const [approval] = await approvals([documentId, taskId][index] as string);
      const { text } = await editor.open(`${page}?done=started`);
      expect(text).toContain(`href="${organizationPath}/approvals/${approval?.id}"`);
      for (const each of ['The process was started.', 'Release &lt;script&gt;']) expect(text).toContain(each);
      expect(text).not.toContain('<script>alert');
    }
    expect(await runs()).toMatchObject([
      { documentId, createdById: ann.id, state: 'PENDING' },
      { taskId, createdById: ann.id, state: 'PENDING' },
    ]);
  });

  it('says at its field why it cannot be started', async () => {
    const { db, ann, process, as, pages, runs } = await scene();
    const own = await process({ name: 'Check', approvers: [ann], excludeRequester: true });
    const running = await process({ name: 'Check', approvers: [ann] });
    const disabled = await process({ name: 'Check', approvers: [ann] });
    await db.prisma.process.update({ where: { id: disabled.id }, data: { archivedAt: new Date() } });
    const editor = await as(ann);
    for (const page of pages) {
      expect((await editor.open(page)).text).not.toContain(`value="${disabled.id}"`);
      await editor.submit(`${page}/processes`, { processId: running.id });
      const refused: [string, number, string][] = [
        [own.id, 409, 'Nobody may decide the step Check'],
        [running.id, 409, 'The process is under way on an item already.'],
        [disabled.id, 409, 'The process is disabled.'],
      ];
      for (const [processId, status, reason] of refused) {
        const answer = await editor.submit(`${page}/processes`, { processId });
        expect([answer.status, answer.text.includes(reason)]).toEqual([status, true]);
        expect(answer.text).toContain('id="processId-error"');
      }
      const unknown = await editor.submit(`${page}/processes`, { processId: 'prc_nothing' });
      expect([404, 422]).toContain(unknown.status);
    }
    expect(await runs()).toHaveLength(2);
  });

  it('is started by no viewer, by no stranger, and by no form of another session', async () => {
    const { ann, bob, stranger, process, as, join, pages, runs } = await scene();
    const { id: processId } = await process({ name: 'Check', approvers: [bob] });
    await join(ann, 'VIEWER');
    const [viewer, outsider, editor] = [await as(ann), await as(stranger), await as(bob)];
    for (const page of pages) {
      expect((await viewer.open(page)).text).not.toContain(`${page}/processes`);
      expect((await editor.open(page)).text).toContain(`${page}/processes`);
      expect((await viewer.submit(`${page}/processes`, { processId })).status).toBe(403);
      expect((await outsider.submit(`${page}/processes`, { processId })).status).toBe(404);
      expect((await editor.browser.post(`${page}/processes`, { processId })).status).toBe(403);
    }
    expect(await runs()).toEqual([]);
  });

  it('is offered by the page of a project without one to its admins', async () => {
    const { ann, owner, as, pages, projectPath } = await scene();
    const [admin, editor] = [await as(owner), await as(ann)];
    for (const page of pages) {
      expect((await admin.open(page)).text).toContain(`${projectPath}/processes/new`);
      expect((await editor.open(page)).text).toContain('Its admins create one.');
    }
  });

  it('takes as many statements for many runs as for one', async () => {
    const { ann, owner, process, start, as, pages, documentId, taskId } = await scene();
    const visitor = await as(owner);
    const count = async (page: string) => (await counted(() => visitor.open(page))).statements.length;
    const add = async () => start(await process({ name: 'Check', approvers: [ann] }), documentId, taskId);
    await add();
    for (const page of pages) await count(page);
    const few = [await count(pages[0]), await count(pages[1])];
    for (let more = 0; more < 4; more++) await add();
    expect([await count(pages[0]), await count(pages[1])]).toEqual(few);
  });
});
