import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../../src/lib/time.ts';
import { counted } from '../../../support/database.ts';
import { appOn, ask, newClient, newOAuthWorld, post } from '../../../support/oauth.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const CREATE = `mutation ($input: CreateClientInput!) { createClient(input: $input) { secret client {
  id name kind native redirectUris scopes tokenFormat version secretCreatedAt organization { name } createdBy { email } } } }`;
const UPDATE =
  'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { name redirectUris scopes tokenFormat version } } }';
const ROTATE =
  'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { secret client { previousSecretExpiresAt } } }';
const DELETE = 'mutation ($input: DeleteClientsInput!) { deleteClients(input: $input) { clientIds } }';

const clientInput = (organizationId: string, more: object = {}) => ({
  input: {
    organizationId,
    name: 'Planner',
    kind: 'CONFIDENTIAL',
    redirectUris: ['https://app.example/cb'],
    scopes: ['READ'],
    ...more,
  },
});

describe('clients', () => {
  it('are registered by an admin, to whom the secret is shown once', async () => {
    const { owner, organization } = await newWorld();
    const { data } = await owner.graph(
      CREATE,
      clientInput(organization.id, { scopes: ['WRITE', 'READ', 'READ'] }),
    );
    expect(data.createClient).toEqual({
      secret: expect.stringMatching(/^dgb_[\w-]{43}$/),
      client: {
        id: expect.stringMatching(/^app_/),
        name: 'Planner',
        kind: 'CONFIDENTIAL',
        native: false,
        redirectUris: ['https://app.example/cb'],
        scopes: ['READ', 'WRITE'],
        tokenFormat: 'OPAQUE',
        version: 1,
        secretCreatedAt: expect.any(String),
        organization: { name: 'Harbor' },
        createdBy: { email: owner.email },
      },
    });
    const open = await owner.graph(CREATE, clientInput(organization.id, { kind: 'PUBLIC', native: true }));
    expect(open.data.createClient).toMatchObject({
      secret: null,
      client: { native: true, secretCreatedAt: null },
    });
  });

  it('are refused with unsafe redirect URIs', async () => {
    const { owner, organization } = await newWorld();
    for (const [more, at] of [
      [{ redirectUris: [] }, 'redirectUris'],
      [{ redirectUris: ['https://ok.example/', 'http://no.example/'] }, 'redirectUris.1'],
      [{ redirectUris: ['https://ok.example/', 'https://ok.example/'] }, 'redirectUris'],
      [{ redirectUris: ['com.example.app:/cb'] }, 'redirectUris.0'],
      [{ redirectUris: Array.from({ length: 21 }, (_, n) => `https://ok.example/${n}`) }, 'redirectUris'],
      [{ native: true }, 'native'],
      [{ name: ' ' }, 'name'],
    ] as const) {
      const { errors } = await owner.graph(CREATE, clientInput(organization.id, more));
      expect(errors?.map(({ extensions }) => [extensions.code, extensions.at])).toEqual([
        ['BAD_USER_INPUT', at],
      ]);
    }
  });

  it('can be changed, with the current version only', async () => {
    const { owner, organization } = await newWorld();
    const { id: clientId } = await newClient(owner, organization.id);
    const change = { clientId, name: 'Other', scopes: ['READ'], tokenFormat: 'JWT', expectedVersion: 1 };
    const { data } = await owner.graph(UPDATE, { input: change });
    expect(data.updateClient.client).toEqual({
      name: 'Other',
      redirectUris: ['https://app.example/callback'],
      scopes: ['READ'],
      tokenFormat: 'JWT',
      version: 2,
    });
    expect(codes((await owner.graph(UPDATE, { input: change })).errors)).toEqual(['CONFLICT']);
    const bad = { clientId, redirectUris: ['http://no.example/'] };
    expect(codes((await owner.graph(UPDATE, { input: bad })).errors)).toEqual(['BAD_USER_INPUT']);
  });

  it('have at most two valid secrets', async () => {
    const { db, owner, organization } = await newWorld();
    const client = await newClient(owner, organization.id);
    const secrets = [client.secret as string];
    for (let time = 0; time < 2; time++) {
      const { data } = await owner.graph(ROTATE, { input: { clientId: client.id } });
      secrets.push(data.rotateClientSecret.secret);
    }
    const authenticates = async (client_secret: string | undefined) =>
      (await post(await appOn(db), '/oauth/introspect', { client_id: client.id, client_secret, token: 'x' }))
        .status === 200;
    expect(await Promise.all(secrets.map(authenticates))).toEqual([false, true, true]);
    const end = { clientId: client.id, previousExpiresAt: new Date().toISOString() };
    const { data } = await owner.graph(ROTATE, { input: end });
    expect(await Promise.all(secrets.map(authenticates))).toEqual([false, false, false]);
    expect(await authenticates(data.rotateClientSecret.secret)).toBe(true);
  });

  it('keep a rotated secret for at most 90 days; public clients have none', async () => {
    const { owner, organization } = await newWorld();
    const client = await newClient(owner, organization.id);
    const open = await newClient(owner, organization.id, { kind: 'PUBLIC' });
    const tooLate = {
      clientId: client.id,
      previousExpiresAt: new Date(Date.now() + 91 * 86_400_000).toISOString(),
    };
    expect(codes((await owner.graph(ROTATE, { input: tooLate })).errors)).toEqual(['BAD_USER_INPUT']);
    expect(codes((await owner.graph(ROTATE, { input: { clientId: open.id } })).errors)).toEqual(['CONFLICT']);
  });

  it('are deleted all or none, with their grants', async () => {
    const { owner, organization, stranger } = await newWorld();
    const mine = await newClient(owner, organization.id);
    const theirs = await stranger.graph('{ viewer { organizations { nodes { id } } } }');
    const other = await newClient(stranger, theirs.data.viewer.organizations.nodes[0].id);
    const remove = (...clientIds: string[]) => owner.graph(DELETE, { input: { clientIds } });
    expect(codes((await remove(mine.id, other.id)).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await remove(mine.id, mine.id)).errors)).toEqual(['BAD_USER_INPUT']);
    expect(codes((await remove()).errors)).toEqual(['BAD_USER_INPUT']);
    expect(
      (await owner.graph('query ($id: ID!) { node(id: $id) { id } }', { id: mine.id })).data.node.id,
    ).toBe(mine.id);
    expect((await remove(mine.id)).data.deleteClients.clientIds).toEqual([mine.id]);
    expect(
      codes((await owner.graph('query ($id: ID!) { node(id: $id) { id } }', { id: mine.id })).errors),
    ).toEqual(['NOT_FOUND']);
    expect(codes((await remove(mine.id)).errors)).toEqual(['NOT_FOUND']);
  });

  it('append an event for each change, without secrets', async () => {
    const { db, owner, organization } = await newWorld();
    const { id: clientId, secret } = await newClient(owner, organization.id);
    await owner.graph(UPDATE, { input: { clientId, name: 'Other' } });
    const rotated = await owner.graph(ROTATE, { input: { clientId } });
    await owner.graph(DELETE, { input: { clientIds: [clientId] } });
    const events = await db.prisma.event.findMany({
      where: { subjectId: clientId },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual([
      'client.created',
      'client.updated',
      'client.secret_rotated',
      'client.deleted',
    ]);
    expect(events[1]?.data).toEqual({ before: { name: 'Planner' }, after: { name: 'Other' } });
    const text = JSON.stringify(events.map(({ data }) => data));
    expect([secret, rotated.data.rotateClientSecret.secret].some((each) => text.includes(each))).toBe(false);
  });

  it('are visible to members, changed by admins, and invisible to guests and strangers', async () => {
    const { db, owner, organization, stranger } = await newWorld();
    const client = await newClient(owner, organization.id);
    const list = 'query ($id: ID!) { organization(id: $id) { clients { totalCount nodes { id } } } }';
    const countFor = async (person: Person) =>
      (await person.graph(list, { id: organization.id })).data?.organization?.clients.totalCount;
    const [member, guest] = [
      await newMember(db, organization.id, 'MEMBER'),
      await newMember(db, organization.id, 'GUEST'),
    ];
    expect([
      await countFor(owner),
      await countFor(member),
      await countFor(guest),
      await countFor(stranger),
    ]).toEqual([1, 1, 0, undefined]);
    const attempts = async (person: Person) => [
      ...(codes((await person.graph(CREATE, clientInput(organization.id))).errors) ?? []),
      ...(codes((await person.graph(UPDATE, { input: { clientId: client.id, name: 'x' } })).errors) ?? []),
      ...(codes((await person.graph(ROTATE, { input: { clientId: client.id } })).errors) ?? []),
      ...(codes((await person.graph(DELETE, { input: { clientIds: [client.id] } })).errors) ?? []),
    ];
    expect(await attempts(member)).toEqual(Array(4).fill('FORBIDDEN'));
    expect(await attempts(guest)).toEqual(['FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    expect(await attempts(stranger)).toEqual(Array(4).fill('NOT_FOUND'));
  });

  it('need one statement, for any number of organizations', async () => {
    const { owner, organization } = await newWorld();
    const query =
      '{ viewer { organizations(first: 3) { nodes { clients(first: 5) { nodes { name createdBy { name } } } } } } }';
    await newClient(owner, organization.id);
    const few = await counted(() => owner.graph(query));
    for (let time = 0; time < 3; time++) await newClient(owner, organization.id);
    await owner.graph(
      'mutation { createOrganizations(input: { organizations: [{ name: "Second" }] }) { organizations { id } } }',
    );
    const many = await counted(() => owner.graph(query));
    expect(many.statements.length).toBe(few.statements.length);
    expect(many.result.data.viewer.organizations.nodes).toHaveLength(2);
  });
});

describe('authorizations', () => {
  const LIST =
    '{ viewer { authorizations { totalCount nodes { clientId clientName organizationName scopes createdAt lastUsedAt } } } }';
  const REVOKE =
    'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }';

  it('are listed once for each application, with all its scopes', async () => {
    const { owner, confidential, open, tokens, user } = await newOAuthWorld();
    await tokens(confidential, { scope: 'read' });
    await tokens(confidential, { scope: 'write' });
    await user.code(ask(open, { scope: 'read' }));
    const { totalCount, nodes } = (await owner.graph(LIST)).data.viewer.authorizations;
    expect(totalCount).toBe(2);
    expect(nodes).toEqual([
      expect.objectContaining({
        clientId: open.id,
        clientName: 'Reader',
        scopes: ['READ'],
        lastUsedAt: null,
      }),
      expect.objectContaining({
        clientId: confidential.id,
        organizationName: 'Harbor',
        scopes: ['READ', 'WRITE'],
        lastUsedAt: expect.any(String),
      }),
    ]);
  });

  it('were last used when a token was, or when one was issued after that', async () => {
    const { db, owner, confidential, tokens } = await newOAuthWorld();
    await tokens();
    const used = async (lastUsedAt: Date) => {
      await db.prisma.grant.updateMany({ where: { clientId: confidential.id }, data: { lastUsedAt } });
      const { data } = await owner.graph(LIST);
      const usage = (await owner.graph(USAGE, { id: confidential.id })).data.node.usage.lastUsedAt;
      return [data.viewer.authorizations.nodes[0].lastUsedAt, usage].map(
        (time) => time === lastUsedAt.toISOString(),
      );
    };
    expect(await used(new Date(Date.now() + MINUTE))).toEqual([true, true]);
    expect(await used(new Date(0))).toEqual([false, false]);
  });

  it('are paged by cursor', async () => {
    const { owner, confidential, open, tokens } = await newOAuthWorld();
    await tokens(confidential);
    await tokens(open);
    const page = async (after: string | null) => {
      const query = `query ($after: String) { viewer { authorizations(first: 1, after: $after) {
        pageInfo { endCursor hasNextPage } nodes { clientName } } } }`;
      const { pageInfo, nodes } = (await owner.graph(query, { after })).data.viewer.authorizations;
      return { names: nodes.map((node: { clientName: string }) => node.clientName), ...pageInfo };
    };
    const first = await page(null);
    expect([first.names, first.hasNextPage]).toEqual([['Reader'], true]);
    const second = await page(first.endCursor);
    expect([second.names, second.hasNextPage]).toEqual([['Planner'], false]);
  });

  it('cannot be seen or revoked by anyone else', async () => {
    const { owner, stranger, confidential, tokens, api } = await newOAuthWorld();
    const { access_token } = await tokens();
    expect((await stranger.graph(LIST)).data.viewer.authorizations.totalCount).toBe(0);
    const input = { clientId: confidential.id };
    expect(codes((await stranger.graph(REVOKE, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(await api(access_token)).toBe(200);
    expect((await owner.graph(REVOKE, { input })).data.revokeAuthorization).toEqual(input);
    expect(codes((await owner.graph(REVOKE, { input })).errors)).toEqual(['NOT_FOUND']);
    expect((await owner.graph(LIST)).data.viewer.authorizations.totalCount).toBe(0);
  });

  it('are in the security events of their user only', async () => {
    const { owner, stranger, confidential, tokens } = await newOAuthWorld();
    await tokens();
    await owner.graph(REVOKE, { input: { clientId: confidential.id } });
    const query = '{ viewer { securityEvents { totalCount nodes { kind clientId } } } }';
    expect((await owner.graph(query)).data.viewer.securityEvents).toEqual({
      totalCount: 2,
      nodes: [
        { kind: 'authorization.revoked_by_user', clientId: confidential.id },
        { kind: 'authorization.granted', clientId: confidential.id },
      ],
    });
    expect((await stranger.graph(query)).data.viewer.securityEvents.totalCount).toBe(0);
  });
});

const END =
  'mutation ($input: EndAuthorizationsInput!) { endAuthorizations(input: $input) { endedCount client { id usage { people lastUsedAt } } } }';
const USAGE = 'query ($id: ID!) { node(id: $id) { ... on Client { usage { people lastUsedAt } } } }';

const SECRETS =
  'query ($id: ID!) { node(id: $id) { ... on Client { secrets { createdAt expiresAt lastUsedAt } } } }';

describe('the secrets of a client', () => {
  it('are its valid ones, newest first, each with its last use, for owners and admins alone', async () => {
    const { db, organization, owner, confidential, open, user, redeem } = await newOAuthWorld();
    const secretsFor = async (person: Person, { id } = confidential) =>
      (await person.graph(SECRETS, { id })).data?.node?.secrets;
    const [time, unused] = [expect.stringMatching(/^20/), { lastUsedAt: null }];
    const created = { createdAt: time, expiresAt: null, ...unused };
    expect([await secretsFor(owner), await secretsFor(owner, open)]).toEqual([[created], []]);
    await redeem(confidential, await user.code(ask(confidential)));
    expect(await secretsFor(owner)).toEqual([{ ...created, lastUsedAt: time }]);
    await owner.graph(ROTATE, { input: { clientId: confidential.id } });
    const both = [created, { createdAt: time, expiresAt: time, lastUsedAt: time }];
    expect(await secretsFor(owner)).toEqual(both);
    expect(await secretsFor(await newMember(db, organization.id, 'ADMIN'))).toEqual(both);
    expect(await secretsFor(await newMember(db, organization.id, 'MEMBER'))).toBeNull();
    await owner.graph(ROTATE, {
      input: { clientId: confidential.id, previousExpiresAt: new Date(0).toISOString() },
    });
    expect(await secretsFor(owner)).toEqual([created]);
  });

  it('are used by introspection and revocation too, by no failure, and written once in five minutes', async () => {
    const { app, db, confidential, tokens } = await newOAuthWorld();
    const { access_token: token } = await tokens();
    const used = async (lastUsedAt: Date | null, path: string, secret = confidential.secret) => {
      const where = { clientId: confidential.id };
      await db.prisma.clientSecret.updateMany({ where, data: { lastUsedAt } });
      await post(app, path, { token, client_id: confidential.id, client_secret: secret ?? '' });
      return (await db.prisma.clientSecret.findFirstOrThrow({ where })).lastUsedAt;
    };
    for (const path of ['/oauth/introspect', '/oauth/revoke', '/oauth/par'])
      expect(await used(null, path)).toBeInstanceOf(Date);
    expect(await used(null, '/oauth/introspect', 'wrong')).toBeNull();
    const [recent, old] = [new Date(Date.now() - 4 * MINUTE), new Date(Date.now() - 6 * MINUTE)];
    expect(await used(recent, '/oauth/introspect')).toEqual(recent);
    expect(await used(old, '/oauth/introspect')).not.toEqual(old);
  });
});

describe('the usage of a client', () => {
  it('counts the people who allow it, for owners and admins alone', async () => {
    const { db, organization, owner, confidential, tokens, api } = await newOAuthWorld();
    const usageFor = async (person: Person) =>
      (await person.graph(USAGE, { id: confidential.id })).data?.node?.usage;
    expect(await usageFor(owner)).toEqual({ people: 0, lastUsedAt: null });
    expect(await api((await tokens()).access_token)).toBe(200);
    expect(await usageFor(owner)).toEqual({ people: 1, lastUsedAt: expect.stringMatching(/^20/) });
    expect(await usageFor(await newMember(db, organization.id, 'ADMIN'))).toMatchObject({ people: 1 });
    expect(await usageFor(await newMember(db, organization.id, 'MEMBER'))).toBeNull();
  });

  it('ends for everybody by its admins, with events and tokens that are refused', async () => {
    const { db, organization, owner, stranger, confidential, open, tokens, api } = await newOAuthWorld();
    const { access_token, refresh_token } = await tokens();
    const other = await tokens(open);
    const member = await newMember(db, organization.id, 'MEMBER');
    const input = { clientId: confidential.id };
    expect(codes((await stranger.graph(END, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await member.graph(END, { input })).errors)).toEqual(['FORBIDDEN']);
    const { data } = await owner.graph(END, { input });
    const client = { id: confidential.id, usage: { people: 0 } };
    expect(data.endAuthorizations).toMatchObject({ endedCount: 1, client });
    expect([await api(access_token), await api(refresh_token), await api(other.access_token)]).toEqual([
      401, 401, 200,
    ]);
    const where = { subjectId: confidential.id, kind: 'client.authorizations_ended' };
    expect(await db.prisma.event.findFirst({ where })).toMatchObject({
      actorId: owner.id,
      data: { after: { endedCount: 1 } },
    });
    const kind = 'authorization.revoked_by_organization';
    expect(await db.prisma.securityEvent.count({ where: { userId: owner.id, kind } })).toBe(1);
    expect((await owner.graph(END, { input })).data.endAuthorizations.endedCount).toBe(0);
  });
});
