import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/servers/processes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const servers: Server[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docgraph-example-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Another program, which is a server that is ready. */
const ready = () => listening((_, response) => response.end('ok'));

/** `npm run example`, without npm. */
function start(env: Record<string, string>, cwd = ROOT) {
  const options = { cwd, env: { ...process.env, DATA_DIR: folder, VITE_CLIENT_ID: '', ...env } };
  const child = spawn(process.execPath, ['scripts/example.js'], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return { child, output: () => output };
}

/** A checkout with another server, in which nothing has to be built. */
function withServer(program: string) {
  for (const name of [
    'bin/launch.js',
    'scripts/example.js',
    'scripts/installed.js',
    'scripts/fingerprint.js',
  ])
    cpSync(join(ROOT, name), join(folder, name));
  for (const [name, content] of [
    ['package.json', { type: 'module' }],
    ['node_modules/.package-lock.json', {}],
    ['packages/client/package.json', { scripts: { build: 'true' } }],
    ['examples/web/package.json', { scripts: { codegen: 'true' } }],
    ['examples/web/node_modules/.package-lock.json', {}],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  writeFileSync(join(folder, 'scripts/start.js'), program);
}

/** Once it has ended, and all that it has started. */
const ended = async (child: ChildProcess) => {
  const [code, signal] = await once(child, 'close');
  return signal ?? code;
};

describe('npm run example ends with a line and an exit code', { timeout: 120_000 }, () => {
  it('where the port of the example is taken', async () => {
    const port = await ready();
    const { child, output } = start({ EXAMPLE_PORT: `${port}` });
    expect(await ended(child)).toBe(1);
    expect(output()).toMatch(
      /^Port \d+ cannot be used \(.*EADDRINUSE.*\)\. Set EXAMPLE_PORT to another\.\n$/,
    );
  });

  it('where the server ends before it is ready', async () => {
    withServer('process.exit(3)');
    const { child, output } = start(
      { EXAMPLE_PORT: `${await freePort()}`, PORT: `${await freePort()}` },
      folder,
    );
    expect(await ended(child)).toBe(1);
    expect(output()).toBe('The server has ended before it was ready (exit code 3).\n');
  });

  it('where the server does not become ready in time, and ends the server', async () => {
    withServer('setInterval(() => {}, 1_000)');
    const busy = await listening((_, response) => response.writeHead(503).end());
    const env = { EXAMPLE_PORT: `${await freePort()}`, EXAMPLE_PATIENCE_SECONDS: '0' };
    const { child, output } = start(
      { PORT: `${busy}`, PUBLIC_URL: `http://127.0.0.1:${busy}`, ...env },
      folder,
    );
    expect(await ended(child)).toBe(1);
    expect(output()).toBe(`http://127.0.0.1:${busy} is not ready after 0 seconds. Is it the server?\n`);
  });

  it('where the server that runs is not that of the folder', async () => {
    const { child, output } = start({ PORT: `${await ready()}`, EXAMPLE_PORT: `${await freePort()}` });
    expect(await ended(child)).toBe(1);
    expect(output()).toContain(`There is no ${folder}/demo.json. Set VITE_CLIENT_ID to a public client`);
  });
});

it('npm run example serves the front end, and passes a signal on', { timeout: 120_000 }, async () => {
  const port = await freePort();
  const { child } = start({ PORT: `${await ready()}`, EXAMPLE_PORT: `${port}`, VITE_CLIENT_ID: 'app_x' });
  const page = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => '',
    );
  await vi.waitUntil(page, { timeout: 100_000, interval: 200 });
  expect(await page()).toContain('<title>Pocket Archive</title>');
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  expect(await page()).toBe('');
});
