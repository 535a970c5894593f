import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { newId } from '../../src/lib/id.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { Browser, hidden, newAccount, newApp, PASSWORD, withPassword } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { dropJobs } from '../support/jobs.ts';
import { deliver, linkIn, SENDS_MAIL } from '../support/mail/deliver.ts';
import { startMailServer } from '../support/mail/server.ts';
import { newWorld } from '../support/world.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

let serial = 0;
const fresh = () => `new${process.pid}.${serial++}@example.test`;

async function scene() {
  const db = await testDatabase();
  const app = await newApp(db, { env: SENDS_MAIL });
  const account = await newAccount(db);
  const browser = new Browser(app);
  await browser.signIn(account);
  const token = hidden(await browser.open('/account'), 'form_token') as string;
  const ask = (email: string, emailPassword = PASSWORD) =>
    browser.post('/account/email', { form_token: token, email, emailPassword });
  const confirm = (path: string, by = browser) => by.post(path, { form_token: token });
  const emailOf = async (id = account.id) =>
    (await db.prisma.user.findUniqueOrThrow({ where: { id } })).email;
  const mailed = () => deliver(db, server);
  return { db, app, account, browser, token, ask, confirm, emailOf, mailed };
}

/** A scene in which the mails about a change have arrived. */
async function requested() {
  const requested = await scene();
  const email = fresh();
  await requested.ask(email);
  const letters = await requested.mailed();
  const confirmPath = linkIn(letters.find(({ to }) => to === email)?.text, '/email/confirm/');
  const undoPath = linkIn(letters.find(({ to }) => to === requested.account.email)?.text, '/email/undo/');
  return { ...requested, email, letters, confirmPath, undoPath };
}

describe('a change of e-mail address', () => {
  it('is confirmed at the new address once, and reported to the old one before and after', async () => {
    const { app, account, browser, confirm, email, letters, confirmPath, emailOf, mailed, db } =
      await requested();
    expect(letters.map(({ to, subject }) => [to, subject]).sort()).toEqual(
      [
        [email, 'Confirm your new e-mail address'],
        [account.email, 'Your e-mail address is to be changed'],
      ].sort(),
    );
    expect((await browser.open('/account')).text).toContain(email);
    const elsewhere = new Browser(app);
    await elsewhere.signIn(account);
    for (let times = 0; times < 3; times++) await browser.open(confirmPath);
    expect(await emailOf()).toBe(account.email);
    expect(await confirm(confirmPath)).toMatchObject({ status: 200 });
    expect((await confirm(confirmPath)).status).toBe(410);
    expect(await emailOf()).toBe(email);
    expect((await elsewhere.open('/account')).status).toBe(303);
    expect((await browser.open('/account')).text).toContain(email);
    expect((await new Browser(app).signIn({ ...account, email })).status).toBe(303);
    expect((await new Browser(app).signIn(account)).status).toBe(422);
    expect((await mailed()).map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'Your e-mail address was changed'],
    ]);
    const events = await db.prisma.securityEvent.findMany({ where: { userId: account.id } });
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['email.changeRequested', 'email.changed']),
    );
  });

  it('needs the password, an address and a form of our own', async () => {
    const { ask, browser, mailed, account } = await scene();
    const wrong = await ask(fresh(), 'something else');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your password.')]);
    expect((await ask('nobody')).text).toContain('Enter an e-mail address such as');
    expect((await ask(account.email)).text).toContain('This is your address already.');
    const foreign = await browser.post('/account/email', { email: fresh(), emailPassword: PASSWORD });
    expect(foreign.status).toBe(403);
    expect(await mailed()).toEqual([]);
  });

  it('gives the same answer for an address with an account, whose owner gets a mail', async () => {
    const { db, ask, account, mailed, emailOf } = await scene();
    const other = await newAccount(db);
    const [free, taken] = [await ask(fresh()), await ask(other.email)];
    const plain = ({ status, text }: typeof free, email: string) => [status, text.replaceAll(email, 'X')];
    const pendingOf = (text: string) => /sent to <bdi>([^<]+)/.exec(text)?.[1] ?? '';
    expect(plain(taken, other.email)).toEqual(plain(free, pendingOf(free.text)));
    const letter = (await mailed()).find(({ to }) => to === other.email);
    expect(letter?.subject).toBe('Your address has an account already');
    expect(letter?.text).not.toContain('/email/confirm/');
    expect(await emailOf()).toBe(account.email);
  });

  it('is refused when the address got an account meanwhile', async () => {
    const { db, confirm, confirmPath, email, account, emailOf } = await requested();
    const data = { id: newId('User'), email, name: 'Faster', emailVerifiedAt: new Date() };
    await db.prisma.user.create({ data });
    const answer = await confirm(confirmPath);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('The address is taken')]);
    expect(await emailOf()).toBe(account.email);
  });

  it('takes the address from an account that never proved it, which loses its ways to sign in', async () => {
    const { db, app, confirm, confirmPath, email, emailOf } = await requested();
    const squatter = await withPassword(db, await newAccount(db));
    const thief = new Browser(app);
    await db.prisma.user.update({ where: { id: squatter.id }, data: { email, emailVerifiedAt: null } });
    await thief.signIn({ ...squatter, email });
    expect((await confirm(confirmPath)).status).toBe(200);
    expect(await emailOf()).toBe(email);
    expect(await emailOf(squatter.id)).toBe(`${squatter.id}@unverified.invalid`);
    expect((await thief.open('/account')).status).toBe(303);
    expect((await squatter.graph('{ viewer { name } }')).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('is confirmed by its owner alone, not by a stranger who follows the link', async () => {
    const { app, db, confirmPath, account, emailOf } = await requested();
    const stranger = await newAccount(db);
    const visitor = new Browser(app);
    expect((await visitor.open(confirmPath)).text).toContain('Sign in');
    await visitor.post(confirmPath, {});
    await visitor.signIn(stranger);
    const token = hidden(await visitor.open('/account'), 'form_token') as string;
    await visitor.post(confirmPath, { form_token: token });
    expect([await emailOf(), await emailOf(stranger.id)]).toEqual([account.email, stranger.email]);
  });

  it.each([
    ['has expired', { expiresAt: new Date(Date.now() - HOUR) }],
    ['was cancelled', { endedAt: new Date() }],
  ])('does nothing once its link %s', async (_, data) => {
    const { db, account, confirm, browser, confirmPath, emailOf } = await requested();
    await db.prisma.emailChange.updateMany({ where: { userId: account.id }, data });
    expect([(await browser.open(confirmPath)).status, (await confirm(confirmPath)).status]).toEqual([
      410, 410,
    ]);
    expect(await emailOf()).toBe(account.email);
  });

  it('is replaced by the next request', async () => {
    const { ask, confirm, confirmPath, mailed, emailOf } = await requested();
    const newer = fresh();
    await ask(newer);
    expect((await confirm(confirmPath)).status).toBe(410);
    const letter = (await mailed()).find(({ to }) => to === newer);
    await confirm(linkIn(letter?.text, '/email/confirm/'));
    expect(await emailOf()).toBe(newer);
  });

  it('mails three times an hour to an address, with the same answer', async () => {
    const { db, ask, mailed } = await scene();
    const email = fresh();
    const answers = [];
    for (let times = 0; times < 5; times++) answers.push((await ask(email)).text);
    expect(new Set(answers).size).toBe(1);
    expect(await db.prisma.mail.count({ where: { toEmail: email } })).toBe(3);
    expect((await mailed()).filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('names hosts of PUBLIC_URL alone in its mails', async () => {
    const { browser, token, mailed } = await scene();
    const evil = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'sec-fetch-site': 'same-origin',
    };
    await browser.post(
      '/account/email',
      { form_token: token, email: fresh(), emailPassword: PASSWORD },
      evil,
    );
    const letters = await mailed();
    expect(letters).toHaveLength(2);
    for (const { text, html } of letters) expect(text + html).not.toContain('evil');
  });
});

describe('the link in the mail to the old address', () => {
  it('cancels a change that waits, ends all sign-ins and offers a new password', async () => {
    const { browser, app, confirm, confirmPath, undoPath, account, emailOf } = await requested();
    const owner = new Browser(app);
    for (let times = 0; times < 3; times++) await owner.open(undoPath);
    expect((await browser.open('/account')).status).toBe(200);
    const done = await owner.post(undoPath, {});
    expect(done.text).toMatch(/href="\/password\/reset\/dgl_/);
    expect((await browser.open('/account')).status).toBe(303);
    expect((await confirm(confirmPath)).status).toBe(410);
    expect((await owner.post(undoPath, {})).status).toBe(410);
    expect(await emailOf()).toBe(account.email);
  });

  it('takes a change back for seven days, and those after it', async () => {
    const { db, app, account, confirm, ask, confirmPath, undoPath, emailOf, mailed } = await requested();
    await confirm(confirmPath);
    await ask(fresh());
    const letters = await mailed();
    const next = letters.map(({ text }) => linkIn(text, '/email/confirm/')).find(Boolean) as string;
    expect((await confirm(next)).status).toBe(200);
    const later = (await mailed()).map(({ text }) => linkIn(text, '/email/undo/')).find(Boolean) as string;
    const owner = new Browser(app);
    expect((await owner.post(undoPath, {})).status).toBe(200);
    expect(await emailOf()).toBe(account.email);
    expect((await owner.post(later, {})).status).toBe(410);
    expect(
      await db.prisma.signIn.count({ where: { userId: account.id, expiresAt: { gt: new Date() } } }),
    ).toBe(0);
  });

  it('ends all sign-ins also if the old address is taken by now, and says that it is not restored', async () => {
    const { db, account, browser, confirm, confirmPath, undoPath, email, app, emailOf } = await requested();
    await confirm(confirmPath);
    await db.prisma.user.create({
      data: { id: newId('User'), email: account.email, name: 'Next', emailVerifiedAt: new Date() },
    });
    const { status, text } = await new Browser(app).post(undoPath, {});
    expect([status, text]).toEqual([409, expect.stringContaining('could not be restored')]);
    expect(text).not.toContain('/password/reset/');
    expect((await browser.open('/account')).status).toBe(303);
    expect(await emailOf()).toBe(email);
    expect((await new Browser(app).post(undoPath, {})).status).toBe(410);
    const events = await db.prisma.securityEvent.findMany({ where: { userId: account.id } });
    expect(events.map(({ kind }) => kind)).toContain('email.changeNotUndone');
  });

  it('does nothing after seven days, nor from another site', async () => {
    const { db, app, account, email, confirm, confirmPath, undoPath, emailOf } = await requested();
    await confirm(confirmPath);
    const owner = new Browser(app);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await owner.post(undoPath, {}, foreign)).status).toBe(403);
    const confirmedAt = new Date(Date.now() - 7 * DAY - HOUR);
    await db.prisma.emailChange.updateMany({ where: { userId: account.id }, data: { confirmedAt } });
    expect((await owner.post(undoPath, {})).status).toBe(410);
    expect(await emailOf()).toBe(email);
  });
});

describe('after a change of address', () => {
  it('tasks and folders follow the person, and invitations stay with the address', async () => {
    const { db, account, email, confirm, confirmPath } = await requested();
    const { owner, organization, project } = await newWorld(db);
    const organizationId = organization.id;
    const data = { organizationId, userId: account.id, id: newId('Membership'), createdById: account.id };
    await db.prisma.membership.create({ data: { ...data, role: 'MEMBER' } });
    const tasks = [{ name: 'Old', assigneeEmail: account.email }];
    const [task] = await createTasks(await owner.context(), { projectId: project.id, tasks });
    const [created] = await createFolders(await owner.context(), {
      projectId: project.id,
      folders: [{ name: 'Shared' }],
    });
    const folder = created?.id as string;
    for (const each of [account.email, email])
      await db.query(sql`INSERT INTO folder_assignments VALUES (${organizationId}, ${folder}, ${each})`);
    const elsewhere = await newWorld(db);
    for (const each of [account.email, email])
      await inviteMembers(await elsewhere.owner.context(), {
        organizationId: elsewhere.organization.id,
        members: [{ email: each, role: 'GUEST' }],
      });
    await confirm(confirmPath);
    const row = await db.prisma.task.findUniqueOrThrow({ where: { id: task?.id as string } });
    expect([row.assigneeEmail, row.assigneeId, row.version]).toEqual([email, account.id, 2]);
    const assigned = await db.prisma.folderAssignment.findMany({ where: { folderId: folder } });
    expect(assigned.map((each) => each.email)).toEqual([email]);
    const own = await account.graph('{ viewer { invitations { nodes { email } } } }');
    expect(own.data.viewer.invitations.nodes).toEqual([{ email }]);
    const rows = await db.prisma.invitation.findMany({
      where: { organizationId: elsewhere.organization.id },
    });
    expect(rows.map((each) => each.email).sort()).toEqual([account.email, email].sort());
    const [event] = await db.prisma.event.findMany({
      where: { organizationId },
      orderBy: { sequence: 'desc' },
      take: 1,
    });
    expect(event).toMatchObject({
      ...{ kind: 'member.updated', subjectId: account.id, actorId: account.id },
      data: { before: { email: account.email }, after: { email } },
    });
  });
});

describe('an address that is not verified', () => {
  it('matches no invitation until its owner has confirmed it', async () => {
    const { db, account, browser, confirm, token, mailed } = await scene();
    await db.prisma.user.update({ where: { id: account.id }, data: { emailVerifiedAt: null } });
    const { owner, organization } = await newWorld(db);
    const {
      invitations: [invitation],
    } = await inviteMembers(await owner.context(), {
      organizationId: organization.id,
      members: [{ email: account.email, role: 'MEMBER' }],
    });
    const list = '{ viewer { isEmailVerified invitations { totalCount } } }';
    const accept = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { member { role } } }`;
    expect((await account.graph(list)).data.viewer).toEqual({
      isEmailVerified: false,
      invitations: { totalCount: 0 },
    });
    const refused = await account.graph(accept, { id: invitation?.id });
    expect(refused.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await browser.open('/account')).text).toContain('not confirmed');
    await browser.post('/account/email', {
      form_token: token,
      email: account.email,
      emailPassword: PASSWORD,
    });
    const letters = (await mailed()).filter(({ to }) => to === account.email);
    const path = letters.map(({ text }) => linkIn(text, '/email/confirm/')).find(Boolean) as string;
    await confirm(path);
    expect((await account.graph(list)).data.viewer).toEqual({
      isEmailVerified: true,
      invitations: { totalCount: 1 },
    });
    expect((await account.graph(accept, { id: invitation?.id })).errors).toBeUndefined();
  });
});
