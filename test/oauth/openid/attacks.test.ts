import { createHmac } from 'node:crypto';
import { decodeJwt, type JWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { restRoutes } from '../../../src/rest/routes.ts';
import { browser, CALLBACK, encode, newClient } from '../../support/oauth.ts';
import { IDENTITY, NONCE, newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeEach(async () => {
  world = await newOpenIdWorld();
});

describe('a code', () => {
  it('gives an ID token with its nonce once; a replay ends what it gave', async () => {
    const { redeem, client, user, request, userInfo, refresh } = world;
    const code = await user.code(request());
    const first = (await redeem(client, code)).body;
    const again = await redeem(client, code);
    expect([again.status, again.body.error, 'id_token' in again.body]).toEqual([400, 'invalid_grant', false]);
    expect((await userInfo(first.access_token)).status).toBe(401);
    expect((await refresh(client, first.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('redeemed eight times at once gives at most one ID token', async () => {
    const { redeem, client, user, request } = world;
    const code = await user.code(request());
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(client, code)));
    expect(answers.filter(({ body }) => 'id_token' in body).length).toBeLessThanOrEqual(1);
  });

  it('of another client gives nothing, and stays usable', async () => {
    const { owner, organization, redeem, client, user, request, verify } = world;
    const thief = await newClient(owner, organization.id, { scopes: [...IDENTITY], name: 'Thief' });
    const code = await user.code(request());
    const theirs = await redeem(thief, code);
    expect([theirs.status, theirs.body.error]).toEqual([400, 'invalid_grant']);
    expect((await verify((await redeem(client, code)).body.id_token)).payload.nonce).toBe(NONCE);
  });

  it('is worth nothing once the user has signed out', async () => {
    const { redeem, client, user, request, endSession } = world;
    const code = await user.code(request());
    await endSession();
    const { status, body } = await redeem(client, code);
    expect([status, body.error, 'id_token' in body]).toEqual([400, 'invalid_grant', false]);
  });
});

describe('the nonce', () => {
  it('is in no other ID token: not of a refresh, and not of the next authorization', async () => {
    const { signIn, refresh, client, verify } = world;
    const first = await signIn();
    const next = await verify((await refresh(client, first.refresh_token)).body.id_token);
    const other = await verify((await signIn({ nonce: 'another' })).id_token);
    expect([next.payload.nonce, other.payload.nonce]).toEqual([undefined, 'another']);
  });

  it('is stored and returned as it was sent', async () => {
    const nonce = `"';DROP TABLE x;--\u{1f600}<script>&`;
    const { signIn, verify } = world;
    expect((await verify((await signIn({ nonce })).id_token)).payload.nonce).toBe(nonce);
  });
});

describe('after the end of a session', () => {
  it('a refresh gives tokens, as the user allowed, but no ID token', async () => {
    const { signIn, refresh, client, endSession, userInfo } = world;
    const first = await signIn();
    await endSession();
    const { status, body } = await refresh(client, first.refresh_token);
    expect([status, 'id_token' in body]).toEqual([200, false]);
    expect((await userInfo(body.access_token)).status).toBe(200);
  });

  it('a refresh gives nothing if the user has revoked the application, or was disabled', async () => {
    const { db, owner, signIn, refresh, client } = world;
    const first = await signIn();
    const second = await signIn();
    await owner.graph(
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { __typename } }',
      {
        input: { clientId: client.id },
      },
    );
    expect((await refresh(client, first.refresh_token)).body.error).toBe('invalid_grant');
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect((await refresh(client, second.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('algorithms', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('are not taken from the token: none, and HS256 with the public key, are no id_token_hint', async () => {
    const { app, signIn, answer } = world;
    const { id_token = '' } = await signIn();
    const [header = '', payload = '', signature = ''] = id_token.split('.');
    const { keys } = (await (await app.request('/oauth/jwks')).json()) as { keys: JWK[] };
    const key = keys.find(({ alg }) => alg === 'RS256');
    const kid = key?.kid;
    const signed = `${part({ alg: 'HS256', kid })}.${payload}`;
    const secrets = [JSON.stringify(key), key?.n ?? '', Buffer.from(key?.n ?? '', 'base64url')];
    const forged = [
      `${part({ alg: 'none', kid })}.${payload}.`,
      `${part({ alg: 'none', kid })}.${payload}.${signature}`,
      ...secrets.map(
        (secret) => `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
      ),
      `${header}.${part({ ...decodeJwt(id_token), sub: 'usr_other' })}.${signature}`,
      ...['a\0b', 7, { a: 1 }].map((kid) => `${part({ alg: 'RS256', kid })}.${payload}.${signature}`),
    ];
    const prompt = 'none';
    expect((await answer({ prompt, id_token_hint: id_token })).parameters).toHaveProperty('code');
    for (const id_token_hint of forged)
      expect((await answer({ prompt, id_token_hint })).parameters.error).toBe('login_required');
  });

  it('keep tokens of each kind apart: an ID token opens nothing, and an access token is no hint', async () => {
    const { owner, organization, redeem, user, request, api, userInfo, introspect, client, signIn, answer } =
      world;
    const { id_token = '' } = await signIn({ scope: 'openid read' });
    expect([await api(id_token), (await userInfo(id_token)).status]).toEqual([401, 401]);
    expect((await introspect(client, id_token)).body).toEqual({ active: false });
    const scopes = ['read' as const, 'openid' as const];
    const jwt = await newClient(owner, organization.id, { scopes, tokenFormat: 'JWT' });
    const { body } = await redeem(jwt, await user.code(request({ scope: 'openid read' }, jwt)));
    expect(await api(body.access_token)).toBe(200);
    const more = { scope: 'openid', prompt: 'none', id_token_hint: body.access_token };
    const hinted = await answer(more, { of: jwt });
    expect(hinted.parameters.error).toBe('login_required');
  });
});

describe('redirects', () => {
  it('never go to an address that is not registered, whatever the prompt', async () => {
    const { user, request } = world;
    for (const prompt of ['none', 'login', 'consent', 'select_account'])
      for (const redirect_uri of [
        'https://evil.example/',
        `${CALLBACK}.evil.example`,
        '//evil.example',
        undefined,
      ]) {
        const answer = await user.authorize(request({ prompt, redirect_uri }));
        expect([prompt, answer.status, answer.headers.get('location')]).toEqual([prompt, 400, null]);
      }
  });

  it('to the sign-in page carry the request, and no other address', async () => {
    const { answer, app } = world;
    const login_hint = 'x&return_to=https://evil.example/';
    const { to, parameters } = await answer({ login_hint, prompt: 'login' });
    expect([to, parameters.login_hint]).toEqual(['/sign-in', login_hint]);
    expect(parameters.return_to).toMatch(/^\/oauth\/authorize\?/);
    const page = await (await app.request(`/sign-in?${encode(parameters)}`)).text();
    expect(
      page.match(/name="return_to" value="[^"]*"/g)?.every((field) => field.includes('"/oauth/authorize?')),
    ).toBe(true);
  });

  it('of a request sent as a form stay on this server', async () => {
    const { app, request, cookie } = world;
    const post = (body: string) =>
      app.request('/oauth/authorize', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    const good = await post(encode(request({ prompt: 'none' })));
    expect([good.status, good.headers.get('location')]).toEqual([
      303,
      `/oauth/authorize?${encode(request({ prompt: 'none' }))}`,
    ]);
    for (const behind of ['&x=\r\nSet-Cookie: a=b', '#https://evil.example', '&x=<script>', '&x=\u00e9'])
      expect((await post(encode(request()) + behind)).status).toBe(400);
  });
});

describe('in a frame', () => {
  const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };

  it('of another site, prompt=none knows no session, even if the browser sends its cookie', async () => {
    const { app, cookie, request, signIn } = world;
    await signIn();
    const path = `/oauth/authorize?${encode(request({ prompt: 'none' }))}`;
    const codeOf = async (headers: Record<string, string>) => {
      const answer = await app.request(path, { headers: { cookie, ...headers } });
      return new URL(answer.headers.get('location') ?? '').searchParams.has('code');
    };
    expect(await codeOf({ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })).toBe(true);
    for (const dest of ['iframe', 'frame', 'embed', 'object'])
      expect(await codeOf({ ...FRAME, 'sec-fetch-dest': dest })).toBe(false);
  });

  it('no page is shown: each forbids it, and prompt=none shows none', async () => {
    const { app, cookie, request, answer } = world;
    for (const more of [
      {},
      { prompt: 'consent' },
      { prompt: 'none', redirect_uri: 'https://evil.example/' },
    ]) {
      const page = await app.request(`/oauth/authorize?${encode(request(more))}`, { headers: { cookie } });
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    for (const at of [browser(app), browser(app, cookie)])
      expect(await answer({ prompt: 'none' }, { at })).toMatchObject({ status: 303, to: CALLBACK });
  });
});

describe('a token with openid, profile and email alone', () => {
  it('reaches no field and no route of either API', async () => {
    const { app, signIn, api } = world;
    const { access_token } = await signIn();
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    for (const query of [
      '{ viewer { id } }',
      '{ viewer { user { email } } }',
      '{ organizations { totalCount } }',
      'mutation { createOrganization(input: { name: "X" }) { __typename } }',
      'mutation { markNotificationsRead(input: { notificationIds: [] }) { __typename } }',
    ]) {
      const body = JSON.stringify({ query });
      const answer = await app.request('/graphql', { method: 'POST', headers, body });
      const { data, errors } = (await answer.json()) as {
        data?: unknown;
        errors: { extensions: { code: string } }[];
      };
      expect([query, data ?? null]).toEqual([query, null]);
      expect(errors.length).toBeGreaterThan(0);
    }
    expect(await api(access_token)).toBe(403);
    for (const { method, path } of restRoutes) {
      const url = `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const answer = await app.request(url, { method, headers, ...(method !== 'GET' && { body: '{}' }) });
      expect([url, answer.status]).toEqual([url, 403]);
    }
    expect((await app.request('/documents', { headers })).status).toBe(403);
  });

  it('makes no API key and is no scope of one', async () => {
    const { owner } = world;
    const query = 'mutation ($input: CreateApiKeysInput!) { createApiKeys(input: $input) { __typename } }';
    for (const scopes of [['OPENID'], ['READ', 'EMAIL']]) {
      const { errors } = await owner.graph(query, { input: { keys: [{ name: 'Key', scopes }] } });
      expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
    }
  });
});
