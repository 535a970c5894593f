import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { newId } from '../../src/lib/id.ts';
import { counted, testDatabase } from '../support/database.ts';
import { appOn, newOAuthWorld, signedIn } from '../support/oauth.ts';
import { newMember, newPerson, newWorld, type Person, sentFrom } from '../support/world.ts';

type App = Awaited<ReturnType<typeof appOn>>;

const rest = async (app: App, key?: string, address = '192.0.2.7', path = '/organizations') =>
  app.request(
    `/api/v1${path}`,
    { headers: key ? { authorization: `Bearer ${key}` } : {} },
    sentFrom(address),
  );

const graph = async (app: App, headers: Record<string, string>, address = '192.0.2.7') =>
  app.request(
    '/graphql',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ viewer { user { id } } }' }),
    },
    sentFrom(address),
  );

const bearer = ({ key }: Person) => ({ authorization: `Bearer ${key}` });

const shown = ({ status, headers }: Response) =>
  [status, headers.get('ratelimit-policy'), headers.get('ratelimit'), headers.get('retry-after')] as const;

describe('requests with a credential', () => {
  it('get the remaining budget in every response, errors included', async () => {
    const db = await testDatabase();
    const { key } = await newPerson(db);
    const app = await appOn(db, { requests: 2 });
    expect(shown(await rest(app, key))).toEqual([
      200,
      '"credential";q=2;w=60',
      '"credential";r=1;t=30',
      null,
    ]);
    const missing = await rest(app, key, undefined, '/organizations/org_x');
    expect(shown(missing)).toEqual([404, '"credential";q=2;w=60', '"credential";r=0;t=30', null]);
  });

  it('share one budget in REST and GraphQL, and are refused in the error format of each', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const app = await appOn(db, { requests: 3 });
    expect((await rest(app, person.key)).status).toBe(200);
    expect((await graph(app, bearer(person))).status).toBe(200);
    expect((await graph(app, bearer(person))).status).toBe(200);
    const refused = [await rest(app, person.key), await graph(app, bearer(person))] as const;
    for (const each of refused)
      expect(shown(each)).toEqual([429, '"credential";q=3;w=60', '"credential";r=0;t=20', '20']);
    const message = 'At most 3 requests a minute are answered; slow down.';
    expect(await refused[0].json()).toMatchObject({ message, status: 429, detail: message });
    expect(await refused[1].json()).toMatchObject({
      errors: [{ message, extensions: { code: 'RATE_LIMITED', retryAfter: 20 } }],
    });
  });

  it('get the remaining budget also with a streamed body', async () => {
    const db = await testDatabase();
    const { key } = await newPerson(db);
    const app = await appOn(db, { requests: 2 });
    const body = new Blob(['{"query":"{ __typename }"}']).stream();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await app.request('/graphql', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([
      200,
      '"credential";r=1;t=30, "credential-points";r=2000;t=1',
    ]);
  });

  it('do not count for other users at the same address', async () => {
    const db = await testDatabase();
    const [one, other] = [await newPerson(db), await newPerson(db)];
    const app = await appOn(db, { requests: 1 });
    await rest(app, one.key);
    expect((await rest(app, one.key, '198.51.100.1')).status).toBe(429);
    expect((await rest(app, other.key)).status).toBe(200);
  });

  it('cost no additional statement; a refused one costs only the credential look-up', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const app = await appOn(db, { requests: 2 });
    const off = await appOn(db, { requests: 0 });
    await rest(app, person.key);
    const { statements: free } = await counted(() => rest(off, person.key));
    const { statements: limited } = await counted(() => rest(app, person.key));
    expect(limited).toEqual(free);
    const { result, statements } = await counted(() => rest(app, person.key));
    expect([result.status, statements.length]).toEqual([429, 1]);
    expect(statements[0]).toContain('FROM api_keys');
  });

  it('are counted for a browser session', async () => {
    const db = await testDatabase();
    const { id } = await newPerson(db);
    const app = await appOn(db, { requests: 1 });
    const page = { cookie: await signedIn(db, id), 'sec-fetch-site': 'same-origin' };
    const answers = [await graph(app, page), await graph(app, page)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  });

  it('are counted for the grant of an application, whichever of its tokens is used', async () => {
    const { app, tokens, refresh, open } = await newOAuthWorld({ requests: 2 });
    const first = await tokens(open);
    const { body: again } = await refresh(open, first.refresh_token);
    const presented = [first.access_token, again.access_token, again.access_token];
    const answers = [];
    for (const token of presented) answers.push((await rest(app, token)).status);
    expect(answers).toEqual([200, 200, 429]);
  });

  it('are counted for their user, with all keys of the user', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const { secret } = await issueApiKey(db.prisma, { userId: person.id, name: 'other', scopes: ['read'] });
    const app = await appOn(db, { requests: 3, requestsUser: 4 });
    const keys = [person.key, person.key, secret, secret, secret];
    const answers = [];
    for (const key of keys) answers.push(shown(await rest(app, key)));
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(answers[3]).toEqual([200, '"user";q=4;w=60', '"user";r=0;t=15', null]);
    expect(answers[4]).toEqual([429, '"user";q=4;w=60', '"user";r=0;t=15', '15']);
  });

  it('are counted for their organization, with all its members', async () => {
    const { db, owner, organization, stranger } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const app = await appOn(db, { requests: 2, requestsOrganization: 3 });
    const answers = [];
    for (const { key } of [owner, owner, member, member]) answers.push(shown(await rest(app, key)));
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[3]?.[1]).toBe('"organization";q=3;w=60');
    expect((await rest(app, stranger.key)).status).toBe(200);
  });

  it("of a guest are counted for the guest's home organization", async () => {
    const { db, owner, organization, stranger } = await newWorld();
    await db.prisma.membership.create({
      data: {
        organizationId: organization.id,
        id: newId('Membership'),
        userId: stranger.id,
        role: 'GUEST',
        createdById: owner.id,
      },
    });
    const app = await appOn(db, { requests: 2, requestsOrganization: 2 });
    for (let time = 0; time < 2; time++) await rest(app, owner.key);
    expect((await rest(app, owner.key)).status).toBe(429);
    expect((await rest(app, stranger.key)).status).toBe(200);
  });

  it('have no limit and no headers if the limit is 0', async () => {
    const db = await testDatabase();
    const { key } = await newPerson(db);
    const app = await appOn(db, { requests: 0 });
    expect(shown(await rest(app, key))).toEqual([200, null, null, null]);
  });
});

describe('reads of content packages', () => {
  it('are counted apart from other requests, for the credential, user and organization', async () => {
    const { db, owner, organization, project } = await newWorld();
    const path = `/organizations/${organization.id}/projects/${project.id}/documentContentPackages/doc_x`;
    const app = await appOn(db, { requests: 1, contentReads: 2 });
    const read = () => rest(app, owner.key, undefined, path);
    expect((await rest(app, owner.key)).status).toBe(200);
    expect((await rest(app, owner.key)).status).toBe(429);
    const answers = [shown(await read()), shown(await read()), shown(await read())];
    expect(answers.map(([status]) => status)).toEqual([404, 404, 429]);
    expect(answers[1]?.slice(1, 3)).toEqual([
      '"credential-content";q=2;w=60',
      '"credential-content";r=0;t=30',
    ]);
    const narrow = await appOn(db, { contentReadsUser: 1 });
    const statuses = [];
    for (let time = 0; time < 2; time++)
      statuses.push((await rest(narrow, owner.key, undefined, path)).status);
    expect(statuses).toEqual([404, 429]);
  });

  it('may be repeated after a second by a program at full speed', async () => {
    const { db, owner, organization, project } = await newWorld();
    const path = `/organizations/${organization.id}/projects/${project.id}/documentContentPackages/doc_x`;
    const app = await appOn(db, { contentReads: 60 });
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => rest(app, owner.key, undefined, path)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
  });

  it('count for the network without a live credential', async () => {
    const db = await testDatabase();
    const app = await appOn(db, { requestsAddress: 1 });
    const path = '/organizations/x/projects/y/documentContentPackages/z';
    const read = () => rest(app, undefined, undefined, path);
    expect([(await read()).status, (await read()).status]).toEqual([401, 429]);
  });
});

describe('the points of operations', () => {
  const run = async (app: App, { key }: Person, query: string) => {
    const response = await app.request(
      '/graphql',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ query }),
      },
      sentFrom('192.0.2.7'),
    );
    return { response, body: await response.json() };
  };

  const PAGE =
    '{ rateLimit { cost limit remaining resetAt } viewer { organizations(first: 80) { nodes { id } } } }';
  const COST = 1 + 1 + 10 + 80;

  it('are counted, and what is left can be read in the operation and in the headers', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const app = await appOn(db, { requests: 3, pointsPerRequest: 100 });
    const { response, body } = await run(app, person, PAGE);
    expect(body.data.rateLimit).toMatchObject({ cost: COST, limit: 300, remaining: 300 - COST });
    expect(response.headers.get('ratelimit-policy')).toBe(
      '"credential";q=3;w=60, "credential-points";q=300;w=60',
    );
    expect(response.headers.get('ratelimit')).toContain(`"credential-points";r=${300 - COST}`);
  });

  it('refuse an operation for which too few are left, before it runs', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const app = await appOn(db, { requests: 20, pointsPerRequest: 10 });
    await run(app, person, PAGE);
    await run(app, person, PAGE);
    const { response, body } = await run(app, person, PAGE);
    expect([response.status, body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(response.headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter);
    expect(body.data).toBeUndefined();
    const cheap = await run(app, person, '{ viewer { name } }');
    expect(cheap.body.errors).toBeUndefined();
  });

  it('are shared by all keys of a user', async () => {
    const db = await testDatabase();
    const person = await newPerson(db);
    const other = await issueApiKey(db.prisma, { userId: person.id, name: 'other', scopes: ['read'] });
    const app = await appOn(db, { requests: 100, requestsUser: 10, pointsPerRequest: 10 });
    await run(app, person, PAGE);
    const { body } = await run(app, { ...person, key: other.secret }, PAGE);
    expect(body.errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  it('are not limited where requests are not', async () => {
    const db = await testDatabase();
    const { response, body } = await run(
      await appOn(db, { requests: 0, requestsUser: 0, requestsOrganization: 0 }),
      await newPerson(db),
      PAGE,
    );
    expect([body.data.rateLimit, response.headers.get('ratelimit')]).toEqual([null, null]);
  });
});

describe('requests without a live credential', () => {
  it('are counted for their network, with wrong credentials or none', async () => {
    const { db, owner } = await newWorld();
    const app = await appOn(db, { requestsAddress: 2 });
    const answers = [
      await rest(app),
      await rest(app, 'dgk_wrong'),
      await rest(app, 'dgk_wrong'),
      await graph(app, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429, 429]);
    expect(shown(answers[2] as Response)).toEqual([429, '"address";q=2;w=60', '"address";r=0;t=30', '30']);
    expect((await rest(app, owner.key)).status).toBe(200);
    expect((await rest(app, 'dgk_wrong', '192.0.2.8')).status).toBe(401);
  });

  it('count a whole /64 as one network, whatever X-Forwarded-For says', async () => {
    const db = await testDatabase();
    const app = await appOn(db, { requestsAddress: 1 });
    await rest(app, undefined, '2001:db8::1');
    const answer = await app.request(
      '/api/v1/organizations',
      { headers: { 'x-forwarded-for': '203.0.113.9' } },
      sentFrom('2001:db8::2'),
    );
    expect(answer.status).toBe(429);
  });

  it('are counted when they use a public link', async () => {
    const db = await testDatabase();
    const app = await appOn(db, { requestsAddress: 1 });
    const open = () => rest(app, undefined, undefined, '/formTemplatesPublic/frm_x?uniqueId=dgl_x');
    const statuses = [(await open()).status, (await open()).status];
    expect(statuses[1]).toBe(429);
  });
});
