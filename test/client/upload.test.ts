import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConnectionError,
  createClient,
  type UploadInput,
  type UploadProgress,
  type UploadSession,
} from '../../packages/client/src/index.ts';
import { fileSource } from '../../packages/client/src/node.ts';
import { clientServer } from './client-server.ts';

const MIB = 2 ** 20;
const bytes = randomBytes(5 * MIB + 123);
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

let server: Awaited<ReturnType<typeof clientServer>>;
let folder: string;
let path: string;
beforeAll(async () => {
  server = await clientServer();
  folder = await mkdtemp(join(tmpdir(), 'docgraph-client-'));
  path = join(folder, 'survey.bin');
  await writeFile(path, bytes);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const REVISION = 'query ($id: ID!) { document(id: $id) { currentRevision { number sha256 size } } }';
const revisionOf = async (id: string) =>
  (await server.client.request<{ document: { currentRevision: object } }>(REVISION, { id })).document
    .currentRevision;

async function* inParts(content: Uint8Array, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

describe('an upload', () => {
  it('is refused for its name before a byte is read', async () => {
    const { client, project } = server;
    let read = 0;
    async function* source() {
      read++;
      yield new Uint8Array(10);
    }
    const uploading = client.upload(source(), { projectId: project.id, name: 'zero\u200bwidth.txt' });
    await expect(uploading).rejects.toThrow(/names\.0: must not contain .*U\+200B/);
    expect(read).toBe(0);
  });

  it.each<[string, () => UploadInput | Promise<UploadInput>]>([
    ['bytes', () => bytes],
    ['a buffer', () => new Uint8Array(bytes).buffer],
    ['a file of a browser', () => new File([bytes], 'survey.bin')],
    ['a web stream', () => new Blob([bytes]).stream()],
    ['a stream of Node', () => createReadStream(path)],
    ['an iterable of odd parts', () => inParts(bytes, 700_001)],
    ['a path', () => fileSource(path)],
  ])('makes a document of %s', async (_, open) => {
    const document = await server.client.upload(await open(), {
      projectId: server.project.id,
      name: 'survey.bin',
      sha256: sha256(bytes),
      tags: ['survey'],
    });
    expect(document).toMatchObject({ name: 'survey.bin', size: bytes.length });
    expect(await revisionOf(document.id)).toMatchObject({ number: 1, sha256: sha256(bytes) });
  });

  it.each([
    ['bytes', () => new Uint8Array()],
    ['a stream', () => inParts(new Uint8Array(), 1)],
  ])('may be empty: %s', async (_, open) => {
    const document = await server.client.upload(open(), { projectId: server.project.id, name: 'empty.txt' });
    expect(document.size).toBe(0);
  });

  it('may end a stream exactly at the end of a chunk', async () => {
    const content = randomBytes(MIB);
    const options = { projectId: server.project.id, name: 'even.bin' };
    const document = await server.client.upload(inParts(content, MIB / 4), options);
    expect(await revisionOf(document.id)).toMatchObject({ sha256: sha256(content), size: MIB });
  });

  it('becomes the next revision of a document', async () => {
    const { projectId, documentId } = await newDocument();
    const next = await server.client.upload(new Blob(['second']), { projectId, documentId, name: 'a.txt' });
    expect(next.id).toBe(documentId);
    expect(await revisionOf(documentId)).toMatchObject({ number: 2, sha256: sha256(Buffer.from('second')) });
  });

  it('takes its name from the file', async () => {
    const file = new File(['x'], 'plan.txt');
    expect(await server.client.upload(file, { projectId: server.project.id })).toMatchObject({
      name: 'plan.txt',
    });
    await expect(server.client.upload(bytes, { projectId: server.project.id })).rejects.toThrow(
      'has to have a name',
    );
  });
});

async function newDocument() {
  const projectId = server.project.id;
  const { id: documentId } = await server.client.upload(new Blob(['first']), { projectId, name: 'a.txt' });
  return { projectId, documentId };
}

describe('after a cut connection in the middle', () => {
  it.each<[string, () => UploadInput | Promise<UploadInput>]>([
    ['a file', () => new File([bytes], 'survey.bin')],
    ['a stream', () => createReadStream(path)],
  ])('the upload of %s continues after what the server has', async (_, open) => {
    const progress: UploadProgress[] = [];
    const starts: number[] = [];
    const observing: typeof fetch = (input, init) => {
      const range = new Headers(init?.headers).get('content-range');
      const start = /^bytes (\d+)-/.exec(range ?? '')?.[1];
      if (start) starts.push(Number(start));
      const sent = fetch(input, init);
      // While the second chunk is on its way.
      if (starts.length === 2 && start) setTimeout(() => server.cut(), 0);
      return sent;
    };
    const client = createClient({
      url: server.url,
      token: server.owner.key,
      fetch: observing,
      retry: { firstPause: 5 },
    });
    const document = await client.upload(await open(), {
      projectId: server.project.id,
      name: 'survey.bin',
      onProgress: (each) => progress.push(each),
    });
    expect(await revisionOf(document.id)).toMatchObject({ sha256: sha256(bytes) });
    expect(progress.some(({ waiting }) => waiting)).toBe(true);
    expect(starts.filter((start) => start === 0)).toHaveLength(1);
    const sent = progress.map((each) => each.sent);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ sent: bytes.length, total: bytes.length, waiting: false });
  });

  it('it waits until the network is there again, also when the server was restarted meanwhile', async () => {
    const client = createClient({
      url: server.url,
      token: server.owner.key,
      retry: { firstPause: 20, longestPause: 50 },
    });
    let waits = 0;
    const document = await client.upload(bytes, {
      projectId: server.project.id,
      name: 'outage.bin',
      onProgress({ sent, waiting }) {
        if (sent > 0 && waits === 0) server.network('refuse');
        if (waiting && ++waits === 1) void server.stop().then(server.start);
        if (waiting && waits === 4) server.network('pass');
      },
    });
    expect(waits).toBeGreaterThanOrEqual(4);
    expect(await revisionOf(document.id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('it fails after the time without progress that the caller has patience for', async () => {
    const client = createClient({
      url: server.url,
      token: server.owner.key,
      retry: { firstPause: 5, longestPause: 10 },
    });
    const upload = client.upload(bytes, {
      projectId: server.project.id,
      name: 'late.bin',
      patience: 50,
      onProgress: () => server.network('refuse'),
    });
    await expect(upload).rejects.toBeInstanceOf(ConnectionError);
    server.network('pass');
  });

  it('another process continues with the session', async () => {
    const sessions: UploadSession[] = [];
    const controller = new AbortController();
    const options = { projectId: server.project.id, name: 'handover.bin' };
    const first = server.client.upload(bytes, {
      ...options,
      signal: controller.signal,
      onSession: (session) => sessions.push(session),
      onProgress: () => controller.abort(new Error('the page was closed')),
    });
    await expect(first).rejects.toThrow('the page was closed');
    const [session] = JSON.parse(JSON.stringify(sessions)) as UploadSession[];
    const sent: number[] = [];
    const document = await server.client.upload(bytes, {
      ...options,
      session,
      onProgress: (each) => sent.push(each.sent),
    });
    expect(sent[0]).toBe(MIB);
    expect(await revisionOf(document.id)).toMatchObject({ sha256: sha256(bytes) });
  });
});

describe('a server that makes no progress', () => {
  const options = () => ({ projectId: server.project.id, name: 'stuck.bin' });
  const isChunk = (init?: RequestInit) => new Headers(init?.headers).has('content-range');
  const isStart = (init?: RequestInit) => new Headers(init?.headers).has('x-goog-resumable');
  const clientWith = (answer: typeof fetch, timeout?: number) =>
    createClient({
      ...{ url: server.url, token: server.owner.key, fetch: answer, timeout },
      retry: { attempts: 2, firstPause: 5, longestPause: 10 },
    });

  it('is asked again a few times, with pauses, before the upload fails', async () => {
    const chunks: (string | null)[] = [];
    const client = clientWith(async (input, init) => {
      if (!isChunk(init)) return fetch(input, init);
      chunks.push(new Headers(init?.headers).get('content-range'));
      return new Response(null, { status: 308 });
    });
    const waits: UploadProgress[] = [];
    const upload = client.upload(bytes, {
      ...options(),
      onProgress: (each) => each.waiting && waits.push(each),
    });
    await expect(upload).rejects.toThrow('stores nothing of what is sent');
    expect(chunks.filter((range) => range?.startsWith('bytes 0-'))).toHaveLength(5);
    expect(waits).toHaveLength(4);
  });

  it('may answer without progress once: the upload goes on', async () => {
    let isFirst = true;
    const client = clientWith(async (input, init) => {
      if (!isChunk(init) || !isFirst) return fetch(input, init);
      isFirst = false;
      return new Response(null, { status: 308 });
    });
    const document = await client.upload(bytes, options());
    expect(await revisionOf(document.id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('has to answer within the timeout when the session is started', async () => {
    let starts = 0;
    const client = clientWith((input, init) => {
      if (!isStart(init)) return fetch(input, init);
      starts++;
      const { signal } = init ?? {};
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }, 1_000);
    await expect(client.upload(bytes, options())).rejects.toThrow('did not answer in time');
    expect(starts).toBe(2);
  });
});

describe('a refused upload', () => {
  it('fails with what the server says, and is not repeated', async () => {
    const options = { projectId: 'prj_none', name: 'a.txt' };
    await expect(server.client.upload(bytes, options)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('fails where other bytes arrived than the caller announced', async () => {
    const options = { projectId: server.project.id, name: 'a.txt', sha256: sha256(Buffer.from('others')) };
    await expect(server.client.upload(new Blob(['these']), options)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });
});
