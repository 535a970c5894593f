import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/lib/secret.ts';
import { Browser, hidden, newAccount, newApp, PASSWORD, type Page } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { codesOf, withApp } from '../support/factors.ts';

const FACTORS = '/account/second-factors';
const APP = '/account/authenticator-app';

async function scene() {
  const db = await testDatabase();
  const app = await newApp(db);
  const account = await newAccount(db);
  const browser = new Browser(app);
  const open = async (path: string) => {
    const opened = await browser.open(path);
    return { ...opened, token: hidden(opened, 'form_token') as string };
  };
  /** The sign-in of a browser is as old as this many minutes. */
  const age = (minutes: number) =>
    db.prisma.signIn.updateMany({
      where: { userId: account.id },
      data: { authenticatedAt: new Date(Date.now() - minutes * 60_000) },
    });
  const kinds = async () =>
    (await db.prisma.securityEvent.findMany({ where: { userId: account.id }, orderBy: { id: 'asc' } })).map(
      ({ kind }) => kind,
    );
  return { db, app, account, browser, open, age, kinds };
}

/** The seed that a page shows as text. */
function seedIn({ text }: Page): Buffer {
  const [, key = ''] = /class="key">([^<]*)</.exec(text) ?? [];
  const digits = [...key.replace(/\s/g, '')].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each));
  const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const codesIn = ({ text }: Page): string[] =>
  [...text.matchAll(/<code>([a-z2-7-]+)<\/code>/g)].map((each) => each[1] as string);

const to = ({ status, headers }: Page) => [status, headers.get('location')];

describe('the page of second factors', () => {
  it('adds an app that shows the right code, and shows ten recovery codes once', async () => {
    const { db, account, browser, open, kinds } = await scene();
    await browser.signIn(account);
    const form = await open(APP);
    const fields = { form_token: form.token, seed: hidden(form, 'seed') as string };
    const wrong = await browser.post(APP, { ...fields, code: '000000' });
    expect([wrong.status, seedIn(wrong)]).toEqual([422, seedIn(form)]);
    const code = await codesOf(db, seedIn(form))();
    const added = await browser.post(APP, { ...fields, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(new Set(codesIn(added)).size).toBe(10);
    expect(to(await browser.post(APP, { ...fields, code }))).toEqual([303, FACTORS]);
    const shown = await open(FACTORS);
    expect(shown.text).toContain('10 recovery codes are left');
    expect(codesIn(shown)).toEqual([]);
    const row = await db.prisma.authenticatorApp.findUniqueOrThrow({ where: { userId: account.id } });
    expect(row.seed).toMatch(/^sealed:/);
    expect(await db.prisma.recoveryCode.count({ where: { userId: account.id } })).toBe(10);
    expect(await kinds()).toEqual(['signIn.begun', 'authenticatorApp.added']);
    expect(
      await db.prisma.mail.count({ where: { toUserId: account.id, kind: 'SECOND_FACTOR_CHANGED' } }),
    ).toBe(1);
  });

  it('takes no seed of another sign-in, or one that was not sealed', async () => {
    const { db, app, account, browser, open } = await scene();
    const thief = new Browser(app);
    await thief.signIn(await newAccount(db));
    const foreign = await thief.open(APP);
    await browser.signIn(account);
    const { token } = await open(APP);
    const code = await codesOf(db, seedIn(foreign))();
    for (const seed of [hidden(foreign, 'seed') as string, seedIn(foreign).toString('base64url'), ''])
      expect((await browser.post(APP, { form_token: token, seed, code })).status).toBe(400);
    expect(await db.prisma.authenticatorApp.count({ where: { userId: account.id } })).toBe(0);
  });

  it('replaces the recovery codes, and removes the app with them', async () => {
    const { db, account, browser, open, kinds } = await scene();
    const { recoveryCodes, code } = await withApp(db, account);
    await browser.signIn(account);
    await browser.post('/sign-in/second-factor', { code: await code() });
    const { token } = await open(FACTORS);
    const renewed = codesIn(await browser.post('/account/recovery-codes', { form_token: token }));
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((each) => recoveryCodes.includes(each))).toEqual([]);
    expect(to(await browser.post(`${APP}/remove`, { form_token: token }))).toEqual([
      303,
      `${FACTORS}?done=app-removed`,
    ]);
    expect(await db.prisma.recoveryCode.count({ where: { userId: account.id } })).toBe(0);
    expect(to(await browser.signIn(account))).toEqual([303, '/console']);
    expect(await kinds()).toEqual([
      ...['authenticatorApp.added', 'signIn.begun', 'recoveryCodes.renewed', 'authenticatorApp.removed'],
      ...['signIn.begun', 'signIn.ended'],
    ]);
  });

  it('asks for a factor again after ten minutes, and gives the session a new secret', async () => {
    const { db, account, browser, open, age } = await scene();
    await browser.signIn(account);
    const { token } = await open('/account');
    await age(11);
    const confirm = `/account/confirm?return_to=${encodeURIComponent(FACTORS)}`;
    expect(to(await browser.open(FACTORS))).toEqual([303, confirm]);
    expect(to(await browser.post(`${APP}/remove`, { form_token: token }))).toEqual([303, confirm]);
    const before = browser.cookie;
    const answer = (password: string) =>
      browser.post('/account/confirm', { form_token: token, password, return_to: FACTORS });
    expect((await answer('wrong')).status).toBe(422);
    expect((await browser.open(FACTORS)).status).toBe(303);
    expect(to(await answer(PASSWORD))).toEqual([303, FACTORS]);
    expect((await browser.open(FACTORS)).status).toBe(200);
    const stale = hashSecret(/dgs_[\w-]+/.exec(before)?.[0] as string);
    expect(await db.prisma.signIn.count({ where: { secretHash: stale } })).toBe(0);
  });

  it('asks who has a second factor for that, not for the password', async () => {
    const { db, account, browser, open, age } = await scene();
    const { code, recoveryCodes } = await withApp(db, account);
    await browser.signIn(account);
    await browser.post('/sign-in/second-factor', { code: await code() });
    await age(11);
    const { token, text } = await open('/account/confirm');
    expect(text).not.toContain('name="password"');
    const answer = (fields: Record<string, string>) =>
      browser.post('/account/confirm', { form_token: token, return_to: FACTORS, ...fields });
    expect((await answer({ password: PASSWORD })).status).toBe(422);
    expect((await answer({ code: await code() })).status).toBe(422);
    expect(to(await answer({ recoveryCode: recoveryCodes[0] as string }))).toEqual([303, FACTORS]);
  });

  it('makes other sign-ins ask again when a factor is added', async () => {
    const { db, app, account, browser, open } = await scene();
    const other = new Browser(app);
    await other.signIn(account);
    expect((await other.open(FACTORS)).status).toBe(200);
    await browser.signIn(account);
    const form = await open(APP);
    const fields = { form_token: form.token, seed: hidden(form, 'seed') as string };
    await browser.post(APP, { ...fields, code: await codesOf(db, seedIn(form))() });
    expect((await other.open(FACTORS)).status).toBe(303);
    expect((await browser.open(FACTORS)).status).toBe(200);
  });

  it('lets no password be changed with the password alone', async () => {
    const { db, account, browser, open, age } = await scene();
    const { code } = await withApp(db, account);
    await browser.signIn(account);
    await browser.post('/sign-in/second-factor', { code: await code() });
    await age(11);
    const { token } = await open('/account');
    const fields = { form_token: token, current: PASSWORD, password: 'gravel lantern otter quilt' };
    expect(to(await browser.post('/account/password', fields))).toEqual([
      303,
      '/account/confirm?return_to=%2Faccount',
    ]);
  });

  it('is changed by no form of another site or without its token', async () => {
    const { account, browser, open } = await scene();
    await browser.signIn(account);
    const { token } = await open('/account');
    for (const path of [APP, `${APP}/remove`, '/account/recovery-codes', '/account/confirm']) {
      expect((await browser.post(path, {})).status).toBe(403);
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      expect((await browser.post(path, { form_token: token }, foreign)).status).toBe(403);
      expect(to(await new Browser((await scene()).app).open(APP))[0]).toBe(303);
    }
  });
});

describe('the second step of a sign-in', () => {
  it('comes before the session, and leads to where one wanted', async () => {
    const { db, account, browser } = await scene();
    const { code } = await withApp(db, account);
    const target = '/oauth/apps';
    const first = await browser.signIn(account, { return_to: target });
    const step = `/sign-in/second-factor?return_to=${encodeURIComponent(target)}`;
    expect(to(first)).toEqual([303, step]);
    expect(browser.cookie).toMatch(/^docgraph_sign_in=dgi_/);
    expect(first.headers.get('set-cookie')).toMatch(/Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const path of ['/account', '/graphql', target])
      expect(to(await browser.open(path))[1]).toMatch(/^\/sign-in/);
    const shown = await browser.open(step);
    expect(shown.text).toContain('autocomplete="one-time-code"');
    const fields = { return_to: hidden(shown, 'return_to') as string };
    const wrong = await browser.post('/sign-in/second-factor', { ...fields, code: '000000' });
    expect([wrong.status, wrong.text.includes('href="#code"')]).toEqual([422, true]);
    expect(to(await browser.post('/sign-in/second-factor', { ...fields, code: await code() }))).toEqual([
      303,
      target,
    ]);
    expect(browser.cookie).toMatch(/^docgraph_session=dgs_[\w-]+; docgraph_device=dgi_[\w-]+$/);
    expect((await browser.open('/account')).status).toBe(200);
  });

  it('has a cookie that is no session and no bearer token', async () => {
    const { db, account, browser } = await scene();
    await withApp(db, account);
    await browser.signIn(account);
    const pending = browser.cookie.split('=')[1] as string;
    browser.cookie = `docgraph_session=${pending}`;
    expect(to(await browser.open('/account'))[0]).toBe(303);
    const bearer = { headers: { authorization: `Bearer ${pending}` } };
    expect((await browser.send('/api/v1/organizations', bearer)).status).toBe(401);
  });

  it('ends with a new password, and is asked for after it', async () => {
    const { db, account, browser } = await scene();
    await withApp(db, account);
    await browser.signIn(account);
    await db.prisma.pendingSignIn.updateMany({
      where: { userId: account.id },
      data: { expiresAt: new Date(0) },
    });
    expect(to(await browser.open('/sign-in/second-factor'))).toEqual([
      303,
      '/sign-in?ended&return_to=%2Faccount',
    ]);
    expect((await browser.open('/sign-in?ended')).text).toContain('took too long');
  });

  it('takes forms of our pages only, returns to paths of this site only, and says when to wait', async () => {
    const { db, account, browser } = await scene();
    const { code } = await withApp(db, account);
    await browser.signIn(account);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const send = (fields: Record<string, string>, headers?: HeadersInit) =>
      browser.post('/sign-in/second-factor', fields, headers);
    expect((await send({ code: await code() }, foreign)).status).toBe(403);
    for (let index = 0; index < 5; index++) await send({ code: '000000' });
    const late = await send({ code: await code() });
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const evil = await browser.open('/sign-in/second-factor?return_to=https://evil.example');
    expect(hidden(evil, 'return_to')).toBe('/account');
  });
});
