import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPglite } from '../../src/db/pglite.ts';
import { freePort, type ServerProcess, start } from '../support/processes.ts';
import { newWorld } from '../support/world.ts';

const LIMIT = 300_000;

let parent: string;
let folder: string;
let server: ServerProcess | undefined;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'docgraph-broken-'));
  folder = join(parent, 'data');
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  spawnSync('umount', [folder]);
  rmSync(parent, { recursive: true, force: true });
});

/** A server whose database has a small world already, as making the demo takes long. */
async function serve() {
  mkdirSync(folder, { recursive: true });
  const db = await openPglite({ folder: join(folder, 'pg') });
  const { organization, project, owner } = await newWorld(db);
  await db.close();
  server = await start(await freePort(), { DATA_DIR: folder, DATABASE_URL: '', STOP_DELAY_SECONDS: '0' });
  const url = `${server.url}/api/v1/organizations/${organization.id}/projects/${project.id}/folders`;
  const headers = { Authorization: `Bearer ${owner.key}` };
  let number = 0;
  const write = () =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify([{ Name: `folder ${number++}` }]) });
  return { server, write };
}

const ended = ({ pid }: ServerProcess) => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

describe('a server with an embedded database', () => {
  it(
    'ends with the reason on stderr when its folder is removed',
    async () => {
      const { server, write } = await serve();
      expect((await write()).status).toBe(200);
      rmSync(folder, { recursive: true, force: true });
      await expect.poll(() => ended(server), { timeout: 30_000 }).toBe(true);
      expect(server.output()).toMatch(/The folder of the embedded database, .*, was removed/);
    },
    LIMIT,
  );

  it(
    'ends when another folder has taken the place of its own',
    async () => {
      const { server } = await serve();
      renameSync(folder, join(parent, 'elsewhere'));
      mkdirSync(join(folder, 'pg'), { recursive: true });
      await expect.poll(() => ended(server), { timeout: 30_000 }).toBe(true);
      expect(server.output()).toMatch(/The folder of the embedded database, .*, was replaced/);
    },
    LIMIT,
  );
});

const mounts = spawnSync('mount', ['-V']).status === 0 && process.getuid?.() === 0;
if (!mounts) console.log('A full disk is not tested: it takes the right to mount one.');

describe.skipIf(!mounts)('a server whose disk is full', () => {
  it(
    'acknowledges nothing that it loses, ends with the reason, and starts again when there is room',
    async () => {
      mkdirSync(folder, { recursive: true });
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', folder]);
      const { server, write } = await serve();
      spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'fill')}`, 'bs=64k']);
      let acknowledged = 0;
      const end = Date.now() + 120_000;
      while (!ended(server) && Date.now() < end) {
        const status = await write().then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) acknowledged++;
      }
      expect(server.output()).toMatch(/cannot go on: could not write to file .*No space left on device/);
      rmSync(join(folder, 'fill'));
      const db = await openPglite({ folder: join(folder, 'pg') });
      const found = await db.prisma.folder.count({ where: { name: { startsWith: 'folder ' } } });
      await db.close();
      expect(found).toBeGreaterThanOrEqual(acknowledged);
    },
    LIMIT,
  );
});
