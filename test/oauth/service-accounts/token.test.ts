import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { basic, ISSUER, newClient, post } from '../../support/oauth.ts';
import { outcome } from '../../support/token-answer.ts';
import { graphAs, newServiceAccount, newServiceWorld } from './service-world.ts';

const INACTIVE = { active: false };

describe('the grant client_credentials (RFC 6749 §4.4)', () => {
  it('gives a token for the scopes of the application, and no refresh token (§4.4.3)', async () => {
    const { request, create } = await newServiceWorld();
    await create();
    const { status, headers, body } = await request();
    expect([status, headers.get('cache-control'), body]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(/^dga_/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read write',
      },
    ]);
  });

  it('is off until an owner or admin creates a service account', async () => {
    const { request } = await newServiceWorld();
    expect(outcome(await request())).toEqual([400, 'unauthorized_client']);
  });

  it('works with HTTP Basic, and is in the metadata', async () => {
    const { app, confidential } = await newServiceAccount();
    const headers = { authorization: basic(confidential.id, confidential.secret as string) };
    const { status } = await post(app, '/oauth/token', { grant_type: 'client_credentials' }, headers);
    const metadata = await app.request('/.well-known/oauth-authorization-server');
    const { grant_types_supported } = (await metadata.json()) as { grant_types_supported: string[] };
    expect([status, grant_types_supported.includes('client_credentials')]).toEqual([200, true]);
  });

  it.each([
    ['a wrong secret', { client_secret: 'dgb_wrong' }, [401, 'invalid_client']],
    ['no secret', { client_secret: undefined }, [401, 'invalid_client']],
    ['a scope that the application has not', { scope: 'members:write' }, [400, 'invalid_scope']],
    ['an unknown scope', { scope: 'read everything' }, [400, 'invalid_scope']],
    ['a scope about a person', { scope: 'openid' }, [400, 'invalid_scope']],
    ['an unknown resource', { resource: 'https://archive.example/' }, [400, 'invalid_target']],
    ['a malformed resource', { resource: 'archive' }, [400, 'invalid_target']],
  ])('is refused with %s', async (_, more, refusal) => {
    const { request, confidential, db, organization } = await newServiceAccount();
    const before = await db.prisma.accessToken.count({ where: { grant: { clientId: confidential.id } } });
    expect(outcome(await request(confidential, more))).toEqual(refusal);
    const where = { grant: { client: { organizationId: organization.id } } };
    expect(await db.prisma.accessToken.count({ where })).toBe(before);
  });

  it('is refused to public clients, to resource servers and to disabled applications', async () => {
    const { request, open, owner, organization, confidential } = await newServiceAccount();
    const server = await newClient(owner, organization.id, {
      ...{ kind: 'RESOURCE_SERVER', redirectUris: [], scopes: [] },
      resourceUri: 'https://archive.example/api',
    });
    await owner.graph(
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } } }',
      { input: { clientId: confidential.id, scopes: [] } },
    );
    const refused = [await request(open), await request(server), await request(confidential)];
    expect(refused.map(outcome)).toEqual(Array(3).fill([400, 'unauthorized_client']));
  });

  it('leaves the scopes of OpenID Connect out, as they are about a person', async () => {
    const { owner, organization, create, request } = await newServiceWorld();
    const scopes = ['read', 'openid', 'email'] as const;
    const client = await newClient(owner, organization.id, { scopes: [...scopes] });
    await create('MEMBER', client.id);
    expect((await request(client)).body.scope).toBe('read');
    const identity = await newClient(owner, organization.id, { scopes: ['openid'] });
    await create('MEMBER', identity.id);
    expect(outcome(await request(identity))).toEqual([400, 'invalid_scope']);
  });

  it('gives a token for less, which can do no more', async () => {
    const world = await newServiceAccount();
    const { body } = await world.request(world.confidential, { scope: 'documents:read' });
    const write = `mutation { createProjects(input: { organizationId: "${world.organization.id}", projects: [{ name: "Quay" }] }) { projects { id } } }`;
    const { errors } = await graphAs(world, body.access_token, write);
    expect([body.scope, errors?.[0]?.extensions.code]).toEqual(['documents:read', 'INSUFFICIENT_SCOPE']);
  });

  it('gives a token for a resource server of the organization, which this API refuses', async () => {
    const { owner, organization, confidential, request, introspect, api } = await newServiceAccount();
    const resource = 'https://archive.example/api';
    const server = await newClient(owner, organization.id, {
      ...{ kind: 'RESOURCE_SERVER', redirectUris: [], scopes: [], resourceUri: resource },
    });
    const { access_token } = (await request(confidential, { resource })).body;
    expect((await introspect(server, access_token)).body).toMatchObject({ active: true, aud: resource });
    expect(await api(access_token)).toBe(401);
  });

  it('gives a JWT to an application of that format, whose subject is the service account', async () => {
    const { app, owner, organization, create, request, api } = await newServiceWorld();
    const client = await newClient(owner, organization.id, { tokenFormat: 'JWT' });
    const { user } = (await create('MEMBER', client.id)).data.createServiceAccount.member;
    const { access_token } = (await request(client)).body;
    const keys = createLocalJWKSet(await (await app.request('/oauth/jwks')).json());
    const { payload } = await jwtVerify(access_token, keys, { typ: 'at+jwt', issuer: ISSUER });
    expect(payload).toMatchObject({ sub: user.id, client_id: client.id, scope: 'read write' });
    expect(await api(access_token)).toBe(200);
  });
});

describe('a token of a service account', () => {
  it('is introspected, and revoked by its application', async () => {
    const { confidential, member, token, introspect, revoke, request, api } = await newServiceAccount();
    expect((await introspect(confidential, token)).body).toMatchObject({
      ...{ active: true, client_id: confidential.id, sub: member.user.id, scope: 'read write' },
    });
    const other = (await request()).body.access_token;
    await revoke(confidential, token);
    expect((await introspect(confidential, token)).body).toEqual(INACTIVE);
    expect([await api(token), await api(other)]).toEqual([401, 200]);
  });

  it('can be followed by another after the last one was revoked', async () => {
    const { confidential, token, revoke, request, api } = await newServiceAccount();
    await revoke(confidential, token);
    expect(await api((await request()).body.access_token)).toBe(200);
  });

  it('ends with all authorizations of the application; the account stays', async () => {
    const { owner, confidential, token, request, api } = await newServiceAccount();
    const { data } = await owner.graph(
      'mutation ($input: EndAuthorizationsInput!) { endAuthorizations(input: $input) { endedCount client { usage { people } serviceAccount { role } } } }',
      { input: { clientId: confidential.id } },
    );
    expect(data.endAuthorizations.client).toEqual({
      usage: { people: 0 },
      serviceAccount: { role: 'MEMBER' },
    });
    expect([await api(token), (await request()).status]).toEqual([401, 200]);
  });

  it('acts as the service account, which its events name with the application', async () => {
    const world = await newServiceAccount('ADMIN');
    const { db, organization, member, token, confidential } = world;
    const { data } = await graphAs(
      world,
      token,
      `mutation { createProjects(input: { organizationId: "${organization.id}", projects: [{ name: "Quay" }] }) {
        projects { id createdBy { id name kind } } } }`,
    );
    const [project] = data.createProjects.projects;
    expect(project.createdBy).toEqual({ id: member.user.id, name: 'Planner', kind: 'SERVICE' });
    const event = await db.prisma.event.findFirstOrThrow({ where: { subjectId: project.id } });
    expect(event).toMatchObject({ actorId: member.user.id, clientId: confidential.id });
  });

  it('sees nothing of other organizations, and only its projects as a guest', async () => {
    const world = await newServiceAccount('GUEST');
    const { organization, project, token } = world;
    const query = '{ viewer { organizations { nodes { id projects { nodes { id } } } } } }';
    const seen = async () => (await graphAs(world, token, query)).data.viewer.organizations.nodes;
    expect(await seen()).toEqual([{ id: organization.id, projects: { nodes: [] } }]);
    await world.owner.graph(
      'mutation ($input: AddProjectMembersInput!) { addProjectMembers(input: $input) { members { user { kind } } } }',
      {
        input: {
          projectId: project.id,
          members: [{ person: { organizationMemberId: world.member.id }, role: 'VIEWER' }],
        },
      },
    );
    expect(await seen()).toEqual([{ id: organization.id, projects: { nodes: [{ id: project.id }] } }]);
  });

  it('does nothing that no application may, whatever its role', async () => {
    const world = await newServiceAccount('ADMIN');
    const { confidential, token, organization } = world;
    const codes = [];
    for (const mutation of [
      'createOrganizations(input: { organizations: [{ name: "Mine" }] }) { organizations { id } }',
      'createApiKeys(input: { keys: [{ name: "x", scopes: [READ] }] }) { owner { id } }',
      `createClient(input: { organizationId: "${organization.id}", name: "x", kind: PUBLIC, redirectUris: ["https://a.example/"], scopes: [] }) { secret }`,
      `createServiceAccount(input: { clientId: "${confidential.id}", role: ADMIN }) { member { id } }`,
      `deleteServiceAccount(input: { clientId: "${confidential.id}" }) { client { id } }`,
    ])
      codes.push((await graphAs(world, token, `mutation { ${mutation} }`)).errors?.[0]?.extensions.code);
    expect(codes).toEqual(Array(5).fill('FORBIDDEN'));
  });

  it('reaches an organization that requires a second factor of people', async () => {
    const { db, organization, token, request, api } = await newServiceAccount();
    const data = { requiresSecondFactor: true, secondFactorSince: new Date() };
    await db.prisma.organization.update({ where: { id: organization.id }, data });
    const { access_token } = (await request()).body;
    expect([await api(token), await api(access_token)]).toEqual([200, 200]);
  });
});
