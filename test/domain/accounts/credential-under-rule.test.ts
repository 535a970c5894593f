import { describe, expect, it } from 'vitest';
import { viewerOfBearer, viewerOfSignIn } from '../../../src/auth/bearer.ts';
import { completeSignIn } from '../../../src/auth/complete-sign-in.ts';
import { createApiKeys } from '../../../src/domain/oauth/api-key.ts';
import { updateOrganization } from '../../../src/domain/organizations/organization.ts';
import { createWebhooks } from '../../../src/domain/webhooks/webhook-change.ts';
import { ownerOf } from '../../../src/domain/webhooks/webhook-owner.ts';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { signInService, withApp } from '../../support/factors.ts';
import { ask, browser, encode, newClient, type TestClient, VERIFIER } from '../../support/oauth.ts';
import { joinProject, newMember, newWorld, type Person, testApp } from '../../support/world.ts';

/** An organization with an application, its owner, who has a second factor, and an admin, who has none. */
async function scene() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const client = await newClient(owner, organization.id);
  const member = await newMember(db, organization.id, 'ADMIN');
  await joinProject(db, project, member, 'EDITOR');
  await withApp(db, owner);
  const require = async (requiresSecondFactor = true) =>
    updateOrganization(await owner.context(), { organizationId: organization.id, requiresSecondFactor });
  return { ...world, client, member, require };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Signs in with a password, or with a passkey, which counts as two factors. Returns the secret of the session. */
async function signIn({ db, member }: Scene, method: 'password' | 'passkey' = 'password'): Promise<string> {
  const visitor = { address: '192.0.2.1', userAgent: 'test' };
  const result = await completeSignIn(await signInService(db), { userId: member.id, method, ...visitor });
  if (!('secret' in result)) throw new Error('a second factor is asked for');
  return result.secret;
}

async function sessionContext({ db, member }: Scene, secret: string) {
  const viewer = await viewerOfSignIn(db, secret);
  if (!viewer) throw new Error('the session has ended');
  return { ...(await member.context()), viewer };
}

const keyBy = async ({ member }: Scene, ctx: Awaited<ReturnType<Person['context']>>): Promise<Person> => {
  const [created] = await createApiKeys(ctx, { keys: [{ name: 'program', scopes: ['read', 'write'] }] });
  return member.with(created?.secret ?? '');
};

const removeFactors = ({ db, member }: Scene) =>
  db.prisma.authenticatorApp.deleteMany({ where: { userId: member.id } });

async function tokens({ db }: Scene, { id, secret, redirectUri }: TestClient, form: Record<string, string>) {
  const body = { client_id: id, client_secret: secret, redirect_uri: redirectUri, ...form };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const app = await testApp(db);
  const answer = await app.request('/oauth/token', { method: 'POST', headers, body: encode(body) });
  return (await answer.json()) as { access_token: string; refresh_token: string };
}

async function authorized(scene: Scene, session: string) {
  const user = browser(await testApp(scene.db), `docgraph_session=${session}`);
  const code = await user.code(ask(scene.client));
  const form = { grant_type: 'authorization_code', code, code_verifier: VERIFIER };
  return tokens(scene, scene.client, form);
}

/** What a program uses, by the secret of the session in which it was issued. */
const CREDENTIALS: [kind: string, issue: (scene: Scene, session: string) => Promise<Person>][] = [
  ['an API key', async (scene, session) => keyBy(scene, await sessionContext(scene, session))],
  [
    'an API key that another one created',
    async (scene, session) => {
      const parent = await keyBy(scene, await sessionContext(scene, session));
      return keyBy(scene, await parent.context());
    },
  ],
  [
    'an access token',
    async (scene, session) => scene.member.with((await authorized(scene, session)).access_token),
  ],
  [
    'a refreshed access token',
    async (scene, session) => {
      const { refresh_token } = await authorized(scene, session);
      const form = { grant_type: 'refresh_token', refresh_token };
      return scene.member.with((await tokens(scene, scene.client, form)).access_token);
    },
  ],
];

/** Whether the credential reaches the organization in the graph and in REST v1, and a project of the member. */
async function reach({ organization: { id }, project }: Scene, program: Person) {
  const { data } = await program.graph(
    `{ organization(id: "${id}") { id } node(id: "${project.id}") { id } }`,
  );
  const { status, body } = await program.rest('GET', '/organizations');
  expect(status).toBe(200);
  const graph = data?.organization?.id === id;
  return { graph, project: data?.node?.id === project.id, rest: JSON.stringify(body).includes(id) };
}

const REACHED = { graph: true, project: true, rest: true };
const CLOSED = { graph: false, project: false, rest: false };

describe.each(CREDENTIALS)('%s of a member without a second factor', (_, issue) => {
  it('goes on if it is older than the rule, while sign-ins are closed', async () => {
    const world = await scene();
    const session = await signIn(world);
    const program = await issue(world, session);
    await world.require();
    expect(await reach(world, program)).toEqual(REACHED);
    expect((await viewerOfSignIn(world.db, session))?.memberships).toEqual([]);
  });

  it('does not reach the organization if it was issued under the rule, until they add a factor', async () => {
    const world = await scene();
    await world.require();
    const program = await issue(world, await signIn(world));
    expect(await reach(world, program)).toEqual(CLOSED);
    await withApp(world.db, world.member);
    expect(await reach(world, program)).toEqual(REACHED);
  });

  it('does not reach it if the rule began anew since, and does where it requires nothing', async () => {
    const world = await scene();
    await world.require();
    const program = await issue(world, await signIn(world));
    await world.require(false);
    expect(await reach(world, program)).toEqual(REACHED);
    await world.require();
    expect(await reach(world, program)).toEqual(REACHED);
    const later = await issue(world, await signIn(world));
    expect(await reach(world, later)).toEqual(CLOSED);
  });

  it('goes on if its sign-in had proved a factor that they removed since', async () => {
    const world = await scene();
    await world.require();
    await withApp(world.db, world.member);
    const program = await issue(world, await signIn(world, 'passkey'));
    await removeFactors(world);
    expect(await reach(world, program)).toEqual(REACHED);
  });

  it('does not go on if they had a factor that its sign-in had not proved', async () => {
    const world = await scene();
    const session = await signIn(world);
    await world.require();
    await withApp(world.db, world.member);
    await world.db.prisma.signIn.updateMany({
      where: { userId: world.member.id },
      data: { authenticatedAt: new Date() },
    });
    const program = await issue(world, session);
    expect(await reach(world, program)).toEqual(REACHED);
    await removeFactors(world);
    expect(await reach(world, program)).toEqual(CLOSED);
  });

  it('does not go on if its sign-in proved a factor that the account no longer had', async () => {
    const world = await scene();
    await world.require();
    const program = await issue(world, await signIn(world, 'passkey'));
    expect(await reach(world, program)).toEqual(CLOSED);
  });

  it('does not reach an organization that they join under the rule', async () => {
    const world = await scene();
    const { db, member, organization } = world;
    const program = await issue(world, await signIn(world));
    await world.require();
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    const joined = { organizationId: organization.id, userId: member.id, createdById: member.id };
    await db.prisma.membership.create({ data: { ...joined, id: newId('Membership'), role: 'ADMIN' } });
    expect(await reach(world, program)).toEqual(CLOSED);
  });

  it('reaches the organization by as many statements as without the rule', async () => {
    const world = await scene();
    const { key } = await issue(world, await signIn(world));
    await viewerOfBearer(world.db, key);
    const before = await counted(() => viewerOfBearer(world.db, key));
    await world.require();
    const after = await counted(() => viewerOfBearer(world.db, key));
    expect(after.result?.memberships).toEqual(before.result?.memberships);
    expect([after.statements, after.statements.length]).toEqual([before.statements, 1]);
  });
});

describe('a new API key', () => {
  it('names the organizations that it does not reach, in the graph too, where keys inherit', async () => {
    const world = await scene();
    const { organization, member } = world;
    const older = await keyBy(world, await sessionContext(world, await signIn(world)));
    await world.require();
    const ctx = await sessionContext(world, await signIn(world));
    const keys = [{ name: 'later', scopes: ['read' as const, 'write' as const] }];
    const [later] = await createApiKeys(ctx, { keys });
    expect(later?.closedOrganizations).toEqual([organization.name]);
    const mutation =
      'mutation { createApiKeys(input: { keys: [{ name: "child" }] }) { created { closedOrganizations } } }';
    const created = async (program: Person) => (await program.graph(mutation)).data.createApiKeys.created;
    expect(await created(older)).toEqual([{ closedOrganizations: [] }]);
    expect(await created(await member.with(later?.secret ?? ''))).toEqual([
      { closedOrganizations: [organization.name] },
    ]);
  });
});

it('the consent page names the organizations that an application will not reach', async () => {
  const world = await scene();
  const { db, organization, client } = world;
  const user = browser(await testApp(db), `docgraph_session=${await signIn(world)}`);
  const page = async () => (await user.authorize(ask(client))).text();
  expect(await page()).not.toContain('added a second factor');
  await world.require();
  const asked = await page();
  expect(asked).toContain('added a second factor');
  expect(asked).toContain(organization.name);
});

describe('a webhook of a member without a second factor', () => {
  const webhook = async ({ db, organization }: Scene, ctx: Awaited<ReturnType<Person['context']>>) => {
    const webhooks = [{ url: 'https://hooks.example/', kinds: ['project.*'], query: '{ kind }' }];
    const [created] = await createWebhooks(ctx, { organizationId: organization.id, webhooks });
    return () =>
      db.prisma.webhook
        .findUniqueOrThrow({ where: { id: created?.webhook.id } })
        .then((hook) => ownerOf(db, hook));
  };

  const NO_FACTOR = expect.stringContaining('requires a second factor');

  it('goes on if it is older than the rule, whether a sign-in, a key or an application created it', async () => {
    const world = await scene();
    const session = await signIn(world);
    const ctx = await sessionContext(world, session);
    const key = await keyBy(world, ctx);
    const token = await world.member.with((await authorized(world, session)).access_token);
    const owners = [
      await webhook(world, ctx),
      await webhook(world, await key.context()),
      await webhook(world, await token.context()),
    ];
    await world.require();
    for (const owner of owners) expect(await owner()).toMatchObject({ userId: world.member.id });
  });

  it('sends nothing if it was created under the rule, unless its sign-in had proved a factor', async () => {
    const world = await scene();
    const session = await signIn(world);
    await world.require();
    await withApp(world.db, world.member);
    const unproved = await webhook(world, await sessionContext(world, session));
    const proved = await webhook(world, await sessionContext(world, await signIn(world, 'passkey')));
    await removeFactors(world);
    expect(await unproved()).toEqual(NO_FACTOR);
    expect(await proved()).toMatchObject({ userId: world.member.id });
  });
});
