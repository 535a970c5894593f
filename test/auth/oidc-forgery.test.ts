import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { Browser, newAccount, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { type Forgery, startForger } from '../support/oidc/forger.ts';
import { withProvider } from '../support/oidc/provider.ts';

let forger: Awaited<ReturnType<typeof startForger>>;
beforeAll(async () => {
  forger = await startForger();
});
afterAll(() => forger.close());

/** A browser that was sent to the provider, and what it was sent with. */
async function begun() {
  const db = await testDatabase();
  const app = await newApp(db, {
    env: withProvider(forger.issuer, { OIDC_TRUST_EMAIL: 'true', OIDC_SIGN_UP: 'open' }),
  });
  const account = await newAccount(db);
  const browser = new Browser(app);
  const sent = await browser.post('/sign-in/oidc', { return_to: '/account' });
  const query = new URL(sent.headers.get('location') ?? '').searchParams;
  const { state = '', nonce = '' } = Object.fromEntries(query);
  const come = (more: Record<string, string> = {}, by = browser) =>
    by.open(`/sign-in/oidc/callback?${new URLSearchParams({ code: 'a-code', state, ...more })}`);
  const forge = (forgery: Forgery) =>
    Object.assign(forger.next, {
      ...{ signature: 'right', hangs: false, ...forgery },
      claims: {
        nonce,
        sub: `of ${account.id}`,
        email: account.email,
        email_verified: true,
        ...forgery.claims,
      },
    });
  const isSignedIn = async () => (await browser.open('/account')).status === 200;
  return { db, app, account, browser, query, come, forge, isSignedIn };
}

const past = () => Math.floor(Date.now() / 1_000) - 600;

describe('the answer of a provider', () => {
  it('is accepted if all is right, which the forgeries below differ from in one point each', async () => {
    const { forge, come, isSignedIn, query } = await begun();
    forge({});
    expect((await come()).headers.get('location')).toBe('/account');
    expect(await isSignedIn()).toBe(true);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(forger.redeemed.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  it.each<[string, Forgery]>([
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['several audiences, authorized for another party', { claims: { aud: ['docgraph', 'x'], azp: 'x' } }],
    ['another nonce', { claims: { nonce: 'replayed' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an expired token', { claims: { exp: past(), iat: past() - 60 } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['no signature (alg none)', { signature: 'none' }],
    ['the signature of another key', { signature: 'foreign' }],
    ['a signature with the secret of the client', { signature: 'HS256' }],
  ])('is refused with %s', async (_, forgery) => {
    const { db, account, forge, come, isSignedIn } = await begun();
    forge(forgery);
    const answer = await come();
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('The sign-in failed')]);
    expect(await isSignedIn()).toBe(false);
    expect(await db.prisma.externalIdentity.count({ where: { userId: account.id } })).toBe(0);
  });

  it.each([
    ['another state', { state: 'forged' }],
    ['the issuer of another provider (RFC 9207)', { iss: 'https://evil.example' }],
    ['an error', { error: 'server_error' }],
  ])('is refused with %s', async (_, query) => {
    const { forge, come, isSignedIn } = await begun();
    forge({});
    expect((await come(query)).status).toBe(400);
    expect(await isSignedIn()).toBe(false);
  });

  it('is refused a second time, in another browser, and after ten minutes', async () => {
    const { app, forge, come, browser } = await begun();
    forge({});
    expect((await come({}, new Browser(app))).status).toBe(400);
    const { cookie } = browser;
    expect((await come()).status).toBe(303);
    const again = new Browser(app);
    again.cookie = cookie;
    const replayed = await come({}, again);
    expect([replayed.status, replayed.text]).toEqual([400, expect.stringContaining('Sign in again')]);
    const late = await begun();
    late.forge({});
    await late.db.query(sql`UPDATE oidc_requests SET expires_at = now() RETURNING 1 AS expired`);
    expect((await late.come()).status).toBe(400);
  });

  it('that somebody cancelled says so', async () => {
    const { come } = await begun();
    expect((await come({ error: 'access_denied' })).text).toContain('The sign-in was cancelled');
  });
});

describe('a provider that does not answer', () => {
  it('is said to be down, and the password still works', async () => {
    const db = await testDatabase();
    const app = await newApp(db, { env: withProvider('http://127.0.0.1:9') });
    const browser = new Browser(app);
    expect((await browser.open('/sign-in')).text).toContain('Harbor Login');
    const answer = await browser.post('/sign-in/oidc', { return_to: '/account' });
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining('Harbor Login cannot be reached'),
    ]);
    expect((await browser.signIn(await newAccount(db))).status).toBe(303);
  });

  it('while it is asked for the token makes nobody wait for long', async () => {
    const { come, forge, isSignedIn } = await begun();
    forge({ hangs: true });
    expect((await come()).status).toBe(503);
    expect(await isSignedIn()).toBe(false);
  });
});
