import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestPasswordReset } from '../../src/domain/accounts/password-reset.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { Browser, hidden, newAccount, newApp, PASSWORD, type Page } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';

const NEW = 'gravel lantern otter quilt';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

async function scene() {
  const db = await testDatabase();
  const app = await newApp(db, {
    env: { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' },
  });
  const account = await newAccount(db);
  const mailed = async () => {
    const mail = mailService(server.settings);
    const job = { ...(await jobContext(db)), mail };
    while (await sendNextMail(job));
    mail.smtp.close();
    return server.arrived.splice(0).map(({ to, mail: { subject, text } }) => ({ to: to[0], subject, text }));
  };
  const ask = (email: string, address = '192.0.2.1') =>
    new Browser(app, address).post('/password/forgot', { email });
  const kinds = async () =>
    (await db.prisma.securityEvent.findMany({ where: { userId: account.id }, orderBy: { id: 'asc' } })).map(
      ({ kind }) => kind,
    );
  return { db, app, account, browser: new Browser(app), mailed, ask, kinds };
}

const linkIn = (text = ''): string => /\/password\/reset\/dgl_[\w-]+/.exec(text)?.[0] ?? '';

const body = ({ status, text }: Page) => [status, text];

describe('a forgotten password', () => {
  it('is replaced by the link in a mail, which ends all sign-ins, works once and is reported by mail', async () => {
    const { app, account, browser, mailed, ask, kinds } = await scene();
    await browser.signIn(account);
    expect((await ask(account.email.toUpperCase())).status).toBe(200);
    const [letter] = await mailed();
    expect(letter).toMatchObject({ to: account.email, subject: 'Set a new password' });
    const path = linkIn(letter?.text);
    const visitor = new Browser(app);
    const opened = await visitor.open(path);
    expect([opened.status, opened.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect((await visitor.post(path, { password: NEW })).status).toBe(200);
    expect((await visitor.post(path, { password: `${NEW} again` })).status).toBe(410);
    expect((await visitor.open(path)).status).toBe(410);
    expect((await browser.open('/account')).status).toBe(303);
    expect((await new Browser(app).signIn(account)).status).toBe(422);
    expect((await new Browser(app).signIn({ ...account, password: NEW })).status).toBe(303);
    expect(await kinds()).toEqual(['signIn.begun', 'signIn.ended', 'password.reset', 'signIn.begun']);
    expect(await mailed()).toMatchObject([{ to: account.email, subject: 'Your password was changed' }]);
  });

  it('is answered the same for an address without an account, to which nothing is sent', async () => {
    const { db, account, mailed, ask } = await scene();
    const off = await newAccount(db);
    await db.prisma.user.update({ where: { id: off.id }, data: { disabledAt: new Date() } });
    const [ofAccount, ofNobody, ofDisabled] = [
      await ask(account.email),
      await ask('nobody.at.all@example.test'),
      await ask(off.email),
    ];
    expect(body(ofNobody)).toEqual(body(ofAccount));
    expect(body(ofDisabled)).toEqual(body(ofAccount));
    expect((await mailed()).map(({ to }) => to)).toEqual([account.email]);
    const id = { userId: { in: [account.id, off.id] } };
    expect(await db.prisma.accountToken.count({ where: id })).toBe(1);
  });

  it('is mailed three times an hour to an address, with the same answer, and 20 times for a network', async () => {
    const { account, mailed, ask } = await scene();
    const answers = [];
    for (let index = 0; index < 5; index++)
      answers.push(body(await ask(account.email, `198.51.100.${index}`)));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await mailed()).toHaveLength(3);
    const statuses = [];
    for (let index = 0; index < 21; index++)
      statuses.push((await ask(`nobody${index}@example.test`, '203.0.113.9')).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('is not replaced by opening the link, by an old link, or by a password that is easy to guess', async () => {
    const { db, app, account, mailed, ask } = await scene();
    await ask(account.email);
    const path = linkIn((await mailed())[0]?.text);
    const visitor = new Browser(app);
    for (let index = 0; index < 3; index++) await visitor.open(path);
    for (const password of ['', 'short', 'password1', account.email, 'x'.repeat(1_001)])
      expect((await visitor.post(path, { password })).status).toBe(422);
    await db.prisma.accountToken.updateMany({
      where: { userId: account.id },
      data: { expiresAt: new Date(0) },
    });
    expect((await visitor.post(path, { password: NEW })).status).toBe(410);
    expect((await new Browser(app).signIn(account)).status).toBe(303);
  });

  it('is tried 30 times an hour by the links of an account', async () => {
    const { app, account, mailed, ask } = await scene();
    await ask(account.email);
    const path = linkIn((await mailed())[0]?.text);
    const answers = [];
    for (let index = 0; index < 31; index++)
      answers.push(await new Browser(app, `198.51.100.${index}`).post(path, { password: 'password1' }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(30).fill(422), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('has links at PUBLIC_URL, whatever host the request names', async () => {
    const { app, account, mailed } = await scene();
    await app.request('http://evil.test/password/forgot', {
      method: 'POST',
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' },
      body: new URLSearchParams({ email: account.email }),
    });
    const [letter] = await mailed();
    expect(letter?.text).toContain('http://docgraph.test/password/reset/');
    expect(letter?.text).not.toContain('evil.test');
  });

  it('is won by one of 20 requests that use its links at once', async () => {
    const { db, app, account, mailed, kinds } = await scene();
    await requestPasswordReset(db, account.email);
    await requestPasswordReset(db, account.email);
    const paths = (await mailed()).map(({ text }) => linkIn(text));
    const attempts = Array.from({ length: 20 }, (_, index) =>
      new Browser(app, `198.51.100.${index}`).post(paths[index % 2] as string, {
        password: `${NEW} ${index}`,
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 410]));
    expect(await kinds()).toEqual(['password.reset']);
  });

  it('of an account that never proved its address ends what else opens it, and proves the address', async () => {
    const { db, app, account, mailed, ask } = await scene();
    await db.prisma.user.update({ where: { id: account.id }, data: { emailVerifiedAt: null } });
    await ask(account.email);
    const path = linkIn((await mailed())[0]?.text);
    expect((await new Browser(app).post(path, { password: NEW })).status).toBe(200);
    const { emailVerifiedAt } = await db.prisma.user.findUniqueOrThrow({ where: { id: account.id } });
    expect(emailVerifiedAt).not.toBeNull();
    expect((await account.graph('{ viewer { name } }')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await new Browser(app).signIn({ ...account, password: NEW })).status).toBe(303);
  });

  it('is for the administrator of a server without mail', async () => {
    const { db, account } = await scene();
    const browser = new Browser(await newApp(db));
    expect((await browser.open('/password/forgot')).text).toContain('This server sends no mail');
    await browser.post('/password/forgot', { email: account.email });
    expect(await db.prisma.mail.count({ where: { toEmail: account.email } })).toBe(0);
  });
});

describe('the account page', () => {
  it('changes the password after the old one is entered, and ends the other sign-ins', async () => {
    const { app, account, browser, mailed, kinds } = await scene();
    const other = new Browser(app);
    await other.signIn(account);
    await browser.signIn(account);
    const token = hidden(await browser.open('/account'), 'form_token') as string;
    const change = (current: string, password: string) =>
      browser.post('/account/password', { form_token: token, current, password });
    expect((await change('wrong', NEW)).status).toBe(422);
    expect((await change(PASSWORD, 'password1')).status).toBe(422);
    expect((await change(PASSWORD, NEW)).text).toContain('Your password was changed');
    expect((await browser.open('/account')).status).toBe(200);
    expect((await other.open('/account')).status).toBe(303);
    expect(await kinds()).toEqual(['signIn.begun', 'signIn.begun', 'signIn.ended', 'password.changed']);
    expect(await mailed()).toMatchObject([{ to: account.email, subject: 'Your password was changed' }]);
  });

  it('is tried ten times an hour with a wrong password', async () => {
    const { account, browser } = await scene();
    await browser.signIn(account);
    const token = hidden(await browser.open('/account'), 'form_token') as string;
    const change = (current: string) =>
      browser.post('/account/password', { form_token: token, current, password: NEW });
    for (let index = 0; index < 10; index++) await change('wrong');
    expect((await change(PASSWORD)).text).toContain('Too many attempts');
  });

  it('lists where the account is signed in, and ends sign-ins, never those of others', async () => {
    const { db, app, account, browser } = await scene();
    const [phone, stranger] = [new Browser(app, '198.51.100.7'), new Browser(app)];
    await phone.signIn(account);
    await stranger.signIn(await newAccount(db));
    await browser.signIn(account);
    const opened = await browser.open('/account');
    expect(opened.text).toContain('198.51.100.7');
    const token = hidden(opened, 'form_token') as string;
    const rows = await db.prisma.signIn.findMany({ orderBy: { id: 'desc' }, take: 3 });
    for (const { id, userId } of rows)
      if (userId !== account.id) await browser.post('/account/sign-ins', { form_token: token, which: id });
    expect((await stranger.open('/account')).status).toBe(200);
    await browser.post('/account/sign-ins', { form_token: token, which: 'others' });
    expect((await phone.open('/account')).status).toBe(303);
    expect((await browser.open('/account')).status).toBe(200);
  });

  it('is changed by no form of another site, without its token, or with an API key', async () => {
    const { app, account, browser } = await scene();
    await browser.signIn(account);
    const fields = { current: PASSWORD, password: NEW };
    expect((await browser.post('/account/password', fields)).status).toBe(403);
    const token = hidden(await browser.open('/account'), 'form_token') as string;
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const sent = await browser.post('/account/password', { ...fields, form_token: token }, foreign);
    expect(sent.status).toBe(403);
    const withKey = await app.request('/account', { headers: { authorization: `Bearer ${account.key}` } });
    expect(withKey.status).toBe(303);
  });
});
