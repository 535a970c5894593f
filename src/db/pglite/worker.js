// The thread of the embedded database. Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { parentPort, workerData } from 'node:worker_threads';
import { openEmbedded } from './open-pglite.js';
import { readLog } from './panic.js';
import { protocolOf } from './protocol.js';
import { Sessions } from './sessions.js';

/**
 * What embedded-server.ts passes. `settings`: SQL that is run once. `statements` is incremented when the execution of messages
 * begins and when it ends, so it is odd in between; its second number is the connection that sent the messages.
 * @typedef {{ folder?: string, sync: boolean, dump?: string, settings: string, statements: Int32Array }} WorkerOptions
 */

/**
 * @typedef {{ id: number, bytes: Uint8Array } | { closed: number, prefix: string } | { dump: true } | { close: true }} Request
 * @typedef {{ ready: true } | { failed: string } | { broken: string } | { id: number, bytes: Uint8Array }
 *   | { dump: Uint8Array } | { closed: true }} Answer
 */

const { settings, statements, ...options } = /** @type {WorkerOptions} */ (workerData);
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** @param {Answer} answer @param {ArrayBuffer[]} [transfer] */
const send = (answer, transfer) => port.postMessage(answer, transfer);

/**
 * Reports that the database cannot continue, and stops this thread for ever, so that its memory is not used further.
 * @param {string} reason
 */
function stop(reason) {
  send({ broken: reason });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const open = () =>
  openEmbedded(options, {
    onStderr: readLog((reason) => stop(`cannot continue: ${reason}`)),
    onSyncFailure: ({ message }) => stop(`cannot be synced to the disk: ${message}`),
  });

/** @param {import('./open-pglite.js').Embedded} database */
function serve({ pglite, log, close }) {
  const run = protocolOf(pglite);
  /** @param {number} id @param {Uint8Array} bytes */
  const execute = (id, bytes) => {
    Atomics.store(statements, 1, id);
    Atomics.add(statements, 0, 1);
    try {
      return run(bytes);
    } finally {
      Atomics.add(statements, 0, 1);
    }
  };
  /** @param {number} id @param {Uint8Array} bytes */
  const reply = (id, bytes) => {
    const answer = () => send({ id, bytes }, [/** @type {ArrayBuffer} */ (bytes.buffer)]);
    if (!log || log.isIdle) answer();
    else log.done().then(answer, () => {}); // a failure is reported by onSyncFailure
  };
  const sessions = new Sessions(execute, reply);
  port.on('message', async (/** @type {Request} */ request) => {
    if ('id' in request) sessions.run(request.id, request.bytes);
    else if ('closed' in request) sessions.close(request.closed, request.prefix);
    else if ('dump' in request) await dump(pglite);
    else {
      await close();
      send({ closed: true });
      port.close();
    }
  });
}

/** @param {import('@electric-sql/pglite').PGlite} pglite */
async function dump(pglite) {
  await pglite.exec('CHECKPOINT');
  const file = await pglite.dumpDataDir('none');
  send({ dump: new Uint8Array(await file.arrayBuffer()) });
}

try {
  const database = await open();
  await database.pglite.exec(settings);
  serve(database);
  send({ ready: true });
} catch (error) {
  send({ failed: /** @type {Error} */ (error).message });
}
