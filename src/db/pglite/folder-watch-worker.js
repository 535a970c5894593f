import { accessSync, constants, statfsSync, statSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** @type {{ folder: string, beats: Int32Array }} */
const { folder, beats } = workerData;

const CHECK = 1_000;
/** Checks in a row that find the folder gone: a network file system may lose sight of it for a moment. */
const GONE = 2;
/** Checks in a row without a beat of the main thread. They are counted here, so that a suspended machine counts none. */
const STUCK = 10;

const opened = statSync(folder);
let beat = 0;
let gone = 0;
let stuck = 0;

/** @returns {string | undefined} */
function replaced() {
  try {
    const { dev, ino } = statSync(folder);
    return dev === opened.dev && ino === opened.ino ? undefined : 'was replaced';
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'was removed' : undefined;
  }
}

/** @returns {string | undefined} */
function unwritable() {
  try {
    accessSync(folder, constants.W_OK);
    return statfsSync(folder).bavail === 0 ? 'is on a full disk' : undefined;
  } catch (error) {
    return `cannot be written (${/** @type {NodeJS.ErrnoException} */ (error).code})`;
  }
}

/** @param {string} fault */
function kill(fault) {
  try {
    writeSync(2, `The folder of the embedded database, ${folder}, ${fault}: the process is killed.\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

setInterval(() => {
  const missing = replaced();
  gone = missing ? gone + 1 : 0;
  if (missing && gone >= GONE) kill(missing);
  const now = Atomics.load(beats, 0);
  stuck = now === beat ? stuck + 1 : 0;
  beat = now;
  const fault = stuck >= STUCK ? unwritable() : undefined;
  if (fault) kill(`${fault}, and the database does not come back`);
}, CHECK);
