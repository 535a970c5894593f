import { accessSync, constants, statfsSync, statSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** @type {{ folder: string, heartbeats: Int32Array }} */
const { folder, heartbeats } = workerData;

const CHECK = 1_000;
/** Consecutive checks without the folder: on a network file system it may be missing for a moment. */
const MISSING_CHECKS = 2;
/** Consecutive checks without a heartbeat of the main thread. Counted here, so that a suspended machine adds none. */
const BLOCKED_CHECKS = 10;

const opened = statSync(folder);
let lastHeartbeat = 0;
let missingChecks = 0;
let blockedChecks = 0;

/** @returns {string | undefined} */
function missingReason() {
  try {
    const { dev, ino } = statSync(folder);
    return dev === opened.dev && ino === opened.ino ? undefined : 'was replaced';
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'was removed' : undefined;
  }
}

/** @returns {string | undefined} */
function unwritableReason() {
  try {
    accessSync(folder, constants.W_OK);
    return statfsSync(folder).bavail === 0 ? 'is on a full disk' : undefined;
  } catch (error) {
    return `cannot be written (${/** @type {NodeJS.ErrnoException} */ (error).code})`;
  }
}

/** @param {string} reason */
function kill(reason) {
  try {
    writeSync(2, `The folder of the embedded database, ${folder}, ${reason}: the process is killed.\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

setInterval(() => {
  const missing = missingReason();
  missingChecks = missing ? missingChecks + 1 : 0;
  if (missing && missingChecks >= MISSING_CHECKS) kill(missing);
  const heartbeat = Atomics.load(heartbeats, 0);
  blockedChecks = heartbeat === lastHeartbeat ? blockedChecks + 1 : 0;
  lastHeartbeat = heartbeat;
  const unwritable = blockedChecks >= BLOCKED_CHECKS ? unwritableReason() : undefined;
  if (unwritable) kill(`${unwritable}, and the database does not answer`);
}, CHECK);
