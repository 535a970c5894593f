import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/domain/kernel/errors.ts';
import { problemType } from '../../../src/rest/wire/problem.ts';
import { appOn } from '../../support/oauth.ts';
import { newWorld } from '../../support/world.ts';

let world: Awaited<ReturnType<typeof newWorld>>;
let app: Awaited<ReturnType<typeof appOn>>;

beforeAll(async () => {
  world = await newWorld();
  app = await appOn(world.db);
});

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${world.owner.key}`;
  const response = await app.request(`/api/v1${path}`, { method, headers: { authorization, ...headers } });
  const { status } = response;
  return { status, headers: response.headers, body: JSON.parse((await response.text()) || 'null') };
}

describe('a problem of REST v1', () => {
  it('has a type, a code and the id of the request, also for unknown paths and methods', async () => {
    const { id } = world.organization;
    for (const [method, path, status, code] of [
      ['GET', `/organizations/${id}/projects?adminOnly=maybe`, 400, 'BAD_USER_INPUT'],
      ['GET', '/organizations/org_unknown', 404, 'NOT_FOUND'],
      ['GET', '/nothing', 404, 'NOT_FOUND'],
      ['PATCH', '/organizations', 405, 'BAD_USER_INPUT'],
    ] as const) {
      const { body, headers, ...answer } = await send(method, path);
      expect([path, answer.status, headers.get('content-type')]).toEqual([path, status, 'application/json']);
      expect(body).toMatchObject({ status, code, detail: body.message, title: expect.any(String) });
      expect(body.type).toMatch(new RegExp(`^https?://.+/api/v1/docs#${code.toLowerCase()}$`));
      expect(body.requestId).toBe(headers.get('x-request-id'));
    }
  });

  it('is application/problem+json where the client accepts that', async () => {
    for (const path of ['/nothing', '/organizations/org_unknown', '/organizations?cursor=x']) {
      const { headers } = await send('GET', path, { accept: 'application/problem+json, */*;q=0.1' });
      expect([path, headers.get('content-type')]).toEqual([path, 'application/problem+json']);
      expect(headers.get('vary')).toMatch(/\bAccept\b/);
    }
  });

  it('names the methods of a path in Allow', async () => {
    const { id } = world.organization;
    for (const [path, allow] of [
      ['/organizations', 'GET, HEAD, POST'],
      [`/organizations/${id}/projects`, 'GET, HEAD, POST, DELETE'],
      [`/organizations/${id}/projects/${world.project.id}/documentActions/sendToRecycleBin`, 'POST'],
    ] as const) {
      const { status, headers } = await send('PATCH', path);
      expect([path, status, headers.get('allow')]).toEqual([path, 405, allow]);
    }
  });

  it('has a type that the API reference explains, for each code', async () => {
    const text = await (await app.request('/api/v1/docs')).text();
    for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
      const { pathname, hash } = new URL(problemType('http://docgraph.test', code));
      expect([pathname, text.includes(`id="${hash.slice(1)}"`)]).toEqual(['/api/v1/docs', true]);
    }
  });
});

describe('comments over REST v1', () => {
  it('may be none: an empty array creates nothing', async () => {
    const { owner, organization, project, stranger } = world;
    const tasks = `/organizations/${organization.id}/projects/${project.id}/tasks`;
    const [task] = (await owner.rest('POST', tasks, [{ Name: 'Task' }])).body;
    const path = `${tasks}/${task.ID}/comments`;
    const answer = await owner.rest('POST', path, { Comments: [] });
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect((await stranger.rest('POST', path, { Comments: [] })).status).toBe(404);
    expect((await owner.rest('GET', path)).body.TaskEvents).toEqual([]);
  });
});
