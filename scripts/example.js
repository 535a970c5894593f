// `npm run example`: the server, unless it runs already, and examples/web beside it at http://127.0.0.1:5173.
// Ends with both when one of them ends, and with a line and an exit code when one cannot start.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { ROOT } from '../bin/launch.js';
import { requireInstalled } from './installed.js';

const WEB = join(ROOT, 'examples/web');
const WINDOWS = process.platform === 'win32';
const { PORT, PUBLIC_URL, DATA_DIR, EXAMPLE_PORT = '5173', EXAMPLE_PATIENCE_SECONDS = '600' } = process.env;
const SERVER = PUBLIC_URL || `http://localhost:${PORT || 4000}`;
const VITE = [
  'node_modules/vite/bin/vite.js',
  '--strictPort',
  '--clearScreen',
  'false',
  '--port',
  EXAMPLE_PORT,
];
/** In ms, how often to check whether the server is ready, and how long it may take to say so. */
const [CHECK, ANSWER] = [500, 5_000];

/** Why the example cannot run. */
class Failure extends Error {}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let stopping = false;

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  stopping = true;
  for (const child of children) child.kill(signal);
}

/**
 * Runs a program. Resolves to its exit code once it has ended, 0 where it ended because all of this ends.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
function run(program, args, cwd, env = {}) {
  const shell = WINDOWS && program === 'npm';
  const child = spawn(program, args, { cwd, stdio: 'inherit', shell, env: { ...process.env, ...env } });
  children.add(child);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => {
      children.delete(child);
      done(stopping ? 0 : (code ?? 1));
    });
  });
}

/**
 * @param {string} folder
 * @param {string[]} args
 */
async function npm(folder, ...args) {
  const code = stopping ? 0 : await run('npm', args, folder);
  if (code) throw new Failure(`\`npm ${args.join(' ')}\` has failed in ${folder}.`);
}

/** @returns {Promise<void>} */
const requireFreePort = () =>
  new Promise((done, fail) => {
    const probe = createServer().once('error', (error) =>
      fail(
        new Failure(`Port ${EXAMPLE_PORT} cannot be used (${error.message}). Set EXAMPLE_PORT to another.`),
      ),
    );
    probe.listen({ port: Number(EXAMPLE_PORT), host: '127.0.0.1' }, () => probe.close(() => done()));
  });

const isReady = () =>
  fetch(`${SERVER}/readyz`, { signal: AbortSignal.timeout(ANSWER) }).then(
    (response) => response.ok,
    () => false,
  );

/**
 * Resolves once the server is ready. `ended` resolves when its process has ended.
 *
 * @param {Promise<number>} ended
 */
async function ready(ended) {
  let end;
  ended.then((code) => {
    end = `The server has ended before it was ready (exit code ${code}).`;
  });
  const deadline = Date.now() + Number(EXAMPLE_PATIENCE_SECONDS) * 1_000;
  while (!stopping && !(await isReady())) {
    if (end) throw new Failure(end);
    if (Date.now() > deadline)
      throw new Failure(
        `${SERVER} is not ready after ${EXAMPLE_PATIENCE_SECONDS} seconds. Is it the server?`,
      );
    await new Promise((done) => setTimeout(done, CHECK));
  }
}

/** The application that the demo workspace has for this: a public client, on any port of 127.0.0.1. */
function clientId() {
  if (process.env.VITE_CLIENT_ID) return process.env.VITE_CLIENT_ID;
  const file = join(resolve(ROOT, DATA_DIR || 'data'), 'demo.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).publicClient.client_id;
  const redirectUri = `http://127.0.0.1:${EXAMPLE_PORT}/callback`;
  throw new Failure(
    `There is no ${file}. Set VITE_CLIENT_ID to a public client with the redirect URI ${redirectUri}.`,
  );
}

/** Resolves to the exit code of what ended first. */
async function example() {
  await requireFreePort();
  const clientOfRunning = (await isReady()) ? clientId() : undefined;
  await npm(join(ROOT, 'packages/client'), 'run', '--silent', 'build');
  if (!existsSync(join(WEB, 'node_modules'))) await npm(WEB, 'ci', '--no-audit', '--no-fund');
  await npm(WEB, 'run', '--silent', 'codegen');
  /** @type {Promise<number>[]} */
  const running = [];
  if (!stopping && !clientOfRunning) {
    const server = run(process.execPath, ['scripts/start.js'], ROOT);
    running.push(server);
    await ready(server);
  }
  if (stopping) return 0;
  const env = { VITE_DOCGRAPH_URL: SERVER, VITE_CLIENT_ID: clientOfRunning ?? clientId() };
  return Promise.race([...running, run(process.execPath, VITE, WEB, env)]);
}

requireInstalled();
process.on('SIGINT', stop).on('SIGTERM', stop);
try {
  process.exitCode = await example();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  stop('SIGTERM');
}
