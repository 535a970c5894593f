// `npm start`: builds where a source has changed, then runs the server. With --watch, `npm run dev`.
// No shell is in between: a signal that npm passes on reaches the server, and its exit code comes back.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './build.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WINDOWS = process.platform === 'win32';
const SERVER = ['--max-semi-space-size=32', 'dist/src/main.js'];
const WATCHED = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/main.ts'];
/** In ms, how often the parent is looked at. */
const PARENT_CHECK = 500;
/** In ms, after STOP_DELAY_SECONDS. The server ends itself before, unless its thread is stuck. */
const STOP = 10_000;

let stopping = false;
/** @type {(signal: NodeJS.Signals) => void} */
let send = () => {};

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  send(signal);
  if (stopping) return;
  stopping = true;
  const delay = Number(process.env.STOP_DELAY_SECONDS || 1) * 1000;
  setTimeout(() => send('SIGKILL'), delay + STOP).unref();
}

/**
 * Runs node and resolves to the exit code, 0 where it ended by the signal of a stop. A group (a build, which consists of
 * several processes) gets each signal as a whole.
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
// A shell of npm's that stays in between passes no signal on; its end is then the signal.
const parent = process.ppid;
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_CHECK).unref();

process.exit(await start());
