// Runs Node programs as children: the signals that this process receives reach them, and it gets their exit code.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The compiled server, with the options of Node that suit it. */
export const SERVER = ['--max-semi-space-size=32', `${ROOT}dist/src/main.js`];

/** In ms, how often to check whether the parent process has ended. */
const PARENT_CHECK = 500;
/** In ms after STOP_DELAY_SECONDS, when SIGKILL is sent. The server ends before, unless its event loop is blocked. */
const KILL_DELAY = 10_000;

let stopping = false;
/** @type {(signal: NodeJS.Signals) => void} */
let send = () => {};

/** Whether a stop signal was received. */
export const isStopping = () => stopping;

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
 * @param {{ cwd?: string, group?: boolean }} options
 * @returns {Promise<number>}
 */
export function run(args, { cwd, group = false } = {}) {
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit', detached: group });
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

/** Passes stop signals on from now on. */
export function passSignals() {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // npm may run this in a shell that does not pass signals on: stop when the parent process ends.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_CHECK).unref();
}
