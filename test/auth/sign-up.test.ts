import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { requestSignUp, signUpUrl } from '../../src/domain/accounts/sign-up-link.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { HOUR } from '../../src/lib/time.ts';
import { Browser, newAccount, newApp, type Page } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { dropJobs } from '../support/jobs.ts';
import { deliver, linkIn, SENDS_MAIL } from '../support/mail/deliver.ts';
import { startMailServer } from '../support/mail/server.ts';
import { testStorage } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

const OPEN = { ...SENDS_MAIL, SIGN_UP: 'open' };
const FORM = { name: 'Fresh Person', password: 'gravel lantern otter quilt' };

let serial = 0;
const fresh = () => `signup${process.pid}.${serial++}@example.test`;

async function scene(env: Record<string, string> = OPEN) {
  const db = await testDatabase();
  const app = await newApp(db, { env });
  const mailed = () => deliver(db, server);
  /** The page of the link that an address gets. */
  const pathFor = async (email: string) => {
    await new Browser(app, `192.0.2.${serial % 250}`).post('/sign-up', { email });
    return linkIn((await mailed()).find(({ to }) => to === email)?.text, '/sign-up/');
  };
  return { db, app, browser: new Browser(app), mailed, pathFor };
}

const body = ({ status, text }: Page) => [status, text];

describe('a server on which anybody may sign up', () => {
  it('mails a link that creates an account once, with its own organization if one is named', async () => {
    const { db, browser, pathFor } = await scene();
    const email = fresh();
    expect((await browser.open('/sign-in')).text).toContain('href="/sign-up"');
    const path = await pathFor(email);
    for (let times = 0; times < 3; times++) expect((await browser.open(path)).status).toBe(200);
    const easy = await browser.post(path, { name: '', password: 'password1', organization: 'Quay' });
    expect([easy.status, easy.text]).toEqual([422, expect.stringContaining('easy to guess')]);
    const created = await browser.post(path, { ...FORM, organization: 'Quay' });
    expect([created.status, created.headers.get('location')]).toEqual([303, '/account']);
    expect((await browser.open('/account')).text).toContain(email);
    expect([(await browser.open(path)).status, (await browser.post(path, FORM)).status]).toEqual([410, 410]);
    const user = await db.prisma.user.findUniqueOrThrow({
      where: { email },
      include: { membershipUser: true },
    });
    expect(user.emailVerifiedAt).not.toBeNull();
    expect(user.membershipUser).toMatchObject([{ role: 'OWNER' }]);
  });

  it('gives the same answer for an address with an account, which gets no link', async () => {
    const { db, app, mailed } = await scene();
    const account = await newAccount(db);
    const ask = (email: string, index: number) =>
      new Browser(app, `198.51.100.${index}`).post('/sign-up', { email });
    expect(body(await ask(account.email, 1))).toEqual(body(await ask(fresh(), 2)));
    const letter = (await mailed()).find(({ to }) => to === account.email);
    expect(letter?.subject).toBe('Your address has an account already');
    expect(letter?.text).not.toContain('/sign-up/');
  });

  it('mails three times an hour to an address, with the same answer, and 20 times for a network', async () => {
    const { db, app } = await scene();
    const email = fresh();
    const answers = [];
    for (let times = 0; times < 5; times++)
      answers.push(body(await new Browser(app, `203.0.113.${times}`).post('/sign-up', { email })));
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(await db.prisma.mail.count({ where: { toEmail: email } })).toBe(3);
    const statuses = [];
    for (let times = 0; times < 22; times++)
      statuses.push((await new Browser(app, '203.0.113.99').post('/sign-up', { email: fresh() })).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.at(-1)).toBe(429);
  });

  it('creates nothing by an expired link, a changed one, or a form of another site', async () => {
    const { db, browser, pathFor } = await scene();
    const email = fresh();
    const path = await pathFor(email);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.post(path, FORM, foreign)).status).toBe(403);
    const changed = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await browser.post(changed, FORM)).status).toBe(410);
    await db.prisma.signUp.updateMany({ where: { email }, data: { expiresAt: new Date(Date.now() - HOUR) } });
    expect((await browser.post(path, FORM)).status).toBe(410);
    expect(await db.prisma.user.count({ where: { email } })).toBe(0);
  });

  it.each([
    { name: 'Docgraph Support', at: 'name' },
    { organization: 'Docgraph Support', at: 'organization' },
    { organization: '\u0420aypal', at: 'organization' },
  ])('creates nothing with a name that no person or organization may have: $at', async (entered) => {
    const { db, browser, pathFor } = await scene();
    const email = fresh();
    const path = await pathFor(email);
    const { at, ...fields } = entered;
    const answer = await browser.post(path, { ...FORM, organization: 'Quay', ...fields });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(`href="#${at}"`)]);
    expect(await db.prisma.user.count({ where: { email } })).toBe(0);
    expect((await browser.post(path, FORM)).status).toBe(303);
  });

  it('gives an address to who has proved it, and takes it from an account that has not', async () => {
    const { db, browser, pathFor } = await scene();
    const squatter = await newAccount(db);
    await db.prisma.user.update({ where: { id: squatter.id }, data: { emailVerifiedAt: null } });
    const path = await pathFor(squatter.email);
    expect((await browser.post(path, FORM)).status).toBe(303);
    const owner = await db.prisma.user.findUniqueOrThrow({ where: { email: squatter.email } });
    expect(owner.id).not.toBe(squatter.id);
    expect((await squatter.graph('{ viewer { name } }')).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});

describe('a server on which people are invited, or that creates no accounts', () => {
  it('has no page on which an address is entered', async () => {
    const { db, browser } = await scene(SENDS_MAIL);
    const email = fresh();
    const answers = [await browser.open('/sign-up'), await browser.post('/sign-up', { email })];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect((await browser.open('/sign-in')).text).not.toContain('/sign-up');
    expect(await db.prisma.mail.count({ where: { toEmail: email } })).toBe(0);
  });

  it('refuses an account even by an invitation with SIGN_UP=off', async () => {
    const { db, app, mailed } = await scene({ ...SENDS_MAIL, SIGN_UP: 'off' });
    const email = fresh();
    const { owner, organization } = await newWorld(db);
    const members = [{ email, role: 'MEMBER' as const }];
    await inviteMembers(await owner.context(), { organizationId: organization.id, members });
    const path = linkIn((await mailed()).find(({ to }) => to === email)?.text, '/invitations/');
    const browser = new Browser(app);
    const opened = await browser.open(path);
    expect([opened.status, opened.text]).toEqual([200, expect.not.stringContaining('Choose a password')]);
    await browser.post(path, FORM);
    expect(await db.prisma.user.count({ where: { email } })).toBe(0);
  });
});

describe('the link', () => {
  it('creates one account of twenty requests at once, at two processes', async () => {
    const dbs = [await testDatabase()];
    if (process.env.TEST_DATABASE_URL) dbs.push(await secondPool());
    const apps = await Promise.all(dbs.map((db) => newApp(db, { env: OPEN })));
    for (let round = 0; round < 3; round++) {
      const [db] = dbs as [Database];
      const email = fresh();
      await requestSignUp(db, { email });
      const { id } = await db.prisma.signUp.findFirstOrThrow({ where: { email } });
      const path = new URL(signUpUrl(await testStorage(db), id)).pathname;
      const calls = Array.from({ length: 20 }, (_, index) =>
        new Browser(apps[index % apps.length] as (typeof apps)[number]).post(path, FORM),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([303, ...Array(19).fill(410)]);
    }
    await dbs[1]?.close();
  });
});
