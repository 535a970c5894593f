import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formLink } from '../../../src/domain/forms/form.ts';
import { listen } from '../../../src/http/listen.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { type Snapshot, takeSnapshot } from '../../matrix/snapshot.ts';
import { newDatabase } from '../../support/database.ts';
import { checkAnswer } from '../../support/description.ts';
import { newMember, testApp } from '../../support/world.ts';
import { newRestWorld } from '../fixture.ts';
import type { Call, Ids } from './call.ts';
import { READ_CALLS } from './read-calls.ts';
import { UNSERVED_CALLS } from './unserved-calls.ts';
import { WRITE_CALLS } from './write-calls.ts';

/** How a client writes its requests. Both expect 200 and nothing else. */
const CLIENTS = {
  /** Sends a content type with every request. */
  strict: {
    headers: { 'content-type': 'application/json;charset=UTF-8', pragma: 'no-cache' },
    query: (text: string) => text,
  },
  /** Writes booleans as `True`, and announces a coding that it cannot decode. */
  lenient: {
    headers: { 'accept-encoding': 'gzip, deflate, br' },
    query: (text: string) =>
      text.replace(
        /=(t|f)(rue|alse)\b/g,
        (_, first: string, rest: string) => `=${first.toUpperCase()}${rest}`,
      ),
  },
};
type Client = keyof typeof CLIENTS;

async function setUp() {
  const db = await newDatabase();
  const world = await newRestWorld(db);
  const { owner, organization, params, bodies } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const form = await db.prisma.formTemplate.findFirstOrThrow({
    where: { id: params.formTemplateId as string },
  });
  const idIn = (body: unknown) => (body as { IDs: string[] }).IDs[0] as string;
  const ids: Ids = {
    ...params,
    memberEmail: member.email,
    uploadId: world.uploadId,
    recycledId: world.recycled.id,
    emptyFolderId: idIn(bodies.deleteDocumentFolders),
    apiKeyId: idIn(bodies.deleteApiKeys),
    signingFieldId: (bodies.signDocument as { DocumentSignatureFormFieldID: string }[])[0]
      ?.DocumentSignatureFormFieldID as string,
    formSecret: formLink(await owner.context(), form as never) ?? '',
  };
  const { port, close } = await listen(await testApp(db), { port: 0, host: '127.0.0.1' });
  return { ...world, ids, base: `http://127.0.0.1:${port}/api/v1`, closeServer: close };
}

let world: Awaited<ReturnType<typeof setUp>>;
let snapshot: Snapshot;
beforeAll(async () => {
  world = await setUp();
  snapshot = await takeSnapshot(world.db);
});
afterAll(async () => {
  await world.closeServer();
  await world.db.close();
});

const withPrefixes = (path: string) =>
  path.replace('~', '@/projects/{projectId}').replace('@', '/organizations/{organizationId}');

const fill = (text: string) =>
  text.replace(/\{(\w+)\}|%7B(\w+)%7D/g, (_, a, b) => world.ids[a ?? b] as string);

async function send(method: string, path: string, client: Client, body?: unknown) {
  const answer = await fetch(`${world.base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.owner.key}`,
      accept: 'application/json, text/plain, */*',
      ...CLIENTS[client].headers,
      ...(body !== undefined && {
        'content-type': typeof body === 'string' ? 'text/plain' : 'application/json;charset=UTF-8',
      }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  return { answer, type, body: type === 'application/json' ? JSON.parse(text) : text };
}

/** The body of a call: what it writes, in the record that the client has read before. */
async function bodyOf({ path, echo, body }: Call, client: Client): Promise<unknown> {
  const change = body?.(world.ids);
  if (!echo) return change;
  const from = fill(withPrefixes(echo === true ? path : echo));
  const record = (await send('GET', from, client)).body;
  return Array.isArray(change) ? [{ ...record, ...change[0] }] : { ...record, ...(change as object) };
}

/** Sends a call, and checks that what it answers is described. */
async function replay(each: Call, client: Client) {
  const path = fill(withPrefixes(each.path));
  const query = each.query ? `?${CLIENTS[client].query(fill(each.query))}` : '';
  const { answer, type, body } = await send(each.method, path + query, client, await bodyOf(each, client));
  checkAnswer(each.method, path, { status: answer.status, type, body });
  return { status: answer.status, message: body?.message, coding: answer.headers.get('content-encoding') };
}

const served = [...READ_CALLS, ...WRITE_CALLS];

describe.each(Object.keys(CLIENTS) as Client[])('the calls of the %s client', (client) => {
  it.each(served)('$method $path?$query answers 200, without brotli', async (each) => {
    const { status, message, coding } = await replay(each, client);
    await snapshot.restore();
    expect([status, message, coding === 'br']).toEqual([200, undefined, false]);
  });

  it.each(UNSERVED_CALLS)('$method $path answers 404: $notServed', async (each) => {
    const { status, message } = await replay(each, client);
    expect([status, typeof message]).toEqual([404, 'string']);
  });
});

describe('the table of calls', () => {
  it('has every route of REST v1', () => {
    const called = new Set(
      served.map(({ method, path }) => `${method} ${withPrefixes(path).replace('/ViewType', '/{}')}`),
    );
    const generic = (text: string) => text.replace(/\{\w*\}|:\w+/g, '{}');
    const shapes = new Set([...called].map(generic));
    const ownAdditions = [
      'getDocument',
      'getDocumentEvidence',
      'saveDocumentSubscription',
      'exportFormSubmissions',
    ];
    const describedByTheVendor = ['getProjectSettings', 'listGroups', 'listRecentlyAccessedDocuments'];
    const known = [...ownAdditions, ...describedByTheVendor];
    const uncalled = restRoutes
      .filter(({ method, path }) => !shapes.has(`${method} ${generic(path)}`))
      .map(({ id }) => id);
    expect(uncalled.filter((id) => !known.includes(id))).toEqual([]);
  });

  it('has a reason in the documentation for each call that is not served', async () => {
    const text = await readFile('docs/rest.md', 'utf8');
    expect(UNSERVED_CALLS.filter(({ notServed }) => !text.includes(notServed as string))).toEqual([]);
  });
});
