import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { blocksIn } from '../docs/blocks.ts';
import { testDatabase } from '../support/database.ts';
import { isInstalled, type ProxyName, startProxy } from '../support/servers/proxies.ts';
import { subscribe } from '../support/sse.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

const PROXIES: ProxyName[] = ['nginx', 'caddy'];
const MIB = 2 ** 20;
const LIMIT = 60_000;

/** A server behind one proxy, and its log. */
async function serve() {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  const [db, lifecycle] = [await testDatabase(), newLifecycle()];
  const [storage, log] = [await testStorage(db), openLog('info', destination as never)];
  const settings = { ...config, trustProxy: 1 };
  const app = createApp({ config: settings, db, storage, log, lifecycle });
  const { limits } = config;
  const running = await listen(app, { port: 0, host: '127.0.0.1', limits, trustProxy: 1, lifecycle });
  return { running, lines };
}

describe.each(
  PROXIES.filter(isInstalled),
)('%s with the documented configuration (where it is installed)', (proxy) => {
  let server: Awaited<ReturnType<typeof serve>>;
  let front: Awaited<ReturnType<typeof startProxy>>;
  let world: Awaited<ReturnType<typeof newWorld>>;

  beforeAll(async () => {
    [server, world] = [await serve(), await newWorld()];
    const [, block] = blocksIn(proxy, '')[0] as [string, { text: string }];
    front = await startProxy(proxy, block.text, `127.0.0.1:${server.running.port}`);
  }, LIMIT);
  afterAll(async () => {
    await front?.stop();
    await server?.running.close(() => 0);
  });

  const bearer = () => ({ authorization: `Bearer ${world.owner.key}`, 'content-type': 'application/json' });

  it('passes the address of the client on, whatever the client has claimed', async () => {
    const headers = { ...bearer(), 'x-forwarded-for': '203.0.113.9' };
    const { status } = await fetch(`${front.url}/api/v1/organizations`, { headers });
    expect(status).toBe(200);
    await expect.poll(() => server.lines.at(-1)).toMatchObject({ route: '/api/v1/organizations' });
    expect(server.lines.at(-1)?.address).toBe('127.0.0.1');
  });

  it(
    'passes a large upload on while it arrives',
    async () => {
      const { organization, project } = world;
      const path = `/api/v1/organizations/${organization.id}/projects/${project.id}/documentUploads`;
      const reserved = await fetch(front.url + path, { headers: bearer() });
      const { SignedUrl } = (await reserved.json()) as { SignedUrl: string };
      const bytes = randomBytes(24 * MIB);
      const upload = request(new URL(new URL(SignedUrl).pathname, front.url), {
        method: 'PUT',
        headers: { 'content-length': bytes.length },
      });
      upload.write(bytes.subarray(0, 8 * MIB));
      const { store } = await testStorage(await testDatabase());
      const blobs = await (await testDatabase()).prisma.upload.findMany({
        where: { organizationId: organization.id },
      });
      const stored = async () => (await store.stat(blobs.at(-1)?.blobId as string))?.size ?? 0;
      await expect.poll(stored, { timeout: 20_000 }).toBeGreaterThan(0);
      const status = new Promise((resolve, reject) => {
        upload.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      });
      upload.end(bytes.subarray(8 * MIB));
      expect(await status).toBe(200);
      expect(await stored()).toBe(bytes.length);
    },
    LIMIT,
  );

  it(
    'passes each event on at once',
    async () => {
      const events = await subscribe(
        front.url,
        world.owner.key,
        'subscription ($id: ID!) { eventAppended(organizationId: $id) { kind } }',
        { id: world.organization.id },
      );
      expect(events.status).toBe(200);
      await createTasks(await world.owner.context(), {
        projectId: world.project.id,
        tasks: [{ name: 'Behind a proxy' }],
      });
      expect((await events.next())?.json).toMatchObject({
        data: { eventAppended: { kind: 'task.created' } },
      });
      events.cut();
    },
    LIMIT,
  );
});

it('needs nginx and caddy for all of its tests', () => {
  const missing = PROXIES.filter((proxy) => !isInstalled(proxy));
  if (missing.length > 0) console.log(`Not tried, as they are not installed: ${missing.join(', ')}`);
  expect(PROXIES).toHaveLength(2);
});
