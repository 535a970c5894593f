import { beforeEach, describe, expect, it } from 'vitest';
import { browser, CALLBACK, encode, ISSUER, newClient, post, signedIn } from '../../support/oauth.ts';
import { newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeEach(async () => {
  world = await newOpenIdWorld();
});

const asks = { status: 200, to: undefined, parameters: {} };
const code = {
  to: CALLBACK,
  parameters: { code: expect.stringMatching(/^dgc_/), state: 'st4te', iss: ISSUER },
};
const error = (name: string) => ({
  ...{ status: 303, to: CALLBACK },
  parameters: { error: name, error_description: expect.any(String), state: 'st4te', iss: ISSUER },
});

/** Follows the redirect to the sign-in page, signs in as somebody, and goes on where that page leads. */
async function signInAnew(at: { parameters: Record<string, string> }, userId = world.owner.id) {
  const { app, db } = world;
  const page = await app.request(`/sign-in?${encode(at.parameters)}`);
  const target =
    /name="return_to" value="([^"]*)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
  const somebody = browser(app, await signedIn(db, userId));
  return {
    somebody,
    query: target.slice('/oauth/authorize?'.length),
    response: await app.request(target, {
      headers: { cookie: await signedIn(db, userId) },
    }),
  };
}

describe('prompt=none', () => {
  const prompt = 'none';

  it('gets a code where the user is signed in and has allowed all of it', async () => {
    await world.signIn();
    expect(await world.answer({ prompt })).toMatchObject(code);
  });

  it('gets login_required without a session', async () => {
    await world.signIn();
    expect(await world.answer({ prompt }, { at: browser(world.app) })).toEqual(error('login_required'));
  });

  it('gets consent_required for what the user has not allowed', async () => {
    expect(await world.answer({ prompt })).toEqual(error('consent_required'));
    await world.signIn({ scope: 'openid' });
    expect(await world.answer({ prompt, scope: 'openid email' })).toEqual(error('consent_required'));
  });

  it('gets interaction_required as a public client, which anyone can name (RFC 8252 §8.6)', async () => {
    const { open, signIn, answer } = world;
    expect(await answer({ prompt }, { of: open })).toEqual(error('consent_required'));
    await signIn({}, open);
    expect(await answer({ prompt }, { of: open })).toEqual(error('interaction_required'));
  });

  it('gets login_required where the sign-in is older than max_age, or has to be proved again', async () => {
    const { signIn, pass, answer, db, owner } = world;
    await signIn();
    await pass(120);
    expect(await answer({ prompt, max_age: '300' })).toMatchObject(code);
    expect(await answer({ prompt, max_age: '60' })).toEqual(error('login_required'));
    await db.prisma.signIn.updateMany({ where: { userId: owner.id }, data: { authenticatedAt: null } });
    expect(await answer({ prompt })).toEqual(error('login_required'));
  });

  it('is refused beside another value (OpenID Connect Core §3.1.2.1)', async () => {
    expect(await world.answer({ prompt: 'none login' })).toEqual(error('invalid_request'));
  });

  it('shows no page where a pushed request has ended', async () => {
    const { app, client, request, signIn, as, user } = world;
    await signIn();
    const { body } = await post(app, '/oauth/par', { ...request({ prompt }), ...as(client) });
    const form = { client_id: client.id, request_uri: body.request_uri };
    const first = await user.authorize(form);
    await world.redeem(client, new URL(first.headers.get('location') ?? '').searchParams.get('code') ?? '');
    const where = { clientId: client.id };
    await world.db.prisma.pushedRequest.updateMany({ where, data: { usedAt: new Date(0) } });
    const { status, headers } = await user.authorize(form);
    expect([status, new URL(headers.get('location') ?? '').searchParams.get('error')]).toEqual([
      303,
      'invalid_request',
    ]);
  });
});

describe('prompt=login', () => {
  const prompt = 'login';

  it('asks for a new sign-in of a user who is signed in, and then goes on', async () => {
    const { signIn, answer } = world;
    await signIn();
    const first = await answer({ prompt });
    expect([first.status, first.to]).toEqual([303, '/sign-in']);
    const { response } = await signInAnew(first);
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  it('is not answered by the session of before, nor by a mark of another request or of nobody', async () => {
    const { signIn, answer, user, request } = world;
    await signIn();
    const { parameters } = await answer({ prompt });
    const marked = (parameters.return_to as string).slice('/oauth/authorize?'.length);
    const at = async (query: string, browser = user) => {
      const { headers } = await browser.request(query);
      return new URL(headers.get('location') ?? '', ISSUER).pathname;
    };
    expect(await at(marked)).toBe('/sign-in');
    const { somebody } = await signInAnew({ parameters });
    const mark = marked.slice(marked.lastIndexOf('&'));
    const others = [
      encode(request({ prompt, state: 'other' })) + mark,
      marked.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
      marked.replace(/after=\d{13}/, 'after=1000000000000'),
      `${encode(request({ prompt }))}&signed_in_after=1000000000000.${'A'.repeat(43)}`,
    ];
    for (const query of others) expect([query, await at(query, somebody)]).toEqual([query, '/sign-in']);
    expect(await at(marked, somebody)).toBe('/callback');
  });

  it('takes the user straight to the sign-in once, not twice, if they were not signed in', async () => {
    const { app, answer, signIn } = world;
    await signIn();
    const { response } = await signInAnew(await answer({ prompt }, { at: browser(app) }));
    expect(response.headers.get('location')).toContain('code=');
  });

  it('puts the new time into auth_time', async () => {
    const { answer, signIn, verify, pass, redeem, client } = world;
    await signIn();
    await pass(1_000);
    const before = (await verify((await signIn()).id_token)).payload.auth_time as number;
    const { response } = await signInAnew(await answer({ prompt }));
    const location = new URL(response.headers.get('location') ?? '');
    const { body } = await redeem(client, location.searchParams.get('code') ?? '');
    const after = (await verify(body.id_token)).payload.auth_time as number;
    expect(after - before).toBeGreaterThanOrEqual(999);
  });
});

describe('prompt=consent and prompt=select_account', () => {
  it.each([
    'consent',
    'select_account',
    'consent select_account',
  ])('%s asks although all is allowed', async (prompt) => {
    const { signIn, answer, user, request } = world;
    await signIn();
    expect(await answer()).toMatchObject(code);
    expect(await answer({ prompt })).toEqual(asks);
    const page = await (await user.authorize(request({ prompt }))).text();
    expect(page).toContain('Use another account');
    expect(await user.code(request({ prompt }))).toMatch(/^dgc_/);
  });
});

describe('max_age', () => {
  it('asks for a new sign-in where the last one is older', async () => {
    const { signIn, pass, answer } = world;
    await signIn();
    await pass(120);
    expect(await answer({ max_age: '300' })).toMatchObject(code);
    const late = await answer({ max_age: '60' });
    expect([late.status, late.to]).toEqual([303, '/sign-in']);
    expect((await signInAnew(late)).response.headers.get('location')).toContain('code=');
  });

  it('of 0 is like prompt=login', async () => {
    const { signIn, answer } = world;
    await signIn();
    const late = await answer({ max_age: '0' });
    expect([late.status, late.to]).toEqual([303, '/sign-in']);
    expect((await signInAnew(late)).response.headers.get('location')).toContain('code=');
  });

  it.each(['-1', '1.5', 'x', '9999999999'])('of %s is refused', async (max_age) => {
    expect(await world.answer({ max_age })).toEqual(error('invalid_request'));
  });
});

describe('login_hint', () => {
  it('is the address in the form of the sign-in page, as text', async () => {
    const { app, answer } = world;
    const login_hint = '"><script>alert(1)</script>@example.com';
    const { parameters } = await answer({ login_hint }, { at: browser(app) });
    expect(parameters.login_hint).toBe(login_hint);
    const page = await (await app.request(`/sign-in?${encode(parameters)}`)).text();
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).not.toContain('<script>alert(1)');
  });

  it('is ignored where it is no address, however long it is', async () => {
    const { app, answer } = world;
    for (const login_hint of ['\u{1f600}'.repeat(250), 'x'.repeat(4_000)]) {
      const { to, parameters } = await answer({ login_hint }, { at: browser(app) });
      expect([to, 'login_hint' in parameters]).toEqual(['/sign-in', false]);
    }
  });

  it('is the address of the user who has to sign in anew, if the application gives none', async () => {
    const { app, answer, owner } = world;
    const { parameters } = await answer({ prompt: 'login' });
    const { email } = (await owner.context()).viewer;
    expect(parameters.login_hint).toBe(email);
    expect(await (await app.request(`/sign-in?${encode(parameters)}`)).text()).toContain('sign in anew');
  });
});

describe('id_token_hint', () => {
  it('of the user who is signed in changes nothing, also once it has expired', async () => {
    const { signIn, answer } = world;
    const { id_token } = await signIn();
    expect(await answer({ id_token_hint: id_token, prompt: 'none' })).toMatchObject(code);
  });

  it('of somebody else, or of no user of the application, gets login_required', async () => {
    const { app, db, stranger, owner, organization, signIn, answer, redeem, request, client, user } = world;
    await signIn();
    const theirs = browser(app, await signedIn(db, stranger.id));
    const { body } = await redeem(client, await theirs.code(request()));
    const other = await newClient(owner, organization.id, { scopes: ['openid'] });
    const { body: elsewhere } = await redeem(other, await user.code(request({ scope: 'openid' }, other)));
    for (const id_token_hint of [body.id_token, elsewhere.id_token, 'eyJ.e30.', 'none'])
      expect(await answer({ id_token_hint, prompt: 'none' })).toEqual(error('login_required'));
  });

  it('asks for a sign-in as the user it names, and refuses another', async () => {
    const { app, db, stranger, answer, redeem, request, client } = world;
    const theirs = browser(app, await signedIn(db, stranger.id));
    const { body } = await redeem(client, await theirs.code(request()));
    const sent = await answer({ id_token_hint: body.id_token });
    expect(sent.to).toBe('/sign-in');
    expect((await signInAnew(sent, stranger.id)).response.headers.get('location')).toContain('code=');
    expect((await signInAnew(sent)).response.headers.get('location')).toContain('error=login_required');
  });
});

describe('without the scope openid', () => {
  it('all of these are parameters of others, and ignored', async () => {
    const { user, request } = world;
    const others = { prompt: 'none login', max_age: 'x', request: 'eyJ', nonce: 'x'.repeat(2_000) };
    expect((await user.authorize(request({ scope: 'read', ...others }))).status).toBe(200);
  });

  it('profile and email cannot be requested', async () => {
    for (const scope of ['profile', 'email', 'read email'])
      expect(await world.answer({ scope })).toEqual(error('invalid_scope'));
  });
});
