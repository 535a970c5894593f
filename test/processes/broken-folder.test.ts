import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort, type ServerProcess, start } from '../support/servers/processes.ts';

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

/** A server whose database has something in it already, as making the demo takes long. */
async function serve() {
  await newDataFolder(folder);
  server = await start(await freePort(), { DATA_DIR: folder, DATABASE_URL: '' });
  return server;
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
      const server = await serve();
      const readiness = () => fetch(`${server.url}/readyz`).then(({ status }) => status);
      await expect.poll(readiness).toBe(200);
      rmSync(folder, { recursive: true, force: true });
      await expect.poll(() => ended(server)).toBe(true);
      expect(server.output()).toMatch(/The folder of the embedded database, .*, was removed/);
    },
    LIMIT,
  );

  it(
    'ends when another folder has taken the place of its own',
    async () => {
      const server = await serve();
      renameSync(folder, join(parent, 'elsewhere'));
      mkdirSync(join(folder, 'pg'), { recursive: true });
      await expect.poll(() => ended(server)).toBe(true);
      expect(server.output()).toMatch(/The folder of the embedded database, .*, was replaced/);
    },
    LIMIT,
  );
});

const mounts = spawnSync('mount', ['-V']).status === 0 && process.getuid?.() === 0;

describe.skipIf(!mounts)('a process whose disk is full (needs the right to mount a tmpfs)', () => {
  it(
    'ends with 1 and the reason, and has what it acknowledged when there is room',
    async () => {
      mkdirSync(folder, { recursive: true });
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', folder]);
      const pg = join(folder, 'pg');
      await (await openPglite({ folder: pg })).close();
      const program = ['--import', 'tsx', 'test/support/servers/pglite-fill.ts', pg];
      const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
      expect(status).toBe(1);
      expect(stderr).toMatch(/cannot continue: could not write to file .*No space left on device\n$/);
      const acknowledged = stdout.match(/acknowledged/g)?.length ?? 0;
      expect(acknowledged).toBeGreaterThan(0);
      spawnSync('mount', ['-o', 'remount,size=240m', folder]);
      const db = await openPglite({ folder: pg });
      const { rows } = await db.execute('SELECT count(*)::int FROM filled', []);
      await db.close();
      expect(rows[0]?.count).toBeGreaterThanOrEqual(acknowledged);
    },
    LIMIT,
  );
});
