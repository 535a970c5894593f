import pg from 'pg';
import { Client } from './pg-client.ts';

/** Milliseconds. Time is counted in these, so that a process that was held up itself does not blame the database. */
const TICK = 100;

/** Ticks in which nothing that was asked is answered, before the database is asked whether it is there at all. */
const QUIET = 4;

/** Ticks that it has for that. */
const PATIENCE = 9;

export interface WatchedPool {
  pool: pg.Pool;
  /** Has a connection from elsewhere broken off as well, when the database is found not to answer. */
  watch(client: pg.Client): void;
  close(): Promise<void>;
}

/**
 * A pool that notices when the database holds what it is asked (a network that lost its way, a machine that stands still):
 * then it breaks its connections off, so that nobody waits for them, and refuses new ones until the database answers
 * again. Whether it does is asked on a connection made for that, so neither a slow statement nor a busy pool is mistaken
 * for it.
 */
export function watchedPool(options: pg.PoolConfig, onError: (error: Error) => void): WatchedPool {
  const open = new Set<pg.Client>();
  let held = false;
  let silent = 0;
  let probe: pg.Client | undefined;

  const watch = (client: pg.Client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
  };

  class Connection extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the pool calls it with a callback, which pg types in two ways
    override connect(...[callback]: any[]): any {
      // Not at once: whoever tries again without a pause must not keep the process from everything else.
      if (held) return void setImmediate(callback, notAnswering());
      watch(this);
      return super.connect(callback);
    }
  }

  const pool = new pg.Pool({ ...options, Client: Connection as never });
  pool.on('error', onError);
  // Whoever has a connection hears of its end from their statement. An event that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('release', (error) => {
    if (!error && !held) silent = 0;
  });

  async function ask(): Promise<void> {
    const asking = new pg.Client(options);
    probe = asking;
    const answered = await answers(asking);
    if (probe !== asking) return;
    probe = undefined;
    if (!answered) return;
    held = false;
    silent = 0;
  }

  function giveUp(): void {
    if (!held) onError(notAnswering());
    held = true;
    for (const client of [...open, ...(probe ? [probe] : [])]) breakOff(client);
    probe = undefined;
  }

  const ticking = setInterval(() => {
    const busy = pool.totalCount > pool.idleCount || pool.waitingCount > 0;
    silent = busy || held ? silent + 1 : 0;
    if (silent >= QUIET + PATIENCE) {
      giveUp();
      silent = QUIET;
    }
    if (silent >= QUIET && !probe) void ask();
  }, TICK).unref();

  return {
    pool,
    watch,
    async close() {
      clearInterval(ticking);
      if (probe) breakOff(probe);
      if (!pool.ended) await pool.end();
    },
  };
}

const notAnswering = () => Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' });

/** A refusal (too many connections, starting up) is an answer too: whoever asks something gets the same. */
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

/** As the pool itself does with what did not connect in time: `end` would wait for the other side. */
const breakOff = (client: pg.Client) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
