import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './processes.ts';

export type ProxyName = 'nginx' | 'caddy';

const VERSION_COMMANDS = { nginx: ['-v'], caddy: ['version'] };

export const isInstalled = (proxy: ProxyName): boolean =>
  spawnSync(proxy, VERSION_COMMANDS[proxy]).status === 0;

/** The documented block with a port of its own instead of TLS, before the server at `upstream`. */
const configurations = {
  nginx: (block: string, port: number, upstream: string, folder: string) => `
    daemon off; pid ${folder}/pid; error_log stderr error;
    events {}
    http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      ${block.replace('listen 443 ssl', `listen 127.0.0.1:${port}`).replace('127.0.0.1:4000', upstream)} }`,
  caddy: (block: string, port: number, upstream: string) =>
    `{\n admin off\n auto_https off\n}\n${block
      .replace('docs.example.com', `http://127.0.0.1:${port}`)
      .replace('127.0.0.1:4000', upstream)}`,
};

/** Starts the proxy with this block of docs/deployment.md. */
export async function startProxy(proxy: ProxyName, block: string, upstream: string) {
  const folder = mkdtempSync(join(tmpdir(), `docgraph-${proxy}-`));
  const [port, file] = [await freePort(), join(folder, 'configuration')];
  writeFileSync(file, configurations[proxy](block, port, upstream, folder));
  const args = proxy === 'nginx' ? ['-c', file] : ['run', '--adapter', 'caddyfile', '--config', file];
  const child = spawn(proxy, args, { env: { ...process.env, HOME: folder } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${proxy} ended: ${output}`);
    await sleep(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });
