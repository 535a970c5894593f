import { describe, expect, it } from 'vitest';
import { counted } from '../support/database.ts';
import { ask, browser, ISSUER, newClient, newOAuthWorld, signedIn, VERIFIER } from '../support/oauth.ts';
import { newMember } from '../support/world.ts';

const INACTIVE = { active: false };
const UNKNOWN = 'The credential is not known here.';
const MALFORMED = 'The Authorization header is not of the form: Bearer <key>.';

describe('a token at the APIs', () => {
  it('is answered 401 without an error code if missing, and invalid_token if invalid (46: RFC 6750 §3.1)', async () => {
    const { app, tokens } = await newOAuthWorld();
    const { access_token } = await tokens();
    const metadata = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource"`;
    for (const path of ['/api/v1/organizations', '/graphql']) {
      const challenge = async (authorization?: string) => {
        const answer = await app.request(path, { headers: authorization ? { authorization } : {} });
        return [answer.status, answer.headers.get('www-authenticate')];
      };
      expect(await challenge()).toEqual([401, `Bearer ${metadata}`]);
      expect(await challenge('Basic x')).toEqual([401, `Bearer ${metadata}`]);
      for (const bad of ['dga_x', `${access_token}x`, 'eyJhbGciOiJub25lIn0.e30.', 'a b', 'ž'])
        expect(await challenge(`Bearer ${encodeURI(bad)}`)).toEqual([
          401,
          `Bearer error="invalid_token", error_description="${bad.includes(' ') || bad === 'ž' ? MALFORMED : UNKNOWN}", ${metadata}`,
        ]);
    }
  });

  it('is refused if it is a refresh token or a code, and answered 403 without the scope (47: RFC 6750 §3.1)', async () => {
    const { app, confidential, tokens, user, api } = await newOAuthWorld();
    const { refresh_token, access_token } = await tokens(confidential, { scope: 'read' });
    const code = await user.code(ask(confidential));
    expect([await api(refresh_token), await api(code), await api(access_token)]).toEqual([401, 401, 200]);
    const write = await app.request('/api/v1/organizations/x/projects', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: '[{"Name":"x"}]',
    });
    expect([write.status, write.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope"/),
    ]);
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const graph = await app.request('/graphql', {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', accept },
        body: '{"query":"mutation { createOrganizations(input: { organizations: [{ name: \\"x\\" }] }) { organizations { id } } }"}',
      });
      expect([graph.status, graph.headers.get('www-authenticate')]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="write", resource_metadata="${ISSUER}/.well-known/oauth-protected-resource"`,
      ]);
      const { data, errors } = (await graph.json()) as {
        data?: unknown;
        errors: [{ extensions: { code: string } }];
      };
      expect([data, errors[0].extensions.code]).toEqual([undefined, 'INSUFFICIENT_SCOPE']);
    }
  });

  it('works as an API key does, in GraphQL and REST', async () => {
    const { app, owner, organization, tokens } = await newOAuthWorld();
    const { access_token } = await tokens();
    const authorization = `Bearer ${access_token}`;
    const graph = await app.request('/graphql', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation ($id: ID!) { createProjects(input: { organizationId: $id, projects: [{ name: "Pier" }] })
          { projects { name createdBy { email } } } }`,
        variables: { id: organization.id },
      }),
    });
    expect((await graph.json()) as object).toMatchObject({
      data: { createProjects: { projects: [{ name: 'Pier', createdBy: { email: owner.email } }] } },
    });
    const rest = await app.request('/api/v1/organizations', { headers: { authorization } });
    expect(await rest.json()).toMatchObject({ Organizations: [{ ID: organization.id }] });
  });

  it('is authenticated and authorized with one statement', async () => {
    const { owner, organization, tokens, api } = await newOAuthWorld();
    const jwt = await newClient(owner, organization.id, { tokenFormat: 'JWT' });
    for (const { access_token } of [await tokens(), await tokens(jwt)]) {
      await api(access_token);
      const withToken = await counted(() => api(access_token));
      const keyed = await counted(() => api(owner.key));
      expect([withToken.result, withToken.statements.length]).toEqual([200, keyed.statements.length]);
      expect(withToken.statements.filter((text) => text.includes('access_tokens'))).toHaveLength(1);
    }
  });

  it('is limited to the current scopes of its client from the next request on', async () => {
    const { owner, confidential, tokens, api, introspect } = await newOAuthWorld();
    const { access_token } = await tokens();
    const update =
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { scopes } } }';
    await owner.graph(update, { input: { clientId: confidential.id, scopes: ['WRITE'] } });
    expect(await api(access_token)).toBe(403);
    expect((await introspect(confidential, access_token)).body.scope).toBe('write');
    await owner.graph(update, { input: { clientId: confidential.id, scopes: [] } });
    expect((await introspect(confidential, access_token)).body).toEqual(INACTIVE);
  });

  it('ends with the person and with the client, and sees nothing of an organization that the person left', async () => {
    const { app, db, owner, organization, confidential, tokens, api, redeem } = await newOAuthWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const code = await browser(app, await signedIn(db, member.id)).code(ask(confidential));
    const { access_token } = (await redeem(confidential, code)).body;
    const organizations = async () => {
      const answer = await app.request('/api/v1/organizations', {
        headers: { authorization: `Bearer ${access_token}` },
      });
      return [answer.status, ((await answer.json()) as { Organizations?: unknown[] }).Organizations?.length];
    };
    expect(await organizations()).toEqual([200, 1]);
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    expect(await organizations()).toEqual([200, 0]);
    await db.prisma.user.update({ where: { id: member.id }, data: { disabledAt: new Date() } });
    expect((await organizations())[0]).toBe(401);
    const mine = await tokens();
    await owner.graph(
      'mutation ($input: DeleteClientsInput!) { deleteClients(input: $input) { clientIds } }',
      {
        input: { clientIds: [confidential.id] },
      },
    );
    expect(await api(mine.access_token)).toBe(401);
  });

  it('ends immediately when its user revokes the access (52: ASVS 10.4.9)', async () => {
    const { owner, confidential, open, tokens, refresh, api } = await newOAuthWorld();
    const [mine, again, other] = [await tokens(), await tokens(), await tokens(open)];
    const revoke =
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }';
    const { data } = await owner.graph(revoke, { input: { clientId: confidential.id } });
    expect(data.revokeAuthorization).toEqual({ clientId: confidential.id });
    expect([
      await api(mine.access_token),
      await api(again.access_token),
      await api(other.access_token),
    ]).toEqual([401, 401, 200]);
    expect((await refresh(confidential, mine.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('is stored only as a hash (48)', async () => {
    const { db, confidential, tokens, user } = await newOAuthWorld();
    const { access_token, refresh_token } = await tokens();
    const code = await user.code(ask(confidential));
    const rows = JSON.stringify(
      [
        await db.prisma.accessToken.findMany(),
        await db.prisma.refreshToken.findMany(),
        await db.prisma.authorizationCode.findMany(),
        await db.prisma.clientSecret.findMany(),
        await db.prisma.client.findMany(),
        await db.prisma.grant.findMany(),
        await db.prisma.securityEvent.findMany(),
      ],
      (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
    );
    for (const secret of [access_token, refresh_token, code, confidential.secret as string, VERIFIER])
      expect(rows.includes(secret)).toBe(false);
  });
});
