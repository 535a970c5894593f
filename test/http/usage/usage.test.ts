import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { UsageRecorder } from '../../../src/http/usage/usage-recorder.ts';
import { newId } from '../../../src/lib/id.ts';
import { newSecret } from '../../../src/lib/secret.ts';
import { appOn, ask, browser, newClient, post, signedIn, VERIFIER } from '../../support/oauth.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

const USAGE =
  '{ requests errors points p95Milliseconds days { requests } errorCodes { code count } deprecated { name count instead removal } }';

async function setUp(limits = {}) {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const usage = new UsageRecorder(db, pino({ level: 'silent' }));
  const app = await appOn(db, limits, { usage });
  const send = (path: string, key: string, init: RequestInit = {}) =>
    app.request(path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    });
  const graph = async (key: string, query: string, variables = {}) => {
    const answer = await send('/graphql', key, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
    });
    return answer.json();
  };
  const keyOf = async (person: Person) =>
    (await db.prisma.apiKey.findFirstOrThrow({ where: { userId: person.id } })).id;
  return {
    ...world,
    app,
    usage,
    send,
    graph,
    keyOf,
    base: `/api/v1/organizations/${organization.id}/projects/${project.id}`,
    /** The use of the owner's key, as the owner reads it. */
    async keyUsage() {
      await usage.write();
      const id = await keyOf(owner);
      const { data } = await owner.graph(
        `query ($id: ID!) { node(id: $id) { ... on ApiKey { requestUsage ${USAGE} } } }`,
        { id },
      );
      return data.node.requestUsage;
    },
    async appUsage(clientId: string, reader: Person = owner) {
      await usage.write();
      const { data } = await reader.graph(
        `query ($id: ID!) { node(id: $id) { ... on Client { requestUsage ${USAGE} } } }`,
        { id: clientId },
      );
      return data.node;
    },
  };
}

describe('the use of an API key', () => {
  it('counts requests to both APIs, with the codes of errors and the points', async () => {
    const { owner, send, graph, keyUsage, base } = await setUp();
    await graph(owner.key, '{ viewer { name } }');
    await graph(owner.key, '{ viewer { unknown } }');
    await graph(
      owner.key,
      'mutation { deleteFolders(input: { projectId: "prj_none", folderIds: ["fld_none"] }) { folderIds } }',
    );
    await send(`${base}/tasks`, owner.key);
    await send('/api/v1/organizations/org_none', owner.key);
    const used = await keyUsage();
    expect(used).toMatchObject({
      requests: 5,
      errors: 3,
      days: [{ requests: 5 }],
      errorCodes: [
        { code: 'NOT_FOUND', count: 2 },
        { code: 'BAD_USER_INPUT', count: 1 },
      ],
      deprecated: [],
    });
    expect(Number(used.points)).toBeGreaterThan(0);
    expect(used.p95Milliseconds).toBeGreaterThan(0);
  });

  it('counts a request that the rate limit refused', async () => {
    const { owner, graph, keyUsage } = await setUp({ requests: 2 });
    for (let each = 0; each < 4; each++) await graph(owner.key, '{ viewer { name } }');
    expect(await keyUsage()).toMatchObject({ requests: 4, errorCodes: [{ code: 'RATE_LIMITED', count: 2 }] });
  });

  it('is empty before the first request, and null for everybody else', async () => {
    const { owner, stranger, keyOf, keyUsage } = await setUp();
    expect(await keyUsage()).toEqual({
      requests: 0,
      errors: 0,
      points: 0,
      p95Milliseconds: null,
      days: [],
      errorCodes: [],
      deprecated: [],
    });
    const { data } = await stranger.graph('query ($id: ID!) { node(id: $id) { id } }', {
      id: await keyOf(owner),
    });
    expect(data.node).toBeNull();
  });

  it('does not count requests of a browser session, nor without a live credential', async () => {
    const { db, owner, app, send, usage } = await setUp();
    const cookie = await signedIn(db, owner.id);
    await app.request('/console', { headers: { cookie } });
    await send('/api/v1/organizations', newSecret('dgk_'));
    const before = await db.prisma.usageDay.count();
    await usage.write();
    expect(await db.prisma.usageDay.count()).toBe(before);
  });

  it('names a deprecated path that was used, whose responses say so', async () => {
    const { owner, send, keyUsage, base, organization, project } = await setUp();
    const path = `${base}/approvalActions/approve`;
    const body = JSON.stringify({ IDs: [newId('Document')] });
    const answer = await send(path, owner.key, { method: 'POST', body });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('deprecation')).toBe('@1795651200');
    expect(answer.headers.get('sunset')).toBeNull();
    expect(answer.headers.get('link')).toBe(
      `<http://docgraph.test/docs/rest#deprecated-paths>; rel="deprecation"; type="text/html", <http://docgraph.test/api/v1/organizations/${organization.id}/projects/${project.id}/approvals/actions/approve>; rel="successor-version"`,
    );
    const route = 'POST /api/v1/organizations/{organizationId}/projects/{projectId}';
    expect(await keyUsage()).toMatchObject({
      deprecated: [
        {
          name: `${route}/approvalActions/approve`,
          count: 1,
          instead: `${route}/approvals/actions/approve`,
          removal: null,
        },
      ],
    });
    const current = await send(`${base}/approvals/actions/approve`, owner.key, { method: 'POST', body });
    expect(current.headers.has('deprecation')).toBe(false);
  });
});

describe('the use of an application', () => {
  async function withApplication() {
    const scene = await setUp();
    const { db, owner, app, organization } = scene;
    const client = await newClient(owner, organization.id);
    const tokensOf = async (person: Person, scope = 'read write') => {
      const code = await browser(app, await signedIn(db, person.id)).code(ask(client, { scope }));
      const { body } = await post(app, '/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
        code_verifier: VERIFIER,
        client_id: client.id,
        client_secret: client.secret,
      });
      return body as { access_token: string; refresh_token: string };
    };
    return { ...scene, client, tokensOf };
  }

  it('is that of all people who use it, and seen by owners and admins of its organization', async () => {
    const { db, owner, organization, client, tokensOf, graph, appUsage, keyUsage } = await withApplication();
    const admin = await newMember(db, organization.id, 'ADMIN');
    const member = await newMember(db, organization.id, 'MEMBER');
    for (const person of [owner, member])
      await graph((await tokensOf(person)).access_token, '{ viewer { name } }');
    expect((await appUsage(client.id)).requestUsage).toMatchObject({ requests: 2, errors: 0 });
    expect((await appUsage(client.id, admin)).requestUsage).toMatchObject({ requests: 2 });
    expect(await appUsage(client.id, member)).toEqual({ requestUsage: null });
    expect(await keyUsage()).toMatchObject({ requests: 0 });
  });

  it('names a deprecated scope that was requested, and requested again by a refresh', async () => {
    const { owner, app, client, tokensOf, appUsage } = await withApplication();
    const { refresh_token } = await tokensOf(owner, 'workflow');
    await post(app, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      scope: 'workflow',
      client_id: client.id,
      client_secret: client.secret,
    });
    expect((await appUsage(client.id)).requestUsage.deprecated).toEqual([
      {
        name: 'scope workflow',
        count: 2,
        instead: 'tasks:read tasks:write approvals:read approvals:write',
        removal: null,
      },
    ]);
  });
});

describe('counts of use', () => {
  const DAY = '2026-11-26T12:00:00Z';
  const request = { ms: 5, points: 1, failure: 'NOT_FOUND', deprecated: ['scope admin'] };

  it('of several processes that write at the same time add up', async () => {
    const { db } = await newWorld();
    const log = pino({ level: 'silent' });
    const used = [newId('Client'), newId('ApiKey')].sort();
    const recorders = Array.from({ length: 6 }, () => new UsageRecorder(db, log));
    for (const [index, recorder] of recorders.entries())
      for (const usedBy of index % 2 ? used : [...used].reverse())
        for (const ms of [0.2, 5, 5, 40]) recorder.record({ ...request, usedBy, ms }, new Date(DAY));
    await Promise.all(recorders.map((recorder) => recorder.close()));
    for (const usedBy of used) {
      const day = await db.prisma.usageDay.findFirstOrThrow({ where: { usedBy } });
      expect([day.requests, day.errors, day.points]).toEqual([24n, 24n, 24n]);
      expect(day.durations.filter((count) => count > 0)).toEqual([6, 12, 6]);
      const marks = await db.prisma.usageMark.findMany({ where: { usedBy }, orderBy: { name: 'asc' } });
      expect(marks.map(({ kind, name, count }) => [kind, name, count])).toEqual([
        ['ERROR', 'NOT_FOUND', 24n],
        ['DEPRECATED', 'scope admin', 24n],
      ]);
    }
  });

  it('are written once', async () => {
    const { db } = await newWorld();
    const recorder = new UsageRecorder(db, pino({ level: 'silent' }));
    const usedBy = newId('Client');
    recorder.record({ ...request, usedBy }, new Date(DAY));
    await recorder.write();
    await recorder.write();
    expect(await db.prisma.usageDay.findFirst({ where: { usedBy } })).toMatchObject({ requests: 1n });
  });

  it('of more callers than fit into memory are left out, and the log says so', async () => {
    const { db } = await newWorld();
    const lines: string[] = [];
    const recorder = new UsageRecorder(
      db,
      pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    );
    const plain = { ms: 1, points: 0, failure: undefined, deprecated: [] };
    const first = newId('Client');
    for (let each = 0; each < 5_003; each++)
      recorder.record(
        { ...plain, usedBy: each === 0 ? first : `cli_${each}` },
        new Date('2026-11-25T00:00:00Z'),
      );
    await recorder.write();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      requests: 3,
      msg: 'too many callers to count their use',
    });
    expect(await db.prisma.usageDay.count({ where: { usedBy: first } })).toBe(1);
    await db.prisma.usageDay.deleteMany({ where: { usedBy: { startsWith: 'cli_' } } });
  });
});
