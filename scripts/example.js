// `npm run example`: the server, unless it runs already, and examples/web beside it at http://127.0.0.1:5173.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'examples/web');
const WINDOWS = process.platform === 'win32';
const { PORT, PUBLIC_URL, DATA_DIR, EXAMPLE_PORT = '5173' } = process.env;
const SERVER = PUBLIC_URL || `http://localhost:${PORT || 4000}`;
/** In ms, how often to check whether the server is ready. */
const CHECK = 500;

/**
 * Runs npm in a folder; ends this program when it fails.
 *
 * @param {string} folder
 * @param {string[]} args
 */
function npm(folder, ...args) {
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: WINDOWS });
  if (status !== 0) process.exit(status ?? 1);
}

const isReady = () =>
  fetch(`${SERVER}/readyz`).then(
    (response) => response.ok,
    () => false,
  );

/** The application that the demo workspace has for this: a public client, on any port of 127.0.0.1. */
function clientId() {
  const file = join(resolve(ROOT, DATA_DIR || 'data'), 'demo.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).publicClient.client_id;
  console.error(`There is no ${file}. Set VITE_CLIENT_ID to a public client with the redirect URI`);
  console.error(`http://127.0.0.1:${EXAMPLE_PORT}/callback.`);
  return process.exit(1);
}

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/**
 * Runs until it ends, which ends the others too.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function start(folder, args, env = {}) {
  const options = /** @type {const} */ ({ cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } });
  const child = spawn(process.execPath, args, options);
  children.push(child);
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0;
    for (const other of children) other.kill('SIGTERM');
  });
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });

npm(join(ROOT, 'packages/client'), 'run', '--silent', 'build');
if (!existsSync(join(WEB, 'node_modules'))) npm(WEB, 'ci', '--no-audit', '--no-fund');
npm(WEB, 'run', '--silent', 'codegen');
if (!(await isReady())) start(ROOT, ['scripts/start.js']);
while (!(await isReady())) await new Promise((done) => setTimeout(done, CHECK));
start(
  WEB,
  ['node_modules/vite/bin/vite.js', '--port', EXAMPLE_PORT, '--strictPort', '--clearScreen', 'false'],
  {
    VITE_DOCGRAPH_URL: SERVER,
    VITE_CLIENT_ID: process.env.VITE_CLIENT_ID || clientId(),
  },
);
