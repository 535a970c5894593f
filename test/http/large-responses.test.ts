import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { newApp, ORIGIN } from '../support/browser.ts';
import { newWorld } from '../support/world.ts';

const COUNT = 40;
const text = (index: number) => `${index} "é" `.repeat(1_000);

/** A project with 40 tasks of some 10 kB of text: 400 kB in a list, and more in lists of lists. */
async function setUp() {
  const { db, owner, project, organization } = await newWorld();
  const app = await newApp(db);
  await createTasks(await owner.context(), {
    projectId: project.id,
    tasks: Array.from({ length: COUNT }, (_, index) => ({ name: `T${index}`, description: text(index) })),
  });
  const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    app.request(ORIGIN + path, { ...init, headers: { authorization: `Bearer ${owner.key}`, ...headers } });
  const query = `{ project(id: "${project.id}") { tasks(first: 5) { nodes { name project { tasks(first: ${COUNT}) { nodes { description } } } } } } }`;
  const ask = (headers = {}, asked = query) =>
    send(
      '/graphql',
      { 'content-type': 'application/json', ...headers },
      { method: 'POST', body: JSON.stringify({ query: asked }) },
    );
  const tasks = `/api/v1/organizations/${organization.id}/projects/${project.id}/tasks`;
  return { ask, db, projectId: project.id, query, send, tasks };
}

/** Checks the whole of a result, which is too long for a message. */
function isWhole(json: string): boolean {
  const { data, errors } = JSON.parse(json);
  const { nodes } = data.project.tasks;
  const texts = nodes.map((node: { project: { tasks: { nodes: { description: string }[] } } }) =>
    node.project.tasks.nodes
      .map(({ description }) => description)
      .sort()
      .join('|'),
  );
  const expected = Array.from({ length: COUNT }, (_, index) => text(index))
    .sort()
    .join('|');
  return !errors && texts.length === 5 && texts.every((each: string) => each === expected);
}

describe('a large result of GraphQL', () => {
  it('is sent in pieces and whole, for a new document and for one that is known', async () => {
    const { ask } = await setUp();
    for (const _ of ['new', 'known']) {
      const response = await ask();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
      expect(pieces.length).toBeGreaterThan(10);
      expect(isWhole(Buffer.concat(pieces).toString())).toBe(true);
    }
  });

  it('has the media type that Accept names, for a new document too', async () => {
    const { ask, query } = await setUp();
    const accepted = [
      'application/graphql-response+json',
      'text/html, application/json;q=0.9',
      'text/html, */*;q=0.1',
    ];
    for (const [index, accept] of accepted.entries()) {
      const response = await ask({ accept }, `${query}${' '.repeat(index)}`);
      const type = accept.startsWith('application') ? accept : 'application/json';
      expect([response.headers.get('content-type'), isWhole(await response.text())]).toEqual([
        `${type}; charset=utf-8`,
        true,
      ]);
    }
  });

  it('is one event and its end for a client of server-sent events', async () => {
    const { ask } = await setUp();
    const response = await ask({ accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const [first = '', last, ...more] = (await response.text()).split('\n\n');
    expect([last, more]).toEqual(['event: complete\ndata:', ['']]);
    expect(first.startsWith('event: next\ndata: ')).toBe(true);
    expect(isWhole(first.slice('event: next\ndata: '.length))).toBe(true);
  });

  it('is compressed as it is read', async () => {
    const { ask } = await setUp();
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [coding, decode] of Object.entries(decoders)) {
      const response = await ask({ 'accept-encoding': coding });
      expect(response.headers.get('content-encoding')).toBe(coding);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([bytes.length < 200_000, isWhole(decode(bytes).toString())]).toEqual([true, true]);
    }
  });
});

describe('a large reply of REST', () => {
  it('has the same text and tag each time, and is not sent again to who has it', async () => {
    const { send, tasks } = await setUp();
    const [first, second] = [await send(tasks), await send(tasks)];
    const etag = first.headers.get('etag') as string;
    const texts = [await first.text(), await second.text()];
    expect([etag, texts[0]?.length, texts[0]]).toEqual([
      second.headers.get('etag'),
      texts[1]?.length,
      texts[1],
    ]);
    expect(JSON.parse(texts[0] as string).Tasks).toHaveLength(25);
    const again = await send(tasks, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await send(tasks, {}, { method: 'HEAD' });
    expect([head.headers.get('etag'), await head.text()]).toEqual([etag, '']);
  });

  it('is compressed with the tag of its coding', async () => {
    const { send, tasks } = await setUp();
    const plain = await send(tasks);
    const packed = await send(tasks, { 'accept-encoding': 'gzip' });
    const content = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString();
    expect(content === (await plain.text())).toBe(true);
    expect([packed.headers.get('content-encoding'), packed.headers.get('etag')]).toEqual([
      'gzip',
      plain.headers.get('etag'),
    ]);
  });

  it('to a change with an Idempotency-Key is not carried out again', async () => {
    const { db, projectId, send, tasks } = await setUp();
    const body = JSON.stringify(
      Array.from({ length: 30 }, (_, at) => ({ Name: `N${at}`, Description: text(at) })),
    );
    const post = () =>
      send(
        tasks,
        { 'content-type': 'application/json', 'idempotency-key': 'large' },
        { method: 'POST', body },
      );
    const first = await post();
    const created = JSON.parse(await first.text());
    expect([first.status, created.length]).toEqual([200, 30]);
    const again = await post();
    expect(again.status).toBe(409);
    expect(await db.prisma.task.count({ where: { projectId } })).toBe(COUNT + 30);
  });
});
