import pg from 'pg';
import { Client, destroySocket } from './pg-client.ts';

/** Milliseconds. Silence is counted in ticks, so that a stall of this process is not taken for one of the database. */
const TICK = 100;

/** Ticks without any answer while statements run, after which the database is probed. */
const SILENT_TICKS = 4;

/** Further ticks that the probe may take. */
const PROBE_TICKS = 9;

export interface WatchedPool {
  pool: pg.Pool;
  /** Includes a connection from outside the pool in those that are closed when the database does not answer. */
  watch(client: pg.Client): void;
  close(): Promise<void>;
}

/**
 * A pool that detects a database that no longer answers (a broken network, a machine that hangs). It then closes all
 * connections, so that callers do not wait, and refuses new ones until the database answers again. It is probed on a
 * connection of its own, so neither a slow statement nor a busy pool is mistaken for an outage.
 */
export function watchedPool(options: pg.PoolConfig, onError: (error: Error) => void): WatchedPool {
  const open = new Set<pg.Client>();
  let unreachable = false;
  let silentTicks = 0;
  let probe: pg.Client | undefined;

  const watch = (client: pg.Client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
  };

  class Connection extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the pool calls it with a callback, which pg types in two ways
    override connect(...[callback]: any[]): any {
      // Not synchronously: a caller that retries without a pause must not block the event loop.
      if (unreachable) return void setImmediate(callback, notAnswering());
      watch(this);
      return super.connect(callback);
    }
  }

  const pool = new pg.Pool({ ...options, Client: Connection as never });
  pool.on('error', onError);
  // Callers learn of a closed connection from their statements. An error event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('release', (error) => {
    if (!error && !unreachable) silentTicks = 0;
  });

  async function startProbe(): Promise<void> {
    const client = new pg.Client(options);
    probe = client;
    const answered = await answers(client);
    if (probe !== client) return;
    probe = undefined;
    if (!answered) return;
    unreachable = false;
    silentTicks = 0;
  }

  function closeConnections(): void {
    if (!unreachable) onError(notAnswering());
    unreachable = true;
    for (const client of [...open, ...(probe ? [probe] : [])]) destroySocket(client);
    probe = undefined;
  }

  const timer = setInterval(() => {
    const busy = pool.totalCount > pool.idleCount || pool.waitingCount > 0;
    silentTicks = busy || unreachable ? silentTicks + 1 : 0;
    if (silentTicks >= SILENT_TICKS + PROBE_TICKS) {
      closeConnections();
      silentTicks = SILENT_TICKS;
    }
    if (silentTicks >= SILENT_TICKS && !probe) void startProbe();
  }, TICK).unref();

  return {
    pool,
    watch,
    async close() {
      clearInterval(timer);
      if (probe) destroySocket(probe);
      if (!pool.ended) await pool.end();
    },
  };
}

const notAnswering = () => Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' });

/** A refusal (too many connections, starting up) is an answer too: every caller gets the same one. */
async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => {});
  }
}
