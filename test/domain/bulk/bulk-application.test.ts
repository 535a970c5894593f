import { beforeAll, beforeEach, expect, it } from 'vitest';
import { dropJobs } from '../../support/jobs.ts';
import { ask, browser, newClient, post, signedIn, VERIFIER } from '../../support/oauth.ts';
import { newWorld, type Person, testApp } from '../../support/world.ts';
import { CREATE_TASKS, cancel, jsonl, read, results, runAll, runSlice, start, started } from './bulk.ts';

type World = Awaited<ReturnType<typeof newWorld>>;

let world: World;
let application: Person;

/** The owner, with a token of an application of the organization that they allow these scopes. */
async function authorized({ db, owner, organization }: World, scopes: string[]): Promise<Person> {
  const app = await testApp(db);
  const client = await newClient(owner, organization.id, { scopes: scopes as never });
  const code = await browser(app, await signedIn(db, owner.id)).code(
    ask(client, { scope: scopes.join(' ') }),
  );
  const { body } = await post(app, '/oauth/token', {
    ...{ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri },
    ...{ code_verifier: VERIFIER, client_id: client.id, client_secret: client.secret },
  });
  return owner.with(body.access_token as string);
}

beforeAll(dropJobs);

beforeEach(async () => {
  world = await newWorld();
  application = await authorized(world, ['tasks:read', 'tasks:write']);
});

const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ projectId: world.project.id, name: `Task ${index + 1}` }));

it('is started, polled and read by an application with the scopes of its mutation, and one that reads', async () => {
  const { db, organization } = world;
  const id = await started(application, organization.id, tasks(2));
  await runAll();
  expect(await read(application, id)).toMatchObject({ state: 'COMPLETED', doneCount: 2, failedCount: 0 });
  expect(await results(db, application, id)).toHaveLength(2);
  const [event] = await db.prisma.event.findMany({
    where: { kind: 'task.created', organizationId: organization.id },
  });
  expect(event).toMatchObject({ via: `bulk:${id}`, clientId: expect.any(String) });
});

it('is refused to an application without the scopes of what its mutation changes and selects', async () => {
  const { organization, project } = world;
  const input = (mutation: string, line: object) => ({
    organizationId: organization.id,
    mutation,
    variables: jsonl([line]),
  });
  const folders =
    'mutation ($id: ID!) { createFolders(input: { projectId: $id, folders: [{ name: "x" }] }) { folders { id } } }';
  const beyond = CREATE_TASKS.replace('{ name } }', '{ name project { documents { nodes { name } } } } }');
  const answers = [
    await start(application, input(folders, { id: project.id })),
    await start(application, input(beyond, tasks(1)[0] as object)),
  ];
  expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
    'INSUFFICIENT_SCOPE',
    'INSUFFICIENT_SCOPE',
  ]);
});

it('hides an operation and its results from other applications, and its results from other keys of the person', async () => {
  const { owner, organization } = world;
  const other = await authorized(world, ['tasks:read', 'tasks:write']);
  const id = await started(application, organization.id, tasks(1));
  expect(await read(other, id)).toBeNull();
  expect((await cancel(other, id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  expect(await read(owner, id)).toMatchObject({ state: 'QUEUED', resultsUrl: null });
  await runAll();
});

it.each([
  [
    'the authorization is revoked',
    ({ db, owner }: World) =>
      db.prisma.grant.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } }),
  ],
  [
    'its tokens are revoked',
    ({ db, owner }: World) =>
      db.prisma.authorizationCode.updateMany({
        where: { grant: { userId: owner.id } },
        data: { revokedAt: new Date() },
      }),
  ],
  [
    'the authorization loses the scope',
    ({ db, owner }: World) =>
      db.prisma.grant.updateMany({ where: { userId: owner.id }, data: { scopes: ['tasks_read' as never] } }),
  ],
  [
    'it is limited to another organization',
    ({ db, owner }: World) =>
      db.prisma.grant.updateMany({ where: { userId: owner.id }, data: { limitedTo: {} } }),
  ],
  [
    'its user is removed',
    ({ db, owner }: World) => db.prisma.membership.deleteMany({ where: { userId: owner.id } }),
  ],
  [
    'its user is disabled',
    ({ db, owner }: World) =>
      db.prisma.user.updateMany({ where: { id: owner.id }, data: { disabledAt: new Date() } }),
  ],
])('stops in the middle when %s', async (_, end) => {
  const { db, organization } = world;
  const id = await started(application, organization.id, tasks(60));
  await runSlice();
  const done = await db.prisma.task.count({ where: { organizationId: organization.id } });
  await end(world);
  await runAll();
  const row = await db.prisma.bulkOperation.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ state: 'FAILED', doneCount: done, failure: expect.any(String) });
  expect(await db.prisma.task.count({ where: { organizationId: organization.id } })).toBe(done);
});

it('stops when the organization allows no applications of others any more', async () => {
  const { db, organization } = world;
  const id = await started(application, organization.id, tasks(60));
  await runSlice();
  const elsewhere = await newWorld(db);
  await db.prisma.client.updateMany({
    where: { organizationId: organization.id },
    data: { organizationId: elsewhere.organization.id },
  });
  await db.prisma.organization.update({
    where: { id: organization.id },
    data: { applicationPolicy: 'NONE' },
  });
  await runAll();
  expect((await db.prisma.bulkOperation.findUniqueOrThrow({ where: { id } })).state).toBe('FAILED');
});
