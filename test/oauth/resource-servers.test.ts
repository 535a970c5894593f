import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/domain/oauth/client-change.ts';
import { ask, ISSUER, newClient, newOAuthWorld, post } from '../support/oauth.ts';
import { GRANTED, outcome } from '../support/token-answer.ts';
import { newMember, newWorld, type Person } from '../support/world.ts';

const ARCHIVE = 'https://archive.example/api';
const INACTIVE = { active: false };

const SERVER = { kind: 'RESOURCE_SERVER' as const, redirectUris: [], scopes: [], name: 'Archive' };

const newServer = (owner: Person, organizationId: string, resourceUri = ARCHIVE) =>
  newClient(owner, organizationId, { ...SERVER, resourceUri });

/** A resource server that the operator registered for all organizations. */
async function newInstallationServer(owner: Person, organizationId: string, resourceUri: string) {
  const input = { ...SERVER, organizationId, resourceUri };
  const { client, secret } = await createClient(await owner.context(), input, { installationWide: true });
  return { id: client.id, secret: secret ?? undefined, redirectUri: '' };
}

const CREATE = `mutation ($input: CreateClientInput!) {
  createClient(input: $input) { secret client { id kind resourceUri installationWide redirectUris scopes } } }`;

describe('a resource server', () => {
  it('is registered with only its URI, and gets a secret', async () => {
    const { owner, organization } = await newWorld();
    const input = { ...SERVER, organizationId: organization.id, resourceUri: ARCHIVE };
    const { data } = await owner.graph(CREATE, { input });
    expect(data.createClient).toEqual({
      secret: expect.stringMatching(/^dgb_/),
      client: {
        id: expect.stringMatching(/^app_/),
        kind: 'RESOURCE_SERVER',
        resourceUri: ARCHIVE,
        installationWide: false,
        redirectUris: [],
        scopes: [],
      },
    });
    const again = await owner.graph(CREATE, { input });
    expect(again.errors?.[0]?.extensions.code).toBe('CONFLICT');
  });

  it.each([
    ['no URI', {}, 'resourceUri'],
    ['a relative URI', { resourceUri: '/api' }, 'resourceUri'],
    ['a URI with a fragment', { resourceUri: 'https://archive.example/#a' }, 'resourceUri'],
    ['a URI without encryption', { resourceUri: 'http://archive.example' }, 'resourceUri'],
    ['a redirect URI', { resourceUri: ARCHIVE, redirectUris: ['https://a.example/'] }, 'redirectUris'],
    ['a scope', { resourceUri: ARCHIVE, scopes: ['READ'] }, 'scopes'],
    ['a kind', { resourceUri: ARCHIVE, kind: 'PUBLIC', redirectUris: ['https://a.example/'] }, 'resourceUri'],
  ])('is refused with %s', async (_, facts, at) => {
    const { owner, organization } = await newWorld();
    const { errors } = await owner.graph(CREATE, {
      input: { ...SERVER, organizationId: organization.id, ...facts },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', at });
  });

  it('cannot be registered by members, nor for the installation over the API', async () => {
    const { db, owner, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const input = { ...SERVER, organizationId: organization.id, resourceUri: ARCHIVE };
    expect((await member.graph(CREATE, { input })).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    const wide = await owner.graph(CREATE, { input: { ...input, installationWide: true } });
    expect(wide.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('gets no tokens, and cannot be authorized', async () => {
    const { app, owner, organization, user, as } = await newOAuthWorld();
    const server = await newServer(owner, organization.id);
    const token = await post(app, '/oauth/token', {
      grant_type: 'authorization_code',
      code: 'dgc_x',
      redirect_uri: 'https://archive.example/',
      ...as(server),
    });
    expect(outcome(token)).toEqual([400, 'unauthorized_client']);
    const page = await user.authorize({
      client_id: server.id,
      redirect_uri: 'https://archive.example/',
      response_type: 'code',
      scope: 'read',
      state: 's',
    });
    expect(page.status).toBe(400);
  });

  it('can introspect access tokens of its organization, but no refresh tokens', async () => {
    const { owner, organization, confidential, tokens, introspect } = await newOAuthWorld();
    const server = await newServer(owner, organization.id);
    const { access_token, refresh_token } = await tokens();
    const { body } = await introspect(server, access_token);
    expect(body).toMatchObject({
      active: true,
      client_id: confidential.id,
      sub: owner.id,
      scope: 'read write',
    });
    expect((await introspect(server, refresh_token)).body).toEqual(INACTIVE);
    expect((await introspect({ ...server, secret: 'dgb_wrong' }, access_token)).status).toBe(401);
  });

  it('cannot introspect tokens of another organization, unless it belongs to the installation', async () => {
    const mine = await newOAuthWorld();
    const other = await newWorld();
    const stranger = await newServer(other.owner, other.organization.id);
    const wide = await newInstallationServer(other.owner, other.organization.id, 'https://gateway.example');
    const { access_token } = await mine.tokens();
    expect((await mine.introspect(stranger, access_token)).body).toEqual(INACTIVE);
    expect((await mine.introspect(wide, access_token)).body).toMatchObject({ active: true });
  });

  it('cannot introspect revoked tokens, nor any token after it is deleted', async () => {
    const { owner, organization, confidential, tokens, introspect, revoke } = await newOAuthWorld();
    const server = await newServer(owner, organization.id);
    const { access_token } = await tokens();
    await revoke(confidential, access_token);
    expect((await introspect(server, access_token)).body).toEqual(INACTIVE);
    await owner.graph(`mutation { deleteClients(input: { clientIds: ["${server.id}"] }) { clientIds } }`);
    expect((await introspect(server, access_token)).status).toBe(401);
  });
});

describe('a token for a resource server (RFC 8707)', () => {
  it('names it, is shown on the consent page, and is refused by this API', async () => {
    const { app, owner, organization, user, tokens, introspect, api } = await newOAuthWorld();
    const server = await newServer(owner, organization.id);
    const client = await newClient(owner, organization.id, { tokenFormat: 'JWT' });
    const page = await user.authorize({ ...ask(client), resource: ARCHIVE });
    expect(await page.text()).toContain(ARCHIVE);
    const { access_token } = await tokens(client, { resource: ARCHIVE });
    const keys = await (await app.request('/oauth/jwks')).json();
    const { payload } = await jwtVerify(access_token, createLocalJWKSet(keys as never), {
      audience: ARCHIVE,
    });
    expect(payload.aud).toBe(ARCHIVE);
    expect((await introspect(server, access_token)).body).toMatchObject({ active: true, aud: ARCHIVE });
    expect(await api(access_token)).toBe(401);
  });

  it('is inactive for other resource servers', async () => {
    const { owner, organization, tokens, introspect } = await newOAuthWorld();
    const [, other] = [
      await newServer(owner, organization.id),
      await newServer(owner, organization.id, 'https://other.example'),
    ];
    const { access_token } = await tokens(undefined, { resource: ARCHIVE });
    expect((await introspect(other, access_token)).body).toEqual(INACTIVE);
  });

  it('can be restricted at the token endpoint, and never extended', async () => {
    const { owner, organization, confidential, user, redeem, refresh, introspect, api } =
      await newOAuthWorld();
    const server = await newServer(owner, organization.id);
    const both = new URLSearchParams({ ...ask(confidential) } as Record<string, string>);
    both.append('resource', ARCHIVE);
    both.append('resource', `${ISSUER}/graphql`);
    const page = await user.request(both.toString());
    const code = new URL(
      (await user.decide(page, 'approve')).headers.get('location') as string,
    ).searchParams.get('code');
    const first = await redeem(confidential, code as string, { resource: ISSUER });
    expect(outcome(first)).toEqual(GRANTED);
    expect(await api(first.body.access_token)).toBe(200);
    const next = await refresh(confidential, first.body.refresh_token, { resource: ARCHIVE });
    expect(await api(next.body.access_token)).toBe(401);
    expect((await introspect(server, next.body.access_token)).body).toMatchObject({
      active: true,
      aud: ARCHIVE,
    });
    const wider = await refresh(confidential, next.body.refresh_token, { resource: 'https://other.example' });
    expect(outcome(wider)).toEqual([400, 'invalid_target']);
    const all = await refresh(confidential, next.body.refresh_token);
    expect((await introspect(server, all.body.access_token)).body.aud).toEqual([ARCHIVE, ISSUER]);
    expect(await api(all.body.access_token)).toBe(200);
  });

  it('is refused for an unknown server or one of another organization', async () => {
    const { owner, organization, confidential, user, tokens } = await newOAuthWorld();
    const other = await newWorld();
    await newServer(other.owner, other.organization.id, 'https://theirs.example');
    for (const resource of ['https://theirs.example', 'https://unknown.example', 'no uri']) {
      const answer = await user.authorize({ ...ask(confidential), resource });
      expect(new URL(answer.headers.get('location') as string).searchParams.get('error')).toBe(
        'invalid_target',
      );
    }
    await newInstallationServer(other.owner, other.organization.id, 'https://gateway.example');
    await newServer(owner, organization.id);
    expect((await tokens(undefined, { resource: 'https://gateway.example' })).access_token).toMatch(/^dga_/);
  });

  it('needs consent, even if the application was allowed the same scopes without it', async () => {
    const { owner, organization, confidential, user, tokens } = await newOAuthWorld();
    await newServer(owner, organization.id);
    await tokens();
    expect((await user.authorize(ask(confidential))).status).toBe(303);
    expect((await user.authorize({ ...ask(confidential), resource: ARCHIVE })).status).toBe(200);
    await tokens(undefined, { resource: ARCHIVE });
    expect((await user.authorize({ ...ask(confidential), resource: ARCHIVE })).status).toBe(303);
  });

  it('can be requested by a pushed request', async () => {
    const { app, owner, organization, confidential, user, as } = await newOAuthWorld();
    await newServer(owner, organization.id);
    const pushed = (resource: string) =>
      post(app, '/oauth/par', { ...ask(confidential), ...as(confidential), resource });
    expect(outcome(await pushed('https://unknown.example'))).toEqual([400, 'invalid_target']);
    const { body } = await pushed(ARCHIVE);
    const page = await user.authorize({ client_id: confidential.id, request_uri: body.request_uri });
    expect(await page.text()).toContain(ARCHIVE);
  });
});
