import { beforeEach, expect, it } from 'vitest';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { newApprovalWorld } from '../support/approvals.ts';
import { Browser, hidden, newAccount, newApp, withPassword } from '../support/browser.ts';
import { dropJobs } from '../support/jobs.ts';
import { inspectHtml } from '../support/mail/inspect.ts';
import { sendKind } from '../support/mail/kinds.ts';
import { startMailServer } from '../support/mail/server.ts';
import { newDocuments } from '../support/storage.ts';

beforeEach(() => dropJobs());

async function scene() {
  const world = await newApprovalWorld();
  const { db, owner, ann, bob, project, process, start, approvals } = world;
  const name = 'Plan <b>x</b>.txt';
  const [document] = await newDocuments(await owner.context(), project.id, [{ name }]);
  const itemId = document?.id as string;
  await start(await process({ name: 'Check', rule: 'ALL', approvers: [ann, bob] }), itemId);
  const [approval] = await approvals(itemId);
  const app = await newApp(db);
  const browserOf = async (person: typeof ann) => {
    const browser = new Browser(app);
    await browser.signIn(await withPassword(db, person));
    return browser;
  };
  const states = async () =>
    (await approvals(itemId)).flatMap(({ approvers }) => approvers.map(({ state }) => state)).sort();
  return { ...world, app, browserOf, states, path: `/approvals/${approval?.id}` };
}

it('an approver decides on the page to which the mail leads, after signing in', async () => {
  const { db, app, ann, browserOf, states, path } = await scene();
  while (await notifyNext(db));
  const server = await startMailServer();
  const arrived = await sendKind({ db }, 'NOTIFICATION', server);
  await server.stop();
  const mail = arrived.find(({ to }) => to[0] === ann.email)?.mail;
  expect(inspectHtml(mail?.html ?? '').links).toContain(`http://docgraph.test${path}`);
  const anonymous = await new Browser(app).open(path);
  expect(anonymous.headers.get('location')).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`);
  const browser = await browserOf(ann);
  const page = await browser.open(path);
  expect(page.text).toContain('Plan &lt;b&gt;x&lt;/b&gt;.txt');
  expect(page.text).toContain('Read the document');
  const form = { decision: 'approve', comment: 'Fine.' };
  expect((await browser.post(path, form)).status).toBe(403);
  const token = hidden(page, 'form_token') as string;
  expect((await browser.post(path, { ...form, form_token: token })).status).toBe(303);
  expect(await states()).toEqual(['APPROVED', 'PENDING']);
  expect((await browser.open(path)).text).toContain('It waits for others.');
  const again = await browser.post(path, { decision: 'deny', form_token: token });
  expect([again.status, await states()]).toEqual([422, ['APPROVED', 'PENDING']]);
});

it('an approval is denied there, and nobody else sees or decides it', async () => {
  const { db, ann, bob, cyd, app, browserOf, states, path } = await scene();
  const stranger = new Browser(app);
  await stranger.signIn(await newAccount(db));
  expect((await stranger.open(path)).status).toBe(404);
  expect((await stranger.open('/approvals/apr_nothing')).status).toBe(404);
  const other = await browserOf(cyd);
  expect((await other.open(path)).text).not.toContain('name="decision"');
  const otherToken = hidden(await (await browserOf(bob)).open(path), 'form_token') as string;
  expect((await other.post(path, { decision: 'approve', form_token: otherToken })).status).toBe(403);
  const browser = await browserOf(ann);
  const token = hidden(await browser.open(path), 'form_token') as string;
  await browser.post(path, { decision: 'deny', form_token: token });
  expect(await states()).toContain('DENIED');
  expect((await browser.open(path)).text).toContain('It was denied.');
});
