import { beforeAll, describe, expect, it } from 'vitest';
import { newClient } from '../../support/oauth.ts';
import { IDENTITY, newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeAll(async () => {
  world = await newOpenIdWorld();
});

const formOf = (token: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ access_token: token }).toString(),
});

describe('the userinfo endpoint (OpenID Connect Core §5.3)', () => {
  it.each([
    ['openid', []],
    ['openid profile', ['name']],
    ['openid email', ['email', 'email_verified']],
    ['openid profile email', ['name', 'email', 'email_verified']],
    ['openid read', []],
  ])('gives what %s allows, and no more', async (scope, members) => {
    const { signIn, userInfo, owner } = world;
    const response = await userInfo((await signIn({ scope })).access_token);
    const { name, email } = await owner.context().then(({ viewer }) => viewer);
    const all: Record<string, unknown> = { name, email, email_verified: true };
    expect(await response.json()).toEqual({
      sub: owner.id,
      ...Object.fromEntries(members.map((member) => [member, all[member]])),
    });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('answers POST with the token in the header or in the form, and not in both', async () => {
    const { signIn, userInfo } = world;
    const { access_token } = await signIn();
    const authorization = `Bearer ${access_token}`;
    const inHeader = await userInfo(access_token, { method: 'POST', headers: { authorization } });
    const inForm = await userInfo(access_token, formOf(access_token));
    expect([inHeader.status, inForm.status]).toEqual([200, 200]);
    expect(await inForm.json()).toEqual(await inHeader.json());
    const form = formOf(access_token);
    const both = await userInfo('', { ...form, headers: { ...form.headers, authorization } });
    expect([both.status, ((await both.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  it('takes no token from the URL', async () => {
    const { app, signIn } = world;
    const { access_token } = await signIn();
    expect((await app.request(`/oauth/userinfo?access_token=${access_token}`)).status).toBe(401);
  });

  it('says what is wrong with a token in WWW-Authenticate (RFC 6750 §3.1)', async () => {
    const { app, userInfo, signIn, owner } = world;
    const challenge = async (response: Response | Promise<Response>) => {
      const { status, headers } = await response;
      return [status, headers.get('www-authenticate')?.replace(/,? ?resource_metadata.*/, '')];
    };
    expect(await challenge(app.request('/oauth/userinfo'))).toEqual([401, 'Bearer']);
    expect(await challenge(userInfo('dga_none'))).toEqual([401, 'Bearer error="invalid_token"']);
    expect(await challenge(userInfo('', formOf('dga_none')))).toEqual([401, 'Bearer error="invalid_token"']);
    const scope = [403, 'Bearer error="insufficient_scope", scope="openid"'];
    expect(await challenge(userInfo((await signIn({ scope: 'read' })).access_token))).toEqual(scope);
    expect(await challenge(userInfo(owner.key))).toEqual(scope);
  });

  it('refuses tokens that are revoked, of a person who was disabled, and refresh tokens', async () => {
    const { db, owner, signIn, userInfo, revoke, client } = await newOpenIdWorld();
    const first = await signIn();
    expect((await userInfo(first.refresh_token)).status).toBe(401);
    await revoke(client, first.access_token);
    expect((await userInfo(first.access_token)).status).toBe(401);
    const second = await signIn();
    expect((await userInfo(second.access_token)).status).toBe(200);
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect((await userInfo(second.access_token)).status).toBe(401);
  });

  it('refuses a token that is for another resource server alone (RFC 8707)', async () => {
    const { owner, organization, redeem, user, request, client, userInfo } = world;
    const resourceUri = 'https://archive.example/api';
    await newClient(owner, organization.id, {
      ...{ kind: 'RESOURCE_SERVER', scopes: [], redirectUris: [], resourceUri },
    });
    const { body } = await redeem(client, await user.code(request({ resource: resourceUri })));
    expect([(await userInfo(body.access_token)).status, typeof body.id_token]).toEqual([401, 'string']);
  });

  it('loses what the application may no longer ask for', async () => {
    const { owner, organization, redeem, user, request, userInfo, db } = world;
    const client = await newClient(owner, organization.id, { scopes: [...IDENTITY] });
    const { body } = await redeem(client, await user.code(request({}, client)));
    await db.prisma.client.update({ where: { id: client.id }, data: { scopes: ['openid'] } });
    expect(await (await userInfo(body.access_token)).json()).toEqual({ sub: owner.id });
  });

  it('may be called from other origins, as it takes no cookie', async () => {
    const { app, cookie } = world;
    const preflight = await app.request('/oauth/userinfo', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://spa.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await app.request('/oauth/userinfo', { headers: { cookie } })).status).toBe(401);
  });
});
