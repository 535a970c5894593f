import { Hono } from 'hono';
import pino from 'pino';
import { createClient } from '../../packages/client/src/index.ts';
import type { Config } from '../../src/config/config.ts';
import { databaseClock } from '../../src/db/clock.ts';
import { signedUrlSecrets } from '../../src/domain/keys/signing-key.ts';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';
import { listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import { proxyBefore } from '../support/servers/tcp-proxy.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

const HOST = '127.0.0.1';

interface Chunk {
  /** Of its first byte; undefined for the question how much is stored. */
  start: number | undefined;
  /** How many bytes are stored, by the answer of the server. */
  stored?: number;
}

function chunkOf({ headers }: Request): Chunk | undefined {
  const start = /^bytes (?:(\d+)-\d+|\*)\//.exec(headers.get('Content-Range') ?? '');
  return start ? { start: start[1] === undefined ? undefined : Number(start[1]) } : undefined;
}

/** A world behind a listening server that can be restarted, and a network that can be cut. */
export async function clientServer(limits: Partial<Config['limits']> = {}) {
  const world = await newWorld();
  let app: Hono | undefined;
  const chunks: Chunk[] = [];
  const front = new Hono().all('*', async (call) => {
    const chunk = chunkOf(call.req.raw);
    if (chunk) chunks.push(chunk);
    const response = await (app as Hono).fetch(call.req.raw, call.env);
    const last = /-(\d+)$/.exec(response.headers.get('Range') ?? '')?.[1];
    if (chunk && last) chunk.stored = Number(last) + 1;
    return response;
  });
  let listener = await listen(front, { port: 0, host: HOST });
  const { port } = listener;
  const { proxy, url: proxied } = await proxyBefore(`http://${HOST}:${port}`);
  const url = new URL(proxied).origin;
  const signedUrls = createSignedUrls(await signedUrlSecrets(world.db), url, await databaseClock(world.db));
  const storage = { ...(await testStorage(world.db)), signedUrls };
  let stopping = new AbortController();
  const open = () => {
    const settings = { ...config, publicUrl: url, limits: { ...config.limits, ...limits } };
    const log = pino({ level: 'silent' });
    stopping = new AbortController();
    app = createApp({ config: settings, db: world.db, storage, log, stopping: stopping.signal });
  };
  open();
  const requests: Request[] = [];
  const recordingFetch: typeof fetch = (input, init) => {
    requests.push(new Request(input, { ...init, body: undefined }));
    return fetch(input, init);
  };
  return {
    ...world,
    url,
    /** Cuts what is open. */
    cut: () => proxy.cut(),
    network: (mode: 'pass' | 'hold' | 'refuse') => proxy.mode(mode),
    /** Requests of the client, without their bodies. */
    requests,
    /** Of uploads, as the server receives them. */
    chunks,
    recordingFetch,
    client: createClient({ url, token: world.owner.key, fetch: recordingFetch }),
    async stop() {
      stopping.abort();
      await listener.close();
    },
    async start() {
      open();
      listener = await listen(front, { port, host: HOST });
    },
    async close() {
      await proxy.close();
      await listener.close();
    },
  };
}
