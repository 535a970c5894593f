import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { type Account, Browser, hidden, newAccount, newApp, PASSWORD } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { dropJobs } from '../support/jobs.ts';
import { deliver, linkIn, SENDS_MAIL } from '../support/mail/deliver.ts';
import { startMailServer } from '../support/mail/server.ts';
import { type People, startProvider, withProvider } from '../support/oidc/provider.ts';
import { newWorld } from '../support/world.ts';

const people: People = {};
let provider: Awaited<ReturnType<typeof startProvider>>;
let mails: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  provider = await startProvider(people);
  mails = await startMailServer();
});
afterAll(() => Promise.all([provider.close(), mails.stop()]));
beforeEach(() => dropJobs());

const TRUSTED = { OIDC_TRUST_EMAIL: 'true' };

let serial = 0;
/** A person of the provider with this address; their name there. */
function newPersonThere(email: string, isVerified = true, name = 'Person There'): string {
  const login = `person${serial++}`;
  people[login] = { email, email_verified: isVerified, name };
  return login;
}
const fresh = () => `there${process.pid}.${serial++}@example.test`;

async function scene(env: Record<string, string> = {}) {
  const db = await testDatabase();
  const app = await newApp(db, { env: { ...SENDS_MAIL, ...withProvider(provider.issuer, env) } });
  return { db, app, browser: new Browser(app), mailed: () => deliver(db, mails) };
}

/** Goes to the provider, signs in there and comes back; the answer of the callback. */
async function signInThere(browser: Browser, login: string, from = '/sign-in/oidc', more = {}) {
  const sent = await browser.post(from, { return_to: '/account', ...more });
  const back = await provider.signIn(sent.headers.get('location') ?? '', login);
  return { back, answer: await browser.open(back.pathname + back.search) };
}

const identities = (db: Database, { id: userId }: Pick<Account, 'id'>) =>
  db.prisma.externalIdentity.findMany({ where: { userId } });

const tokenOf = async (browser: Browser) => hidden(await browser.open('/account'), 'form_token') as string;

describe('a sign-in with a provider whose addresses are trusted', () => {
  it('connects the account of the address, and sends its owner a mail', async () => {
    const { db, browser, mailed } = await scene(TRUSTED);
    const account = await newAccount(db);
    const { answer } = await signInThere(browser, newPersonThere(account.email));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    expect((await browser.open('/account')).text).toContain(account.email);
    expect(await identities(db, account)).toHaveLength(1);
    expect((await mailed()).map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'A sign-in was connected with your account'],
    ]);
  });

  it('is the same account after both sides have changed the address', async () => {
    const { db, app, browser } = await scene(TRUSTED);
    const account = await newAccount(db);
    const login = newPersonThere(account.email);
    await signInThere(browser, login);
    const email = fresh();
    await db.prisma.user.update({ where: { id: account.id }, data: { email } });
    people[login] = { email: fresh(), email_verified: false };
    const again = new Browser(app);
    expect((await signInThere(again, login)).answer.headers.get('location')).toBe('/account');
    expect((await again.open('/account')).text).toContain(email);
  });

  it('creates the account of an invited person only, unless everybody gets one', async () => {
    const { db, browser } = await scene(TRUSTED);
    const email = fresh();
    const refused = await signInThere(browser, newPersonThere(email));
    expect([refused.answer.status, refused.answer.text]).toEqual([
      403,
      expect.stringContaining(`Nobody has invited ${email}`),
    ]);
    const { owner, organization } = await newWorld(db);
    const members = [{ email, role: 'MEMBER' as const }];
    await inviteMembers(await owner.context(), { organizationId: organization.id, members });
    expect((await signInThere(browser, newPersonThere(email))).answer.status).toBe(303);
    const user = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    expect(user).toMatchObject({ name: 'Person There', passwordHash: null });
    expect(user.emailVerifiedAt).not.toBeNull();
    const open = await scene({ ...TRUSTED, OIDC_SIGN_UP: 'open' });
    expect((await signInThere(open.browser, newPersonThere(fresh()))).answer.status).toBe(303);
    const off = await scene({ ...TRUSTED, OIDC_SIGN_UP: 'open', SIGN_UP: 'off' });
    expect((await signInThere(off.browser, newPersonThere(fresh()))).answer.status).toBe(403);
  });

  it.each([
    ['Docgraph Support', 'quay', 'quay'],
    ['Docgraph Support', 'docgraph.support', 'New person'],
    ['', 'docgraph', 'New person'],
  ])('gives no person the name %j at the address of %s: it is %s', async (there, local, name) => {
    const { db, browser } = await scene({ ...TRUSTED, OIDC_SIGN_UP: 'open' });
    const email = `${local}@n${process.pid}-${serial++}.example.test`;
    expect((await signInThere(browser, newPersonThere(email, true, there))).answer.status).toBe(303);
    expect(await db.prisma.user.findUniqueOrThrow({ where: { email } })).toMatchObject({ name });
  });

  it('is for the allowed domains', async () => {
    const { browser } = await scene({ ...TRUSTED, OIDC_SIGN_UP: 'open', OIDC_DOMAINS: 'harbor.test' });
    expect((await signInThere(browser, newPersonThere(fresh()))).answer.status).toBe(403);
    expect((await signInThere(browser, newPersonThere(`x${serial}@harbor.test`))).answer.status).toBe(303);
  });

  it('with an address that the provider has not verified connects nothing', async () => {
    const { db, browser } = await scene(TRUSTED);
    const account = await newAccount(db);
    const { answer } = await signInThere(browser, newPersonThere(account.email, false));
    expect(answer.headers.get('location')).toMatch(/^\/sign-in\/oidc\/connect/);
    expect(await identities(db, account)).toEqual([]);
    expect((await browser.open('/account')).status).toBe(303);
  });

  it('asks for the second factor of the account, and is refused for a disabled one', async () => {
    const { db, app, browser } = await scene(TRUSTED);
    const account = await newAccount(db);
    const login = newPersonThere(account.email);
    await signInThere(browser, login);
    const seed = { userId: account.id, seed: 'sealed', lastStep: 0n };
    await db.prisma.authenticatorApp.create({ data: seed });
    const again = new Browser(app);
    const { answer } = await signInThere(again, login);
    expect(answer.headers.get('location')).toMatch(/^\/sign-in\/second-factor/);
    expect((await again.open('/account')).status).toBe(303);
    await db.prisma.user.update({ where: { id: account.id }, data: { disabledAt: new Date() } });
    expect((await signInThere(again, login)).answer.status).toBe(403);
  });

  it('redeems a code once', async () => {
    const { db, app, browser } = await scene(TRUSTED);
    const account = await newAccount(db);
    const { back } = await signInThere(browser, newPersonThere(account.email));
    const other = new Browser(app);
    await other.post('/sign-in/oidc', { return_to: '/account' });
    expect((await other.open(back.pathname + back.search)).status).toBe(400);
    expect((await browser.open(back.pathname + back.search)).status).toBe(400);
  });
});

describe('a sign-in with a provider whose addresses are not trusted', () => {
  it('connects an account after its password was given once', async () => {
    const { db, app, browser } = await scene();
    const account = await newAccount(db);
    const login = newPersonThere(account.email);
    await signInThere(browser, login);
    const connect = (email: string, password: string) =>
      browser.post('/sign-in/oidc/connect', { email, password });
    const wrong = await connect(account.email, 'not the password');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('is wrong')]);
    expect((await connect(account.email, PASSWORD)).headers.get('location')).toBe('/account');
    expect(await identities(db, account)).toHaveLength(1);
    expect((await connect(account.email, PASSWORD)).status).toBe(400);
    expect((await signInThere(new Browser(app), login)).answer.headers.get('location')).toBe('/account');
  });

  it('shows the same page for an address with an account and without one', async () => {
    const { db, app } = await scene();
    const account = await newAccount(db);
    const pages = [];
    for (const email of [account.email, fresh()]) {
      const browser = new Browser(app);
      await signInThere(browser, newPersonThere(email));
      const { status, text } = await browser.open('/sign-in/oidc/connect');
      pages.push([status, text.replaceAll(email, 'X')]);
    }
    expect(pages[0]).toEqual(pages[1]);
  });

  it('creates an account by a mail to the address, for who is invited', async () => {
    const { db, app, browser, mailed } = await scene({ OIDC_SIGN_UP: 'open' });
    const email = fresh();
    const login = newPersonThere(email);
    await signInThere(browser, login);
    expect((await browser.post('/sign-in/oidc/create', {})).text).toContain('Look into your mails');
    const path = linkIn((await mailed())[0]?.text, '/sign-up/');
    const visitor = new Browser(app);
    expect((await visitor.open(path)).text).not.toContain('Choose a password');
    expect((await visitor.post(path, { name: 'New Person' })).headers.get('location')).toBe('/account');
    const user = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    expect(await identities(db, user)).toHaveLength(1);
    expect((await signInThere(new Browser(app), login)).answer.headers.get('location')).toBe('/account');
    await mailed();
    const invitedOnly = await scene();
    await signInThere(invitedOnly.browser, newPersonThere(fresh()));
    await invitedOnly.browser.post('/sign-in/oidc/create', {});
    expect(await invitedOnly.mailed()).toEqual([]);
  });
});

describe('an account', () => {
  it('connects and disconnects a provider, but not its last way in', async () => {
    const { db, app, browser } = await scene();
    const account = await newAccount(db);
    await browser.signIn(account);
    const form_token = await tokenOf(browser);
    const { answer } = await signInThere(browser, newPersonThere(fresh()), '/account/identities/connect', {
      form_token,
    });
    expect(answer.headers.get('location')).toBe('/account#identities');
    const [identity] = await identities(db, account);
    await db.prisma.user.update({ where: { id: account.id }, data: { passwordHash: null } });
    const disconnect = () =>
      browser.post('/account/identities', { form_token, identity: identity?.id as string });
    expect((await disconnect()).text).toContain('It is your only way to sign in');
    await db.prisma.user.update({ where: { id: account.id }, data: { passwordHash: 'x' } });
    const stranger = new Browser(app);
    await stranger.signIn(await newAccount(db));
    const foreign = { form_token: await tokenOf(stranger), identity: identity?.id as string };
    await stranger.post('/account/identities', foreign);
    expect(await identities(db, account)).toHaveLength(1);
    expect((await disconnect()).text).toContain('The sign-in is disconnected.');
    expect(await identities(db, account)).toEqual([]);
  });

  it('is connected only in the browser session that asked for it', async () => {
    const { db, browser } = await scene();
    const [account, other] = [await newAccount(db), await newAccount(db)];
    await browser.signIn(account);
    const form_token = await tokenOf(browser);
    const sent = await browser.post('/account/identities/connect', { form_token });
    const back = await provider.signIn(sent.headers.get('location') ?? '', newPersonThere(fresh()));
    await browser.signIn(other);
    expect((await browser.open(back.pathname + back.search)).status).toBe(400);
    expect([...(await identities(db, account)), ...(await identities(db, other))]).toEqual([]);
  });

  it('without a password gets a mail that says so when a new one is asked for', async () => {
    const { db, browser, mailed } = await scene(TRUSTED);
    const account = await newAccount(db);
    await signInThere(browser, newPersonThere(account.email));
    await db.prisma.user.update({ where: { id: account.id }, data: { passwordHash: null } });
    await mailed();
    await browser.post('/password/forgot', { email: account.email });
    expect((await mailed())[0]?.text).toContain('Your account has no password');
  });
});

describe('the answer of the provider', () => {
  it('counts once of twenty requests at once, at two processes', async () => {
    const dbs = [await testDatabase()];
    if (process.env.TEST_DATABASE_URL) dbs.push(await secondPool());
    const env = { ...withProvider(provider.issuer, TRUSTED) };
    const apps = await Promise.all(dbs.map((db) => newApp(db, { env })));
    for (let round = 0; round < 5; round++) {
      const account = await newAccount(dbs[0] as Database);
      const first = new Browser(apps[0] as (typeof apps)[number]);
      const sent = await first.post('/sign-in/oidc', { return_to: '/account' });
      const back = await provider.signIn(sent.headers.get('location') ?? '', newPersonThere(account.email));
      const come = (index: number) => {
        const browser = new Browser(apps[index % apps.length] as (typeof apps)[number]);
        browser.cookie = first.cookie;
        return browser.open(back.pathname + back.search);
      };
      const statuses = (await Promise.all(Array.from({ length: 20 }, (_, index) => come(index)))).map(
        ({ status }) => status,
      );
      expect(statuses.sort()).toEqual([303, ...Array(19).fill(400)]);
      expect(await dbs[0]?.prisma.signIn.count({ where: { userId: account.id } })).toBe(1);
    }
    await dbs[1]?.close();
  });
});
