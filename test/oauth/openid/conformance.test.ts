import { beforeEach, describe, expect, it } from 'vitest';
import { basic, browser, CALLBACK, encode, ISSUER, post, VERIFIER } from '../../support/oauth.ts';
import { newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeEach(async () => {
  world = await newOpenIdWorld();
});

const metadataOf = async ({ app }: OpenIdWorld) =>
  (await (await app.request('/.well-known/openid-configuration')).json()) as Record<string, unknown>;

const userInfoOf = async (access_token: string) =>
  (await (await world.userInfo(access_token)).json()) as Record<string, unknown>;

/** The rules of the plans "Config OP" and "Basic OP" of the conformance suite of the OpenID Foundation, by their names there. */
describe('the rule of the conformance suite', () => {
  it('oidcc-discovery-endpoint-verification', async () => {
    const metadata = await metadataOf(world);
    const endpoints = ['authorization', 'token', 'userinfo', 'introspection', 'revocation'];
    for (const name of endpoints)
      expect(metadata[`${name}_endpoint`]).toMatch(new RegExp(`^${ISSUER}/oauth/`));
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/oauth/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email']),
      claims_supported: expect.arrayContaining(['sub', 'auth_time', 'name', 'email', 'email_verified']),
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    });
    const { headers } = await world.app.request('/.well-known/openid-configuration');
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('oidcc-server: the whole flow, with a valid ID token', async () => {
    const { signIn, verify, owner } = world;
    const { id_token, access_token } = await signIn();
    expect((await verify(id_token)).payload.sub).toBe(owner.id);
    expect((await userInfoOf(access_token)).sub).toBe(owner.id);
  });

  it('oidcc-server-client-secret-post, and with the secret in the header', async () => {
    const { app, client, user, request, verify, redeem } = world;
    expect((await redeem(client, await user.code(request()))).status).toBe(200);
    const form = {
      ...{ grant_type: 'authorization_code', code: await user.code(request()) },
      ...{ redirect_uri: CALLBACK, code_verifier: VERIFIER },
    };
    const authorization = basic(client.id, client.secret as string);
    const { body } = await post(app, '/oauth/token', form, { authorization });
    expect((await verify(body.id_token)).payload.aud).toBe(client.id);
  });

  it('oidcc-response-type-missing', async () => {
    const { parameters } = await world.answer({ response_type: undefined });
    expect(parameters).toMatchObject({ error: 'invalid_request', state: 'st4te' });
  });

  it.each([
    ['oidcc-ensure-request-without-nonce-succeeds-for-code-flow', { nonce: undefined }],
    ['oidcc-ensure-other-scope-order-succeeds', { scope: 'email openid' }],
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
    ['oidcc-login-hint', { login_hint: 'buffy@example.com' }],
    ['oidcc-ensure-request-with-valid-pkce-succeeds', {}],
    ['oidcc-max-age-10000', { max_age: '10000' }],
  ])('%s', async (_, more) => {
    const { payload } = await world.verify((await world.signIn(more)).id_token);
    expect(payload.auth_time).toBeTypeOf('number');
  });

  it.each([
    ['oidcc-scope-profile', 'openid profile', ['name', 'sub']],
    ['oidcc-scope-email', 'openid email', ['email', 'email_verified', 'sub']],
    ['oidcc-scope-all', 'openid profile email', ['email', 'email_verified', 'name', 'sub']],
  ])('%s', async (_, scope, claims) => {
    const { access_token } = await world.signIn({ scope });
    expect(Object.keys(await userInfoOf(access_token)).sort()).toEqual(claims);
  });

  it.each(['address', 'phone'])('oidcc-scope-%s: not supported, which the metadata says', async (name) => {
    expect((await metadataOf(world)).scopes_supported).not.toContain(name);
    const { parameters } = await world.answer({ scope: `openid ${name}` });
    expect(parameters.error).toBe('invalid_scope');
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    const { app, answer } = world;
    const { to, parameters } = await answer({ prompt: 'none' }, { at: browser(app) });
    expect([to, parameters.error]).toEqual([CALLBACK, 'login_required']);
  });

  it('oidcc-prompt-none-logged-in: the same sub and auth_time, without a page', async () => {
    const { signIn, answer, verify, redeem, client } = world;
    const before = (await verify((await signIn()).id_token)).payload;
    const { parameters } = await answer({ prompt: 'none' });
    const after = (await verify((await redeem(client, parameters.code as string)).body.id_token)).payload;
    expect([after.sub, after.auth_time]).toEqual([before.sub, before.auth_time]);
  });

  it('oidcc-prompt-login and oidcc-max-age-1: a page to sign in, and a later auth_time (prompt.test.ts)', async () => {
    const { signIn, pass, answer } = world;
    await signIn();
    expect((await answer({ prompt: 'login' })).to).toBe('/sign-in');
    await pass(2);
    expect((await answer({ max_age: '1' })).to).toBe('/sign-in');
  });

  it('oidcc-id-token-hint', async () => {
    const { signIn, answer } = world;
    const { id_token: id_token_hint } = await signIn();
    expect((await answer({ prompt: 'none', id_token_hint })).parameters).toHaveProperty('code');
  });

  it.each([
    ['oidcc-unsigned-request-object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['oidcc-request-uri-unsigned', { request_uri: 'https://app.example/r' }, 'request_uri_not_supported'],
    ['oidcc-registration-parameter', { registration: '{}' }, 'registration_not_supported'],
  ])('%s: rejected as unsupported', async (_, more, error) => {
    const { to, parameters } = await world.answer(more);
    expect([to, parameters.error, parameters.state]).toEqual([CALLBACK, error, 'st4te']);
  });

  it('oidcc-ensure-registered-redirect-uri: a page', async () => {
    const { status, to } = await world.answer({ redirect_uri: `${CALLBACK}/other` });
    expect([status, to]).toEqual([400, undefined]);
  });

  it('oidcc-codereuse: refused, and its access token is revoked', async () => {
    const { redeem, client, user, request, userInfo } = world;
    const code = await user.code(request());
    const { body } = await redeem(client, code);
    expect((await redeem(client, code)).body.error).toBe('invalid_grant');
    expect((await userInfo(body.access_token)).status).toBe(401);
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    const { app, signIn, request, cookie } = world;
    await signIn();
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await app.request('/oauth/authorize', { method: 'POST', headers, body: encode(request()) });
    const { headers: answered } = await app.request(sent.headers.get('location') as string, {
      headers: { cookie },
    });
    expect(answered.get('location')).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  it('oidcc-refresh-token: rotated, with an ID token for the same sub', async () => {
    const { signIn, refresh, client, verify } = world;
    const first = await signIn();
    const { body } = await refresh(client, first.refresh_token);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    const [before, after] = [await verify(first.id_token), await verify(body.id_token)];
    expect(after.payload.sub).toBe(before.payload.sub);
  });

  it('oidcc-userinfo-get, -post-header and -post-body', async () => {
    const { signIn, userInfo } = world;
    const { access_token } = await signIn();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = encode({ access_token });
    const answers = [
      await userInfo(access_token),
      await userInfo(access_token, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}` },
      }),
      await userInfo('', { method: 'POST', headers: form, body }),
    ];
    const subs = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { sub: string }).sub),
    );
    expect(new Set(subs).size).toBe(1);
  });
});
