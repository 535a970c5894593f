import { describe, expect, it } from 'vitest';
import type { Process } from '../../../src/domain/approvals/process.ts';
import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { newId } from '../../../src/lib/id.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { Browser, newAccount, newApp } from '../../support/browser.ts';
import { counted } from '../../support/database.ts';
import { dropJobs } from '../../support/jobs.ts';
import { inspectHtml } from '../../support/mail/inspect.ts';
import { sendKind } from '../../support/mail/kinds.ts';
import { startMailServer } from '../../support/mail/server.ts';
import { newDocuments } from '../../support/storage.ts';
import type { Person } from '../../support/world.ts';
import { HOSTILE, Visitor, visitorsOf } from './scene.ts';

/** A document whose approval by Ann and Bob is pending, and visitors. */
async function scene(name = 'Plan.txt') {
  const world = await newApprovalWorld();
  const { db, owner, ann, bob, project, organization, process, start, approvals } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name }]);
  const itemId = document?.id as string;
  await start(
    await process(
      { name: 'Check', rule: 'ALL', approvers: [ann, bob] },
      { name: 'Sign off', approvers: [ann] },
    ),
    itemId,
  );
  const [approval] = await approvals(itemId);
  const app = await newApp(db);
  const as = visitorsOf(db, app);
  const states = async () =>
    (await approvals(itemId)).flatMap(({ approvers }) => approvers.map(({ state }) => state)).sort();
  const list = `/console/${organization.id}/approvals`;
  return {
    ...world,
    app,
    as,
    states,
    itemId,
    list,
    id: approval?.id as string,
    path: `${list}/${approval?.id}`,
  };
}

describe('an approval in the console', () => {
  it('is reached by the link of the mail, after signing in', async () => {
    await dropJobs();
    const { db, app, ann, as, id, path } = await scene();
    while (await notifyNext(db));
    const server = await startMailServer();
    const arrived = await sendKind({ db }, 'NOTIFICATION', server);
    await server.stop();
    const mail = arrived.find(({ to }) => to[0] === ann.email)?.mail;
    expect(inspectHtml(mail?.html ?? '').links).toContain(`http://docgraph.test/approvals/${id}`);
    const link = `/approvals/${id}`;
    const anonymous = await new Browser(app).open(link);
    expect(anonymous.headers.get('location')).toBe(`/sign-in?return_to=${encodeURIComponent(link)}`);
    const { status, headers } = await (await as(ann)).open(link);
    expect([status, headers.get('location')]).toEqual([303, path]);
  });

  it('shows what it is about, who decides, and what follows', async () => {
    const { owner, ann, bob, as, path } = await scene(HOSTILE.replaceAll('/', ''));
    const { text } = await (await as(ann)).open(path);
    expect(text).not.toContain('<script>alert');
    for (const each of [
      'Read the document',
      'Check',
      'Sign off',
      'Not reached',
      'Your decision',
      owner.email,
    ])
      expect(text).toContain(each);
    for (const { id } of [ann, bob]) expect(text).toContain(`Person ${id.slice(-4)}`);
  });

  it('is approved with a comment, once', async () => {
    const { ann, as, states, path } = await scene();
    const visitor = await as(ann);
    const answer = await visitor.submit(path, { decision: 'approve', comment: 'Fine <b>.' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=approved`]);
    expect(await states()).toEqual(['APPROVED', 'PENDING']);
    const { text } = await visitor.open(`${path}?done=approved`);
    expect(text).toContain('You have approved it.');
    expect(text).toContain('Fine &lt;b&gt;.');
    expect(text).not.toContain('name="decision"');
    const again = await visitor.submit(path, { decision: 'deny', comment: 'No.' });
    expect([again.status, await states()]).toEqual([409, ['APPROVED', 'PENDING']]);
  });

  it('is denied', async () => {
    const { ann, as, states, path } = await scene();
    const visitor = await as(ann);
    await visitor.submit(path, { decision: 'deny' });
    expect(await states()).toContain('DENIED');
    expect((await visitor.open(path)).text).toContain('Denied');
  });

  it('is withdrawn by who requested it, and by nobody else', async () => {
    const { ann, owner, as, states, path, approvals, itemId } = await scene();
    const [requester, approver] = [await as(owner), await as(ann)];
    expect((await approver.open(path)).text).not.toContain('value="withdraw"');
    expect((await approver.submit(path, { decision: 'withdraw' })).status).toBe(403);
    const answer = await requester.submit(path, { decision: 'withdraw' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=withdrawn`]);
    expect([await states(), (await approvals(itemId)).map(({ state }) => state)]).toEqual([
      ['PENDING', 'PENDING'],
      ['WITHDRAWN'],
    ]);
    const { text } = await requester.open(`${path}?done=withdrawn`);
    expect(text).toContain('You have withdrawn it.');
    expect(text).not.toContain('value="withdraw"');
  });

  it('is seen by others of the project, who do not decide', async () => {
    const { cyd, as, states, path } = await scene();
    const visitor = await as(cyd);
    expect((await visitor.open(path)).text).not.toContain('name="decision"');
    expect((await visitor.submit(path, { decision: 'approve' })).status).toBeGreaterThanOrEqual(400);
    expect(await states()).toEqual(['PENDING', 'PENDING']);
  });

  it('is unknown to a stranger, and below another organization', async () => {
    const { db, app, ann, as, id, path } = await scene();
    const stranger = new Visitor(new Browser(app));
    await stranger.browser.signIn(await newAccount(db));
    for (const each of [path, `/approvals/${id}`, '/approvals/apr_nothing'])
      expect((await stranger.open(each)).status).toBe(404);
    expect((await stranger.submit(path, { decision: 'approve' })).status).toBe(404);
    expect((await (await as(ann)).open(`/console/${newId('Organization')}/approvals/${id}`)).status).toBe(
      404,
    );
  });

  it('takes no form of another session', async () => {
    const { ann, as, states, path } = await scene();
    const visitor = await as(ann);
    expect((await visitor.browser.post(path, { decision: 'approve' })).status).toBe(403);
    expect(await states()).toEqual(['PENDING', 'PENDING']);
  });
});

describe('the approvals of an organization in the console', () => {
  it('are those that wait for the visitor, those that they requested, and those in each state', async () => {
    const { owner, ann, cyd, as, list, path } = await scene();
    const holds = async (person: Person, show: string) =>
      (await (await as(person)).open(`${list}?show=${show}`)).text.includes(`href="${path}"`);
    expect(await holds(ann, '')).toBe(true);
    expect(await holds(cyd, 'waiting')).toBe(false);
    expect([await holds(owner, 'requested'), await holds(ann, 'requested')]).toEqual([true, false]);
    expect([await holds(cyd, 'pending'), await holds(cyd, 'denied')]).toEqual([true, false]);
    await (await as(ann)).submit(path, { decision: 'deny' });
    expect([await holds(cyd, 'pending'), await holds(cyd, 'denied')]).toEqual([false, true]);
  });

  it('leave out those of a project that the visitor does not see, and are unknown to a stranger', async () => {
    const { owner, cyd, ann, as, organization, stranger, list, start } = await scene();
    const [secret] = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Secret', access: 'RESTRICTED' }],
    });
    const [document] = await newDocuments(await owner.context(), secret?.id as string, [
      { name: 'Hidden.txt' },
    ]);
    const [run] = await createProcesses(await owner.context(), {
      projectId: secret?.id as string,
      processes: [{ name: 'Check', steps: [{ name: 'Step', approverIds: [owner.id] }] }],
    });
    await start(run as Process, document?.id as string);
    expect((await (await as(owner)).open(`${list}?show=all`)).text).toContain('Hidden.txt');
    for (const person of [ann, cyd])
      expect((await (await as(person)).open(`${list}?show=all`)).text).not.toContain('Hidden.txt');
    expect((await (await as(stranger)).open(list)).status).toBe(404);
  });

  it('take as many statements for 20 as for 2', async () => {
    const { ann, as, list, process, start, document } = await scene();
    const release = await process({ approvers: [ann] });
    const add = async (count: number) => {
      for (let more = 0; more < count; more++) await start(release, await document(`more-${more}.pdf`));
    };
    await add(1);
    const visitor = await as(ann);
    const pages = [list, `${list}?show=all`, '/console/approvals'];
    const count = async (path: string) => (await counted(() => visitor.open(path))).statements.length;
    await count(list);
    const few: number[] = [];
    for (const path of pages) few.push(await count(path));
    await add(18);
    for (const [index, path] of pages.entries())
      expect([path, await count(path)]).toEqual([path, few[index]]);
  });
});
