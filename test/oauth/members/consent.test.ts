import { describe, expect, it } from 'vitest';
import { SCOPE_TEXTS } from '../../../src/domain/kernel/scope-text.ts';
import { ask } from '../../support/oauth.ts';
import { outcome } from '../../support/token-answer.ts';
import { ALL, codes, newMembersWorld } from './members-world.ts';

const { text, danger } = SCOPE_TEXTS['members:write'];

/** The world, whose user has allowed read and write before. */
async function setUp() {
  const world = await newMembersWorld();
  const { owner, user, client, tokensFor } = world;
  await owner.graph('mutation ($id: ID!) { revokeAuthorization(input: { clientId: $id }) { clientId } }', {
    id: client.id,
  });
  const old = await tokensFor('read write');
  const request = (scope: string, more = {}) => user.authorize(ask(client, { scope, ...more }));
  return { ...world, old, request };
}

describe('a request for members:write', () => {
  it('asks the user where write is allowed, and says it apart among what cannot be taken back', async () => {
    const { request, old, owner, invite, applicationWith } = await setUp();
    expect((await request('read write')).status).toBe(303);
    const page = await request(ALL);
    const html = await page.text();
    expect(page.status).toBe(200);
    const [asked, allowed] = html.split('You have already allowed it to');
    for (const words of [text, danger, '<code>members:write</code>']) {
      expect(asked).toContain(words);
      expect(allowed).not.toContain(words);
    }
    expect(asked?.split('class="note alarm"')[1]).toContain(danger);
    expect(codes(await invite(await owner.with(old.access_token), 'a@example.test'))).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    expect(codes(await invite(await applicationWith(ALL), 'a@example.test'))).toBeUndefined();
    expect((await request(ALL)).status).toBe(303);
  });

  it('leaves tokens that were issued before without it, refreshed or not', async () => {
    const { old, owner, client, refresh, invite, tokensFor } = await setUp();
    await tokensFor(ALL);
    const wider = await refresh(client, old.refresh_token, { scope: ALL });
    expect(outcome(wider)).toEqual([400, 'invalid_scope']);
    const { body } = await refresh(client, old.refresh_token);
    expect(body.scope).toBe('read write');
    for (const token of [old.access_token, body.access_token])
      expect(codes(await invite(await owner.with(token), 'a@example.test'))).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('without a page is answered consent_required', async () => {
    const { db, request, client } = await setUp();
    const scopes = ['openid', 'read', 'write', 'members_write'] as const;
    await db.prisma.client.update({ where: { id: client.id }, data: { scopes: [...scopes] } });
    const answer = await request(`openid ${ALL}`, { prompt: 'none' });
    expect(answer.headers.get('location')).toContain('error=consent_required');
  });

  it('takes an application that is registered with it, which no scope of the former vendor stands for', async () => {
    const { confidential, user, tokensFor } = await setUp();
    const { searchParams } = await user.approve(ask(confidential, { scope: 'members:write' }));
    expect(searchParams.get('error')).toBe('invalid_scope');
    expect((await tokensFor('read write admin workflow')).scope).toBe('read write');
  });

  it('is narrowed to nothing once the application loses the scope', async () => {
    const { db, client, application, invite, tokensFor, owner } = await setUp();
    const { access_token } = await tokensFor(ALL);
    const as = await owner.with(access_token);
    await db.prisma.client.update({ where: { id: client.id }, data: { scopes: ['read', 'write'] } });
    expect(codes(await invite(as, 'a@example.test'))).toEqual(['INSUFFICIENT_SCOPE']);
    expect(codes(await invite(application, 'a@example.test'))).toEqual(['UNAUTHENTICATED']);
  });
});

describe('the scope members:write', () => {
  it('is in the metadata and the description of REST v1, and the least for what needs it', async () => {
    const { app, owner } = await newMembersWorld();
    const read = async (path: string) => (await app.request(path)).json();
    const metadata = await read('/.well-known/oauth-authorization-server');
    expect(metadata).toMatchObject({ scopes_supported: expect.arrayContaining(['members:write']) });
    const { paths, components } = await read('/api/v1/openapi.json');
    const { security } = paths['/organizations/{organizationId}/members'].post;
    expect(security).toEqual([{ bearer: [] }, { oauth2: ['members:write'] }]);
    expect(components.securitySchemes.oauth2.flows.authorizationCode.scopes['members:write']).toBe(
      `${text}.`,
    );
    const { data } = await owner.graph(`{
      leastScope(document: "mutation { removeMembers(input: { organizationId: \\"a\\", memberIds: [] }) { memberIds } }")
      leastScopeOfRoute(method: "POST", path: "/organizations/{organizationId}/members") }`);
    expect(data).toEqual({ leastScope: ['MEMBERS_WRITE'], leastScopeOfRoute: ['MEMBERS_WRITE'] });
  });

  it('is named to those who ask why they are refused', async () => {
    const { app, applicationWith, organizationId } = await newMembersWorld();
    const { key } = await applicationWith('read write');
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-explain-access': '1',
    };
    const query = `mutation { inviteMembers(input: { organizationId: "${organizationId}", members: [] }) { __typename } }`;
    const answer = await app.request('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const { extensions } = (await answer.json()) as { extensions: { explain: object[] } };
    expect(extensions.explain[0]).toMatchObject({ rule: 'SCOPE', missing: ['members:write'] });
    const path = `/api/v1/organizations/${organizationId}/members`;
    const rest = await app.request(path, { method: 'POST', headers, body: '[]' });
    expect(await rest.json()).toMatchObject({ explain: { rule: 'SCOPE', missing: ['members:write'] } });
  });
});
