import { Worker } from 'node:worker_threads';

/** Kills the process `ms` after the call from a thread of its own, so that nothing the main thread does can prevent it. */
export function endWithin(ms: number): void {
  new Worker(new URL('./stop-worker.js', import.meta.url), { workerData: ms, env: {}, execArgv: [] }).unref();
}

/**
 * Calls `stop` at the first SIGTERM or SIGINT. Those after it change nothing: at a terminal each arrives several times,
 * as the shell and npm both send it.
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
