import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProjects } from '../../src/domain/projects/project.ts';
import { newId } from '../../src/lib/id.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { type Snapshot, takeSnapshot } from '../matrix/snapshot.ts';
import { newDatabase } from '../support/database.ts';
import { requestFaults } from '../support/description.ts';
import { appOn } from '../support/oauth.ts';
import { newMember, newPerson, newWorld } from '../support/world.ts';
import { newRestWorld } from './fixture.ts';

/** One world for all routes, in a separate database that is restored after each test. */
async function setUp() {
  const db = await newDatabase();
  const world = await newRestWorld(db);
  const { owner, organization } = world;
  const [other] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Other' }],
  });
  const reader = await newMember(db, organization.id, 'ADMIN');
  await db.prisma.apiKey.updateMany({ where: { userId: reader.id }, data: { scopes: ['read'] } });
  const leaver = await newPerson(db);
  await db.prisma.apiKey.updateMany({ where: { userId: leaver.id }, data: { revokedAt: new Date() } });
  return { ...world, elsewhere: other?.id as string, reader, leaver };
}

/** Whether a path names an object of the fixture, and not one of the caller alone. */
const isShared = (path: string) => path.includes(':') && !path.startsWith('/user/preferences/');

let world: Awaited<ReturnType<typeof setUp>>;
let snapshot: Snapshot;

beforeAll(async () => {
  world = await setUp();
  snapshot = await takeSnapshot(world.db);
});
afterEach(() => snapshot.restore());
afterAll(() => world.db.close());

describe.each(restRoutes)('REST v1 $method $path', (restRoute) => {
  const { id, method, path } = restRoute;

  it('answers 200 to the request of its description', async () => {
    const { owner, bodies, ready, fill } = world;
    await ready[id]?.();
    expect(requestFaults(method, fill(restRoute), bodies[id])).toEqual([]);
    const { status, headers } = await owner.rest(method, fill(restRoute), bodies[id]);
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });

  it('answers 401 without a valid key', async () => {
    const { status, body, headers } = await world.leaver.rest(
      method,
      path.replace(/:(\w+)/g, 'x'),
      method === 'GET' ? undefined : {},
    );
    expect([status, typeof body.message, headers.get('www-authenticate')]).toEqual([
      401,
      'string',
      expect.stringMatching(/^Bearer error="invalid_token", /),
    ]);
  });

  it.runIf(isShared(path))('answers a stranger 404, and changes nothing', async () => {
    const { status, body } = await world.stranger.rest(method, world.fill(restRoute), world.bodies[id]);
    expect([status, body.message]).toEqual([
      404,
      expect.stringMatching(/^(?:[\w.]+(?: "\w+")?: )?[A-Z]\w+( \w+)? not found\.$/),
    ]);
    expect(await snapshot.changed()).toEqual([]);
  });

  it.runIf(path.includes(':projectId'))('answers 404 under another organization or project', async () => {
    const { owner, bodies, fill, elsewhere } = world;
    const unknownOrganization = [{ organizationId: newId('Organization') }];
    const nested = path.split('/:projectId/')[1]?.includes(':');
    for (const ids of nested ? [...unknownOrganization, { projectId: elsewhere }] : unknownOrganization)
      expect((await owner.rest(method, fill(restRoute, ids), bodies[id])).status).toBe(404);
    expect(await snapshot.changed()).toEqual([]);
  });

  it.runIf(method !== 'GET')(
    'answers 403 to a read-only key, and 400 to a body of another shape',
    async () => {
      const { owner, reader, bodies, fill } = world;
      expect((await reader.rest(method, fill(restRoute), bodies[id])).status).toBe(403);
      for (const body of ['text', [[]], 7, null])
        expect((await owner.rest(method, fill(restRoute), body)).status).toBe(400);
      expect(await snapshot.changed()).toEqual([]);
    },
  );
});

describe('REST v1', () => {
  it('ends a list both for clients that stop at a short page and for those that stop at an empty one', async () => {
    const { owner, organization } = await newWorld();
    const projects = Array.from({ length: 29 }, (_, index) => ({ name: `P${index}` }));
    await createProjects(await owner.context(), { organizationId: organization.id, projects });
    const names: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined; sizes.at(-1) !== 0; ) {
      const query = cursor === undefined ? '' : `?cursor=${cursor}`;
      const { body } = await owner.rest('GET', `/organizations/${organization.id}/projects${query}`);
      expect(body).toMatchObject({ PageSize: 25, Cursor: expect.stringMatching(/./) });
      names.push(...body.Projects.map((project: { Name: string }) => project.Name));
      sizes.push(body.Projects.length);
      cursor = body.Cursor;
    }
    expect(sizes).toEqual([25, 5, 0]);
    expect(names).toEqual(['Quay', ...projects.map(({ name }) => name)]);
    const pageOf = async (cursor: string) =>
      (await owner.rest('GET', `/organizations/${organization.id}/projects?cursor=${cursor}`)).body.Projects;
    expect(await pageOf('end')).toEqual([]);
    expect(await pageOf('')).toHaveLength(25);
  });

  it('has the project of includeProjectId once, on the first page, whatever else is selected', async () => {
    const { owner, organization } = await newWorld();
    const stranger = await newWorld();
    const projects = Array.from({ length: 29 }, (_, index) => ({ name: `P${index}` }));
    const created = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects,
    });
    const namesOf = async (query: string) => {
      const { body } = await owner.rest('GET', `/organizations/${organization.id}/projects?${query}`);
      return body.Projects.map(({ Name }: { Name: string }) => Name);
    };
    const [first, last] = [created[0]?.id, created.at(-1)?.id];
    expect(await namesOf(`nameFilter=Quay&includeProjectId=${last}`)).toEqual(['P28', 'Quay']);
    expect(await namesOf(`nameFilter=P0&includeProjectId=${first}`)).toEqual(['P0']);
    expect(await namesOf(`nameFilter=Quay&getAll=true&includeProjectId=${last}`)).toEqual(['P28', 'Quay']);
    expect(await namesOf(`cursor=end&includeProjectId=${last}`)).toEqual([]);
    for (const id of [stranger.project.id, 'prj_unknown'])
      expect(await namesOf(`nameFilter=Quay&includeProjectId=${id}`)).toEqual(['Quay']);
  });

  it('takes pageSize for forms up to 100, and no other numbers', async () => {
    const { owner, organization, project, db } = await newWorld();
    const base = `/organizations/${organization.id}/projects/${project.id}/formTemplates`;
    await db.prisma.formTemplate.createMany({
      data: Array.from({ length: 110 }, (_, index) => ({
        id: newId('FormTemplate'),
        organizationId: organization.id,
        projectId: project.id,
        name: `Form ${index}`,
        nameKey: `form ${index}`,
        createdById: owner.id,
      })),
    });
    const sizesOf = async (query: string) => {
      const { body } = await owner.rest('GET', `${base}?${query}`);
      return [body.FormTemplates.length, body.PageSize];
    };
    expect([await sizesOf(''), await sizesOf('pageSize='), await sizesOf('pageSize=3')]).toEqual([
      [25, 25],
      [25, 25],
      [3, 3],
    ]);
    expect([await sizesOf('pageSize=60'), await sizesOf('pageSize=5000')]).toEqual([
      [60, 60],
      [100, 100],
    ]);
    for (const value of ['0', '-1', '1.5', 'ten', '1e2'])
      expect((await owner.rest('GET', `${base}?pageSize=${value}`)).status).toBe(400);
  });

  it('returns all fields and all members of a project with getAll', async () => {
    const { owner, organization, project } = await newWorld();
    const base = `/organizations/${organization.id}/projects/${project.id}`;
    const fields = Array.from({ length: 120 }, (_, index) => ({ Name: `F${index}`, Type: 'FieldType_Text' }));
    await owner.rest('POST', `${base}/fields`, fields.slice(0, 60));
    await owner.rest('POST', `${base}/fields`, fields.slice(60));
    const page = await owner.rest('GET', `${base}/fields`);
    const whole = await owner.rest('GET', `${base}/fields?getAll=true`);
    expect([page.body.Fields.length, page.body.PageSize]).toEqual([25, 25]);
    expect([whole.body.Fields.length, whole.body.PageSize, whole.body.Cursor]).toEqual([120, 0, 'end']);
    const members = await owner.rest('GET', `${base}/members?getAll=true`);
    expect([members.body.PageSize, members.body.Cursor]).toEqual([0, 'end']);
    expect(members.body.ProjectMembers).toEqual(
      (await owner.rest('GET', `${base}/members`)).body.ProjectMembers,
    );
  });

  it('returns a complete list with getAll', async () => {
    const { owner, organization } = await newWorld();
    const projects = Array.from({ length: 120 }, (_, index) => ({ name: `P${index}` }));
    await createProjects(await owner.context(), { organizationId: organization.id, projects });
    const { body } = await owner.rest('GET', `/organizations/${organization.id}/projects?getAll=True`);
    expect([body.Projects.length, body.PageSize, body.Cursor]).toEqual([121, 0, 'end']);
  });

  it('reads the names of members and query parameters case-insensitively', async () => {
    const { owner, organization } = await newWorld();
    const created = await owner.rest('POST', `/organizations/${organization.id}/projects`, [
      { name: 'Staff', ACCESSTYPE: 'membersonlyassignments_membercontentbyassignment' },
    ]);
    expect(created.body[0].AccessType).toBe('MembersOnlyAssignments_MemberContentByAssignment');
    const filtered = await owner.rest(
      'GET',
      `/organizations/${organization.id}/projects?NAMEFILTER=sTa&adminOnly=True`,
    );
    expect(filtered.body.Projects.map((project: { Name: string }) => project.Name)).toEqual(['Staff']);
  });

  it('lists one level of folders in each call', async () => {
    const { owner, organization, project } = await newWorld();
    const path = `/organizations/${organization.id}/projects/${project.id}/documentFolders`;
    const [top] = (await owner.rest('POST', path, [{ Name: 'Top' }])).body;
    await owner.rest('POST', path, [{ Name: 'Below', ParentID: top.ID }]);
    const names = async (query: string) =>
      (await owner.rest('GET', path + query)).body.DocumentFolders.map(
        (folder: { Name: string }) => folder.Name,
      );
    expect([await names(''), await names(`?parentId=${top.ID}`)]).toEqual([['Top'], ['Below']]);
  });

  it('answers 404 to an unknown route, and 409 in a disabled project', async () => {
    const { owner, organization, project } = await newWorld();
    expect((await owner.rest('GET', '/nothing')).status).toBe(404);
    const path = `/organizations/${organization.id}/projects/${project.id}`;
    expect((await owner.rest('PUT', path, { Disabled: true })).body.Disabled).toBe(true);
    expect((await owner.rest('POST', `${path}/documentFolders`, [{ Name: 'x' }])).status).toBe(409);
    expect((await owner.rest('PUT', path, { Disabled: false })).body.Disabled).toBe(false);
  });

  it('answers 405 to HEAD where GET has side effects, and ignores method overrides in headers', async () => {
    const app = await appOn(world.db);
    const authorization = `Bearer ${world.owner.key}`;
    const request = (route: Route, method: string, headers = {}) =>
      app.request(`/api/v1${world.fill(route)}`, { method, headers: { authorization, ...headers } });
    const gets = restRoutes.filter(({ method }) => method === 'GET');
    for (const getRoute of gets.filter(({ operations }) => operations.writes)) {
      const { status, headers } = await request(getRoute, 'HEAD');
      expect([getRoute.path, status, headers.get('allow')]).toEqual([getRoute.path, 405, 'GET']);
    }
    for (const getRoute of gets.filter(({ operations }) => !operations.writes).slice(0, 5))
      for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override'])
        expect([getRoute.path, (await request(getRoute, 'GET', { [name]: 'DELETE' })).status]).toEqual([
          getRoute.path,
          200,
        ]);
    expect(await snapshot.changed()).toEqual([]);
  });

  it('answers 400 to a body that is not UTF-8, and accepts one with a byte order mark', async () => {
    const { owner } = world;
    const app = await appOn(world.db);
    const send = (body: Buffer, more = {}) =>
      app.request('/api/v1/organizations', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json', ...more },
        body: new Uint8Array(body),
      });
    const json = (name: Buffer) => Buffer.concat([Buffer.from('[{"Name":"'), name, Buffer.from('"}]')]);
    expect((await send(json(Buffer.from([0x41, 0xff])))).status).toBe(400);
    expect((await send(json(Buffer.from([0xc3])))).status).toBe(400);
    expect((await send(json(Buffer.from([0xc3])), { 'idempotency-key': 'one' })).status).toBe(400);
    expect(await snapshot.changed()).toEqual([]);
    const withByteOrderMark = await send(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json(Buffer.from('Ä'))]),
    );
    expect(withByteOrderMark.status).toBe(200);
  });

  it('answers 413 to a body above the limit', async () => {
    const { owner, organization } = await newWorld();
    const { status } = await owner.rest('POST', `/organizations/${organization.id}/projects`, [
      { Name: 'x'.repeat(2 ** 20) },
    ]);
    expect(status).toBe(413);
  });
});
