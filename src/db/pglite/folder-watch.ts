import { Worker } from 'node:worker_threads';
import { SECOND } from '../../lib/time.ts';

/** Milliseconds between two heartbeats of the main thread; the worker's timeout (folder-watch-worker.js) is a multiple. */
const HEARTBEAT = SECOND / 2;

/**
 * Ends the process, with a reason on stderr, when the database's folder was removed or replaced, and when it cannot be
 * written while the main thread is blocked. A worker thread checks this, since PostgreSQL's code may block the main thread for
 * ever. A main thread that is busy, suspended or in a debugger does not count as blocked. Returns a function that ends the watch.
 */
export function watchFolder(folder: string): () => Promise<unknown> {
  const heartbeats = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => Atomics.add(heartbeats, 0, 1), HEARTBEAT).unref();
  const worker = new Worker(new URL('./folder-watch-worker.js', import.meta.url), {
    workerData: { folder, heartbeats },
    env: {},
    execArgv: [],
  });
  worker.on('error', () => {}); // a failure of the watch must not end the server
  worker.unref();
  return () => {
    clearInterval(timer);
    return worker.terminate();
  };
}
