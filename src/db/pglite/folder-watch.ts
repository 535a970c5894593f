import { Worker } from 'node:worker_threads';
import { SECOND } from '../../lib/time.ts';

/** How often the main thread shows that it runs. The worker's patience (folder-watch-worker.js) is a multiple of it. */
const BEAT = SECOND / 2;

/**
 * Ends the process with a reason on stderr when the database's folder is gone or another, and when the folder cannot be
 * written while the main thread is stuck. A thread of its own looks: PostgreSQL's code keeps the main one, even for ever.
 * A thread that is merely busy, suspended or in a debugger is left alone. Returns what ends the watch.
 */
export function watchFolder(folder: string): () => Promise<unknown> {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT).unref();
  const worker = new Worker(new URL('./folder-watch-worker.js', import.meta.url), {
    workerData: { folder, beats },
    env: {},
    execArgv: [],
  });
  worker.on('error', () => {}); // a watch that fails does not end what it watches
  worker.unref();
  return () => {
    clearInterval(timer);
    return worker.terminate();
  };
}
