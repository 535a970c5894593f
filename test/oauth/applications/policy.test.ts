import { beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../../src/http/listen.ts';
import {
  ask,
  browser,
  hiddenFields,
  newClient,
  newOAuthWorld,
  post,
  signedIn,
  VERIFIER,
} from '../../support/oauth.ts';
import { subscribe } from '../../support/sse.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newPerson } from '../../support/world.ts';

type World = Awaited<ReturnType<typeof newForeignWorld>>;
let world: World;

beforeEach(async () => {
  world = await newForeignWorld();
});

/** A world whose members use an application of the stranger's organization. */
async function newForeignWorld() {
  const base = await newOAuthWorld();
  const { db, app, owner, stranger, organization } = base;
  const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const client = await newClient(stranger, theirs.organizationId, { name: 'Foreign' });
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  const browserOf = async (userId: string) => browser(app, await signedIn(db, userId));
  const tokensOf = async (userId: string) =>
    (await base.redeem(client, await (await browserOf(userId)).code(ask(client)))).body;
  const path = { organizationId: organization.id, clientId: client.id };
  return {
    ...base,
    ...{ admin, member, client, path, browserOf, tokensOf, theirOrganization: theirs.organizationId },
    setPolicy: (applicationPolicy: string, person = owner) =>
      person.graph(
        'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { applicationPolicy } } }',
        { input: { organizationId: organization.id, applicationPolicy } },
      ),
    decide: (decision: string | null, person = owner) =>
      person.graph(
        'mutation ($input: DecideApplicationInput!) { decideApplication(input: $input) { application { isAllowed decision } } }',
        { input: { ...path, decision } },
      ),
    revokeForAll: (person = owner) =>
      person.graph(
        'mutation ($input: RevokeApplicationInput!) { revokeApplication(input: $input) { application { people } } }',
        { input: path },
      ),
    /** What a token reaches of the organization: in the graph, and the status in REST. */
    reach: async (token: string) => {
      const { data } = await owner
        .with(token)
        .then((as) =>
          as.graph('query ($id: ID!) { organization(id: $id) { name } }', { id: organization.id }),
        );
      const { status } = await app.request(`/api/v1/organizations/${organization.id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [data.organization?.name, status];
    },
  };
}

async function listening(app: World['app']) {
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${port}`, close };
}

const REACHED = ['Harbor', 200];
const HIDDEN = [undefined, 404];

describe('an application of another organization', () => {
  it.each([
    ['OPEN', null, REACHED],
    ['OPEN', 'APPROVED', REACHED],
    ['OPEN', 'REFUSED', HIDDEN],
    ['APPROVED_ONLY', null, HIDDEN],
    ['APPROVED_ONLY', 'APPROVED', REACHED],
    ['APPROVED_ONLY', 'REFUSED', HIDDEN],
    ['NONE', null, HIDDEN],
    ['NONE', 'APPROVED', HIDDEN],
  ])('under the policy %s with the decision %s', async (policy, decision, expected) => {
    const { access_token } = await world.tokensOf(world.member.id);
    expect(await world.reach(access_token)).toEqual(REACHED);
    await world.setPolicy(policy);
    if (decision) await world.decide(decision);
    expect(await world.reach(access_token)).toEqual(expected);
    await world.setPolicy('OPEN');
    await world.decide(null);
    expect(await world.reach(access_token)).toEqual(REACHED);
  });

  it('is not concerned where the organization owns it, nor are keys and sign-ins', async () => {
    const { access_token } = await world.tokens();
    await world.setPolicy('NONE');
    expect([await world.reach(access_token), await world.reach(world.owner.key)]).toEqual([REACHED, REACHED]);
  });

  it.each([
    ['refused', async () => world.decide('REFUSED')],
    ['revoked', async () => world.revokeForAll()],
    ['closed by the policy', async () => world.setPolicy('NONE')],
  ])('%s, reaches no project of which its user is a member', async (_, close) => {
    const { db, app, owner, member, project, path } = world;
    await joinProject(db, project, member, 'EDITOR');
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Plan.txt' }]);
    const { access_token } = await world.tokensOf(member.id);
    const itself = await owner.with(access_token);
    const reached = async () => {
      const { data } = await itself.graph(
        `query ($project: ID!, $document: ID!) { project: node(id: $project) { id } document: node(id: $document) { id }
          viewer { documents { totalCount } } }`,
        { project: project.id, document: document?.id },
      );
      const created = await itself.graph(
        'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { __typename } }',
        { input: { projectId: project.id, tasks: [{ name: 'Sweep' }] } },
      );
      const { status } = await app.request(
        `/api/v1/organizations/${path.organizationId}/projects/${project.id}`,
        { headers: { authorization: `Bearer ${access_token}` } },
      );
      const count = data.viewer.documents.totalCount;
      return [data.project?.id, data.document?.id, count, created.errors?.[0]?.extensions.code, status];
    };
    expect(await reached()).toEqual([project.id, document?.id, 1, undefined, 200]);
    await close();
    expect(await reached()).toEqual([undefined, undefined, 0, 'NOT_FOUND', 404]);
  });

  it('keeps what it reaches elsewhere', async () => {
    const { stranger, theirOrganization } = world;
    await world.db.prisma.membership.create({
      data: {
        organizationId: theirOrganization,
        id: `mem_${Date.now()}`,
        userId: world.member.id,
        role: 'GUEST',
        createdById: stranger.id,
      },
    });
    const { access_token } = await world.tokensOf(world.member.id);
    await world.setPolicy('NONE');
    const { data } = await (await world.owner.with(access_token)).graph(
      '{ viewer { organizations { nodes { name } } } }',
    );
    expect(data.viewer.organizations.nodes).toEqual([{ name: 'Elsewhere' }]);
  });

  it('is decided about by owners and admins, and by no application', async () => {
    const { owner, admin, member, stranger } = world;
    const { access_token } = await world.tokens();
    const itself = await owner.with(access_token);
    const codeOf = async (run: Promise<{ errors?: { extensions: { code: string } }[] }>) =>
      (await run).errors?.[0]?.extensions.code ?? 'OK';
    for (const [person, code] of [
      [owner, 'OK'],
      [admin, 'OK'],
      [member, 'FORBIDDEN'],
      [stranger, 'NOT_FOUND'],
      [itself, 'FORBIDDEN'],
    ] as const)
      expect([
        await codeOf(world.setPolicy('APPROVED_ONLY', person)),
        await codeOf(world.decide('REFUSED', person)),
        await codeOf(world.revokeForAll(person)),
        await codeOf(world.setPolicy('OPEN', person)),
      ]).toEqual([code, code, code, code]);
    const own = { input: { ...world.path, clientId: world.confidential.id, decision: 'REFUSED' } };
    const { errors } = await owner.graph(
      'mutation ($input: DecideApplicationInput!) { decideApplication(input: $input) { __typename } }',
      own,
    );
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('does not decide what becomes of comments of erased people', async () => {
    const { owner, organization, tokens } = world;
    const itself = await owner.with((await tokens()).access_token);
    const { errors } = await itself.graph(
      'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { __typename } }',
      { input: { organizationId: organization.id, erasedComments: 'REDACT' } },
    );
    expect(errors?.[0]).toMatchObject({
      ...{ extensions: { code: 'FORBIDDEN' }, message: expect.stringContaining('not by an application') },
    });
  });

  it('is listed with its users, scopes and last use for owners and admins alone', async () => {
    const { owner, admin, member, stranger, organization, client } = world;
    const { access_token } = await world.tokensOf(member.id);
    await world.reach(access_token);
    const query = `query ($id: ID!, $clientId: ID!) { organization(id: $id) {
      application(clientId: $clientId) { name }
      applications { totalCount nodes { clientId name publisher people scopes lastUsedAt isAllowed decision requestedAt
        users { nodes { user { email } scopes lastUsedAt } } } } } }`;
    const read = async (person: typeof owner) =>
      (await person.graph(query, { id: organization.id, clientId: client.id })).data.organization;
    const expected = {
      clientId: client.id,
      ...{ name: 'Foreign', publisher: 'Elsewhere', people: 1, scopes: ['READ', 'WRITE'] },
      lastUsedAt: expect.any(String),
      ...{ isAllowed: true, decision: null, requestedAt: null },
      users: {
        nodes: [{ user: { email: member.email }, scopes: ['READ', 'WRITE'], lastUsedAt: expect.any(String) }],
      },
    };
    for (const person of [owner, admin])
      expect(await read(person)).toEqual({
        application: { name: 'Foreign' },
        applications: { totalCount: 1, nodes: [expected] },
      });
    const nothing = { application: null, applications: { totalCount: 0, nodes: [] } };
    expect([await read(member), await read(stranger)]).toEqual([nothing, null]);
    const ownersApp = await world.tokens();
    expect(await read(await owner.with(ownersApp.access_token))).toEqual(nothing);
  });

  it('records each decision as an event of the organization', async () => {
    await world.setPolicy('APPROVED_ONLY');
    await world.decide('APPROVED');
    await world.decide('APPROVED');
    await world.decide('REFUSED', world.admin);
    await world.revokeForAll();
    await world.decide(null);
    const events = await world.db.prisma.event.findMany({
      where: {
        organizationId: world.organization.id,
        OR: [{ kind: { startsWith: 'application.' } }, { kind: 'organization.updated' }],
      },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      [
        'organization.updated',
        { before: { applicationPolicy: 'OPEN' }, after: { applicationPolicy: 'APPROVED_ONLY' } },
      ],
      ['application.approved', { before: { decision: null }, after: { decision: 'APPROVED' } }],
      ['application.refused', { before: { decision: 'APPROVED' }, after: { decision: 'REFUSED' } }],
      ['application.revoked', { after: { endedCount: 0 } }],
      ['application.undecided', { before: { decision: 'REFUSED' }, after: { decision: null } }],
    ]);
  });
});

describe('where tokens are issued', () => {
  it('nothing is issued that would reach no organization, and nothing is used up', async () => {
    const user = await world.browserOf(world.member.id);
    const code = await user.code(ask(world.client));
    const { refresh_token } = await world.tokensOf(world.member.id);
    await world.setPolicy('NONE');
    const refused = {
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'No organization of the user allows this application.',
      },
    };
    expect(await world.redeem(world.client, code)).toMatchObject(refused);
    expect(await world.refresh(world.client, refresh_token)).toMatchObject(refused);
    await world.setPolicy('OPEN');
    expect((await world.redeem(world.client, code)).status).toBe(200);
    expect((await world.refresh(world.client, refresh_token)).status).toBe(200);
  });

  it('the consent page names who does not allow it, and gives no code', async () => {
    const user = await world.browserOf(world.member.id);
    const open = await user.authorize(ask(world.client));
    await world.setPolicy('NONE');
    const answer = new URL((await user.decide(open, 'approve')).headers.get('location') as string);
    expect(answer.searchParams.get('error')).toBe('access_denied');
    const page = await (await user.authorize(ask(world.client))).text();
    expect(page).toContain('None of your organizations allows this application');
    expect(page).toContain('Harbor');
    expect([page.includes('value="approve"'), page.includes('value="request"')]).toEqual([false, false]);
  });

  it('a member asks the owners on the consent page, once', async () => {
    await world.setPolicy('APPROVED_ONLY');
    const user = await world.browserOf(world.member.id);
    const page = await user.authorize(ask(world.client));
    const answer = await (await user.decide(page, 'request')).text();
    expect(answer).toContain('Their owners and admins were asked');
    expect(answer).not.toContain('value="request"');
    const query =
      'query ($id: ID!) { organization(id: $id) { applications(isWaiting: true) { nodes { name people requestedBy { email } } } } }';
    const read = async () =>
      (await world.owner.graph(query, { id: world.organization.id })).data.organization.applications.nodes;
    expect(await read()).toEqual([
      { name: 'Foreign', people: 0, requestedBy: { email: world.member.email } },
    ]);
    await world.decide('APPROVED');
    expect(await read()).toEqual([]);
    expect(await world.reach((await world.tokensOf(world.member.id)).access_token)).toEqual(REACHED);
  });

  it('a person without an organization may use any', async () => {
    const person = await newPerson(world.db);
    await world.setPolicy('NONE');
    expect((await world.tokensOf(person.id)).access_token).toMatch(/^dga_/);
  });
});

describe('a revocation for all members', () => {
  it('ends what was authorized, also by refreshing, until a member is asked again', async () => {
    const { member, client } = world;
    const before = await world.tokensOf(member.id);
    await world.revokeForAll();
    expect(await world.reach(before.access_token)).toEqual(HIDDEN);
    const refreshed = await world.refresh(client, before.refresh_token);
    expect(refreshed.status).toBe(400);
    const user = await world.browserOf(member.id);
    const page = await user.authorize(ask(client));
    expect([page.status, Object.keys(hiddenFields(await page.clone().text()))]).toEqual([
      200,
      ['request', 'proof'],
    ]);
    const answer = new URL((await user.decide(page, 'approve')).headers.get('location') as string);
    const { body } = await world.redeem(client, answer.searchParams.get('code') as string);
    expect(await world.reach(body.access_token)).toEqual(REACHED);
    expect(await world.reach(before.access_token)).toEqual(HIDDEN);
    expect((await user.authorize(ask(client))).status).toBe(303);
  });

  it('is told to the members concerned', async () => {
    const { member, db } = world;
    await world.tokensOf(member.id);
    const { data } = await world.revokeForAll();
    expect(data.revokeApplication.application).toEqual({ people: 0 });
    const events = await db.prisma.securityEvent.findMany({
      where: { userId: member.id },
      orderBy: { createdAt: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toContain('authorization.revoked_by_organization');
  });
});

it('the token endpoint still says what is wrong first', async () => {
  await world.setPolicy('NONE');
  const form = { grant_type: 'authorization_code', code: 'dgc_none', redirect_uri: world.client.redirectUri };
  const answer = await post(world.app, '/oauth/token', {
    ...form,
    code_verifier: VERIFIER,
    ...world.as(world.client),
  });
  expect(answer.body.error_description).toBe('The code is not known.');
});

it('a subscription ends once the organization does not allow its application', async () => {
  const { access_token } = await world.tokensOf(world.member.id);
  const { url, close } = await listening(world.app);
  const query = 'subscription ($id: ID!) { eventAppended(organizationId: $id) { kind } }';
  const reader = await subscribe(url, access_token, query, { id: world.organization.id });
  await world.decide('REFUSED');
  const frames: unknown[] = [];
  for (let frame = await reader.next(); frame; frame = await reader.next())
    frames.push(frame.json ?? frame.event);
  expect(JSON.stringify(frames)).toContain('NOT_FOUND');
  expect(JSON.stringify(frames)).not.toContain('application.refused');
  reader.cut();
  await close();
});
