import { Worker } from 'node:worker_threads';
import { SECOND } from '../lib/time.ts';

/** Milliseconds after STOP_DELAY when a stopping process exits, even if requests still run … */
const EXIT_AFTER = 8.5 * SECOND;
/** … and when it is killed, if its main thread is blocked. */
const KILL_AFTER = 9.5 * SECOND;

/** Bounds how long stopping takes: `stopDelay` ms of grace, then at most ten seconds. */
export function limitStopTime(stopDelay: number): void {
  killAfter(stopDelay + KILL_AFTER);
  setTimeout(() => process.exit(1), stopDelay + EXIT_AFTER).unref();
}

/** Kills the process after `ms` from a separate thread, which a blocked main thread cannot prevent. */
function killAfter(ms: number): void {
  new Worker(new URL('./stop-worker.js', import.meta.url), { workerData: ms, env: {}, execArgv: [] }).unref();
}

/**
 * Calls `stop` at the first SIGTERM or SIGINT and ignores further ones: in a terminal each arrives several times, as the
 * shell and npm both send it.
 */
export function onStopSignal(stop: () => void): void {
  let stopping = false;
  const first = () => {
    if (stopping) return;
    stopping = true;
    stop();
  };
  process.on('SIGTERM', first);
  process.on('SIGINT', first);
}
