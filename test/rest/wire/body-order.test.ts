import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { appOn } from '../../support/oauth.ts';
import { newWorld, sentFrom } from '../../support/world.ts';

const LINK = `dgl_${randomBytes(32).toString('base64url')}`;
const SUBMISSIONS = '/api/v1/formTemplatesPublic/frm_x/submissions';

/** A body in chunks of 1 KiB that counts the chunks read. */
function counting(pieces: number) {
  const read = { pieces: 0 };
  const body = new ReadableStream(
    { pull: (to) => (read.pieces++ < pieces ? to.enqueue(new Uint8Array(1_024).fill(32)) : to.close()) },
    { highWaterMark: 0 },
  );
  return { read, body };
}

type App = Awaited<ReturnType<typeof appOn>>;

const post = (app: App, path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  app.request(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
    } as RequestInit,
    sentFrom('192.0.2.7'),
  );

describe('a body of REST v1', () => {
  it.each([
    ['with a link', `${SUBMISSIONS}?uniqueId=${LINK}`],
    ['without one', SUBMISSIONS],
    ['without a credential', '/api/v1/organizations'],
  ])('is not read before the request counts against the limit of its address: %s', async (_, path) => {
    const app = await appOn(await testDatabase(), { requestsAddress: 1 });
    await post(app, '/api/v1/organizations', '');
    const { read, body } = counting(1);
    expect((await post(app, path, body)).status).toBe(429);
    expect(read.pieces).toBe(0);
  });

  it('is not read before the request counts against the limit of its credential', async () => {
    const { db, owner } = await newWorld();
    const app = await appOn(db, { requests: 1 });
    const headers = { authorization: `Bearer ${owner.key}` };
    await post(app, '/api/v1/organizations', '[]', headers);
    const { read, body } = counting(1);
    expect((await post(app, '/api/v1/organizations', body, headers)).status).toBe(429);
    expect(read.pieces).toBe(0);
  });

  it('is not read without the scope write, nor without a credential', async () => {
    const { db, owner } = await newWorld();
    const { body: createdKeys } = await owner.rest('POST', '/user/apiKeys', [
      { Name: 'reads', Scopes: ['read'] },
    ]);
    const app = await appOn(db);
    const { read, body } = counting(1);
    const reader = await post(app, '/api/v1/organizations', body, {
      authorization: `Bearer ${createdKeys[0].Key}`,
    });
    const nobody = await post(app, '/api/v1/organizations', counting(1).body);
    expect([reader.status, nobody.status, read.pieces]).toEqual([403, 401, 0]);
  });

  it.each([
    `${SUBMISSIONS}?uniqueId=${LINK}`,
    `${SUBMISSIONS}?tenantId=${LINK}`,
    SUBMISSIONS,
  ])('may have 64 KiB without a credential: %s', async (path) => {
    const app = await appOn(await testDatabase());
    const named = counting(1);
    const declared = await post(app, path, named.body, { 'content-length': String(2 ** 16 + 1) });
    const endless = counting(10_000);
    const counted = await post(app, path, endless.body);
    expect([declared.status, named.read.pieces, counted.status, endless.read.pieces]).toEqual([
      413, 0, 413, 65,
    ]);
  });

  it('may have JSON_BODY_BYTES with a credential', async () => {
    const { owner, project, organization } = await newWorld();
    const tasks = Array.from({ length: 50 }, (_, index) => ({
      Name: `t${index}`,
      Description: 'x'.repeat(5_000),
    }));
    const path = `/organizations/${organization.id}/projects/${project.id}/tasks`;
    expect((await owner.rest('POST', path, tasks)).status).toBe(200);
  });
});

describe('a batch of REST v1', () => {
  const paths = async () => {
    const { owner, organization, project } = await newWorld();
    return { owner, tasks: `/organizations/${organization.id}/projects/${project.id}/tasks` };
  };

  it('that is too long is refused before any of its items is processed', async () => {
    const { owner, tasks } = await paths();
    const { status, body } = await owner.rest('POST', tasks, Array(1_001).fill({ Name: 1 }));
    expect([status, body.message]).toEqual([400, 'The body must be an array of at most 1000 items.']);
  });

  it.each([
    ['items', `[${'{},'.repeat(10_000)}{}]`, '10000 items in an array'],
    [
      'members',
      `[{${Array.from({ length: 1_001 }, (_, index) => `"m${index}":0`).join()}}]`,
      '1000 members in an object',
    ],
    ['levels', `[${'['.repeat(300_000)}${']'.repeat(300_000)}]`, '200 levels'],
    ['values', `[${'{"a":[1,2,3,4,5,6,7,8,9]},'.repeat(6_000)}{}]`, '50000 values'],
    [
      'items of a member',
      `[{"Name":"x","OtherDocuments":[${'{},'.repeat(10_000)}{}]}]`,
      '10000 items in an array',
    ],
  ])('is refused before parsing if it has too many %s', async (_, text, excess) => {
    const { owner, tasks } = await paths();
    const { status, body } = await owner.rest('POST', tasks, undefined, { text });
    expect([status, body.message]).toEqual([400, `The body holds more than ${excess}.`]);
  });
});
