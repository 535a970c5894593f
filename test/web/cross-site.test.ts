import { beforeAll, describe, expect, it } from 'vitest';
import { Browser, newAccount, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { SENDS_MAIL } from '../support/mail/deliver.ts';

/** For programs, which authenticate each request; cookies count only with the token of a page (test/auth, test/rest). */
const FOR_PROGRAMS =
  /^\/(?:api\/v1|graphql|documents|uploads|downloads|images)(?:\/|$)|^\/oauth\/(?:token|revoke|introspect|par|userinfo)$/;

const OTHER_SITE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
const SIBLING = { 'sec-fetch-site': 'same-site', origin: 'http://other.docgraph.test' };
const OLD_BROWSER = { origin: 'https://evil.example' };

/** What programs may do too, as it begins without a sign-in and uses no cookie. */
const WITHOUT_COOKIE = [
  '/password/forgot',
  '/sign-in/passkey/options',
  '/sign-in/second-factor',
  '/sign-in/second-factor/passkey',
  '/sign-up',
];

let browser: Browser;
let paths: string[];
beforeAll(async () => {
  const db = await testDatabase();
  const app = await newApp(db, { env: { ...SENDS_MAIL, SIGN_UP: 'open' } });
  browser = new Browser(app);
  await browser.signIn(await newAccount(db));
  const posts = app.routes.filter(({ method, path }) => method === 'POST' && !FOR_PROGRAMS.test(path));
  paths = [...new Set(posts.map(({ path }) => path.replace(/:\w+(\{[^}]*\})?/g, 'x')))];
});

describe('a form that is posted with the cookie of who is signed in', () => {
  it.each([
    ['from another site', OTHER_SITE, []],
    ['from a site beside ours', SIBLING, []],
    ['by a browser without Sec-Fetch-Site', OLD_BROWSER, []],
    ['without headers and without the token of a page', {}, WITHOUT_COOKIE],
  ])('%s changes nothing, on every page', async (_, headers, permitted) => {
    expect(paths.length).toBeGreaterThan(40);
    const accepted = [];
    for (const path of paths) {
      const answer = await browser.post(path, { email: 'someone@example.test', do: 'delete' }, headers);
      if (answer.status < 400) accepted.push(path);
    }
    expect(accepted.sort()).toEqual(permitted);
    expect((await browser.open('/account')).status).toBe(200);
  });
});
