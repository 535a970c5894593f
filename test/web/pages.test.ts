import { describe, expect, it } from 'vitest';
import { PASSKEY_SCRIPT } from '../../src/web/passkeys/passkey-form.tsx';
import { Browser, hidden, newAccount, newApp, ORIGIN, SAME } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';

async function scene(set: Parameters<typeof newApp>[1] = {}) {
  const db = await testDatabase();
  const app = await newApp(db, set);
  return { db, app, account: await newAccount(db), browser: new Browser(app) };
}

const asks = (headers: Record<string, string> = SAME) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ query: '{ viewer { user { id } } }' }),
});

describe('the sign-in screen', () => {
  it('redirects to the requested page, with a cookie hidden from scripts and other sites', async () => {
    const { browser, account } = await scene();
    const form = await browser.open('/sign-in?return_to=/oauth/authorize%3Fa=1%26b=2');
    const target = hidden(form, 'return_to')?.replaceAll('&amp;', '&') as string;
    expect(target).toBe('/oauth/authorize?a=1&b=2');
    const { status, headers } = await browser.signIn(account, { return_to: target });
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      303,
      target,
      'no-store',
    ]);
    expect(headers.getSetCookie()[0]).toMatch(
      /^docgraph_session=dgs_[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('gives the cookie over https a prefix that prevents other hosts from setting it', async () => {
    const { browser, account } = await scene({ env: { PUBLIC_URL: 'https://docs.example.com' } });
    const { headers } = await browser.signIn(account);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-docgraph_session=[^;]+; .*Path=\/; HttpOnly; Secure; S/,
    );
    expect((await browser.open('/graphql')).status).toBe(200);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
  ])('never leads to %s', async (evil) => {
    const { browser, account } = await scene();
    const form = await browser.open(`/sign-in?return_to=${encodeURIComponent(evil)}`);
    expect(hidden(form, 'return_to')).toBe('/console');
    const { headers } = await browser.signIn(account, { return_to: evil });
    expect(headers.get('location')).toBe('/console');
  });

  it('escapes its input', async () => {
    const { browser } = await scene();
    const email = '"><script>alert(1)</script>@example.test';
    const { text } = await browser.signIn({ email, password: 'x' }, { return_to: '/"><script>' });
    expect(text.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="${PASSKEY_SCRIPT.path}">`]);
    expect(text).toContain('&lt;script&gt;');
  });

  it('has a policy that allows only its own style and script, and no framing', async () => {
    const { browser } = await scene();
    const { headers } = await browser.open('/sign-in');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const forApplication = await browser.open('/sign-in?return_to=/oauth/authorize');
    expect(forApplication.headers.get('content-security-policy')).not.toContain('form-action');
  });

  it('answers a wrong password and an unknown account equally', async () => {
    const { browser, account } = await scene();
    const answers = [
      await browser.signIn({ email: account.email, password: 'wrong' }),
      await browser.signIn({ email: 'nobody@example.test', password: 'wrong' }),
    ].map(({ status, text }) => [status, text.replaceAll(/value="[^"]*@[^"]*"/g, '')]);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(422);
  });

  it.each([
    [{ email: '', password: '' }, ['Enter your e-mail address.', 'Enter your password.']],
    [{ email: 'x', password: 'y' }, ['Enter an e-mail address such as']],
    [{ email: 'a@example.test\0', password: 'y' }, ['Enter an e-mail address such as']],
    [{ email: 'a@example.test', password: 'x'.repeat(1_001) }, ['at most 1000 characters']],
  ])('names what is missing in %j', async (fields, texts) => {
    const { browser } = await scene();
    const { status, text } = await browser.signIn(fields);
    expect(status).toBe(422);
    expect(text).toContain('<title>Error: Sign in – Docgraph</title>');
    expect(text).toContain('role="alert"');
    for (const each of texts) expect(text.split(each)).toHaveLength(3);
  });

  it('accepts the e-mail address in any case, with surrounding spaces', async () => {
    const { browser, account } = await scene();
    const { status } = await browser.signIn({ ...account, email: ` ${account.email.toUpperCase()} ` });
    expect(status).toBe(303);
  });

  it('shows how long to wait after too many attempts', async () => {
    const { browser, account } = await scene({ env: { SIGN_IN_TRIES: '2', SIGN_IN_TRIES_MINUTES: '1' } });
    for (let each = 0; each < 2; each++) await browser.signIn({ ...account, password: 'wrong' });
    const { status, headers, text } = await browser.signIn(account);
    expect([status, headers.get('retry-after'), headers.get('set-cookie')]).toEqual([429, '30', null]);
    expect(text).toContain('Try again in 30 seconds');
  });

  it('refuses forms from another site, of another content type, and beyond a size limit', async () => {
    const { browser, account } = await scene();
    const fields = { email: account.email, password: account.password };
    const foreign = await browser.post('/sign-in', fields, { 'sec-fetch-site': 'cross-site' });
    const json = await browser.send('/sign-in', {
      method: 'POST',
      headers: { ...SAME, 'content-type': 'text/plain' },
      body: 'email=a',
    });
    const long = await browser.signIn({ email: 'x'.repeat(20_000), password: 'x' });
    expect([foreign.status, json.status, long.status]).toEqual([403, 400, 413]);
    expect(foreign.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(browser.cookie).toBe('');
  });

  it('ends the previous sign-in of the browser', async () => {
    const { app, browser, account } = await scene();
    await browser.signIn(account);
    const before = new Browser(app);
    before.cookie = browser.cookie;
    await browser.signIn(account);
    expect(browser.cookie).not.toBe(before.cookie);
    expect((await before.send('/graphql', asks())).status).toBe(401);
    expect((await browser.send('/graphql', asks())).status).toBe(200);
  });

  it('accepts the address from X-Forwarded-For of trusted proxies only', async () => {
    const { account, app } = await scene({ env: { TRUST_PROXY: '1', SIGN_IN_TRIES: '1' } });
    const from = (forwarded: string) =>
      new Browser(app).post(
        '/sign-in',
        { email: account.email, password: 'wrong' },
        { ...SAME, 'x-forwarded-for': forwarded },
      );
    expect((await from('203.0.113.1')).status).toBe(422);
    expect((await from('198.51.100.9, 203.0.113.1')).status).toBe(429);
    expect((await from('203.0.113.2')).status).toBe(422);
  });
});

describe('signing out', () => {
  it('ends the sign-in and deletes the cookie', async () => {
    const { app, browser, account } = await scene();
    await browser.signIn(account);
    const thief = new Browser(app);
    thief.cookie = browser.cookie;
    const form_token = hidden(await browser.open('/sign-in'), 'form_token') as string;
    const { status, headers } = await browser.post('/sign-out', { form_token });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?signed_out']);
    expect(headers.get('set-cookie')).toMatch(/^docgraph_session=; Max-Age=0; Path=\//);
    expect((await browser.open('/sign-in?signed_out')).text).toContain('You are signed out.');
    expect((await thief.send('/graphql', asks())).status).toBe(401);
  });

  it('is refused from another site, and without the form of the same sign-in', async () => {
    const { app, browser, account } = await scene();
    await browser.signIn(account);
    const form_token = hidden(await browser.open('/sign-in'), 'form_token') as string;
    const other = new Browser(app);
    await other.signIn(account);
    const theirs = hidden(await other.open('/sign-in'), 'form_token') as string;
    const statuses = [
      await browser.post('/sign-out', { form_token }, { origin: 'https://evil.example' }),
      await browser.post('/sign-out', {}),
      await browser.post('/sign-out', { form_token: theirs }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403]);
    expect((await browser.send('/graphql', asks())).status).toBe(200);
  });

  it('without a sign-in redirects to the sign-in page', async () => {
    const { browser } = await scene();
    expect((await browser.post('/sign-out', {})).headers.get('location')).toBe('/sign-in?signed_out');
  });
});

describe('the cookie of a sign-in', () => {
  it('authenticates GraphQL requests with JSON from our pages', async () => {
    const { browser, account } = await scene();
    await browser.signIn(account);
    for (const headers of [SAME, { 'sec-fetch-site': 'same-origin' }, { origin: ORIGIN }]) {
      const { status, text } = await browser.send('/graphql', asks(headers as Record<string, string>));
      expect([status, JSON.parse(text).data.viewer.user.id]).toEqual([200, account.id]);
    }
  });

  it('authenticates no other origin, no other content type, and REST only with the token of a page', async () => {
    const { browser, account } = await scene();
    await browser.signIn(account);
    const get = `/graphql?query=${encodeURIComponent('{ viewer { user { id } } }')}`;
    const tries: [string, RequestInit][] = [
      ['/graphql', asks({})],
      ['/graphql', asks({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })],
      ['/graphql', asks({ 'sec-fetch-site': 'same-site', origin: 'http://other.docgraph.test' })],
      ['/graphql', asks({ origin: 'null' })],
      ['/graphql', asks({ ...SAME, 'content-type': 'text/plain' })],
      ['/graphql', asks({ ...SAME, 'content-type': 'application/x-www-form-urlencoded' })],
      ['/graphql', asks({ ...SAME, authorization: 'Bearer dgk_wrong' })],
      ['/graphql', asks({ ...SAME, authorization: `Bearer ${/dgs_[\w-]+/.exec(browser.cookie)?.[0]}` })],
      [get, { headers: SAME }],
      ['/api/v1/organizations', { headers: SAME }],
    ];
    for (const [path, init] of tries)
      expect([path, (await browser.send(path, init)).status]).toEqual([path, 401]);
  });

  it('is ignored if a key is sent with it', async () => {
    const { db, browser, account } = await scene();
    const other = await newAccount(db);
    await browser.signIn(account);
    const { text } = await browser.send('/graphql', asks({ ...SAME, authorization: `Bearer ${other.key}` }));
    expect(JSON.parse(text).data.viewer.user.id).toBe(other.id);
  });
});
