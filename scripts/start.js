// `npm start`: builds where a source has changed, then runs the server. With --watch, `npm run dev`.
// Runs without a shell: signals that npm passes on reach the server, and npm gets its exit code.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './build.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WINDOWS = process.platform === 'win32';
const SERVER = ['--max-semi-space-size=32', 'dist/src/main.js'];
const WATCHED = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/main.ts'];
/** In ms, how often to check whether the parent process has ended. */
const PARENT_CHECK = 500;
/** In ms after STOP_DELAY_SECONDS, when SIGKILL is sent. The server ends before, unless its event loop is blocked. */
const KILL_DELAY = 10_000;

let stopping = false;
/** @type {(signal: NodeJS.Signals) => void} */
let send = () => {};

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  send(signal);
  if (stopping) return;
  stopping = true;
  const delay = Number(process.env.STOP_DELAY_SECONDS || 1) * 1000;
  setTimeout(() => send('SIGKILL'), delay + KILL_DELAY).unref();
}

/**
 * Runs node and resolves to the exit code: 0 when a stop signal ended it. With `group` (for a build of several processes)
 * signals go to the whole process group.
 *
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function run(args, group = false) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', detached: group });
  send = (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (group && child.pid) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (stopping && signal !== 'SIGKILL' ? 0 : 137)));
  });
}

async function start() {
  const watching = process.argv.includes('--watch');
  const build = ['scripts/build.js', ...(watching ? ['--generate'] : [])];
  const failed = !watching && isBuilt() ? 0 : await run(build, !WINDOWS);
  if (stopping) return 0;
  return failed || run(watching ? WATCHED : SERVER);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// npm may run this in a shell that does not pass signals on: stop when the parent process ends.
const parent = process.ppid;
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_CHECK).unref();

process.exit(await start());
