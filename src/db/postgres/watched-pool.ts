import pg from 'pg';
import { Client, destroySocket, receivedBytes } from './pg-client.ts';

/** Milliseconds. Silence is counted in ticks, so that a stall of this process is not taken for one of the database. */
const TICK = 100;

/** Ticks without a byte from the database while statements run, after which it is probed. */
const SILENT_TICKS = 4;

/** Further ticks that the probe may take. */
const PROBE_TICKS = 9;

/**
 * A pool that detects a database that no longer answers (a broken network, a machine that hangs). It then closes all
 * connections, so that callers do not wait, and refuses new ones until the database answers again. It is probed on a
 * connection of its own, so neither a slow statement nor a busy pool is mistaken for an outage, and on an idle one of the
 * pool, as a busy server takes long for new ones. Each byte on any connection counts as an answer.
 */
export class WatchedPool {
  readonly pool: pg.Pool;
  readonly #options: pg.PoolConfig;
  readonly #onError: (error: Error) => void;
  readonly #open = new Set<pg.Client>();
  readonly #timer: NodeJS.Timeout;
  #unreachable = false;
  #silentTicks = 0;
  /** Bytes received on all connections, as of the last tick. */
  #received = 0;
  #probe: pg.Client | undefined;

  constructor(options: pg.PoolConfig, onError: (error: Error) => void) {
    this.#options = options;
    this.#onError = onError;
    this.pool = this.#createPool();
    this.#timer = setInterval(() => this.#tick(), TICK).unref();
  }

  #createPool(): pg.Pool {
    const connect = (client: pg.Client) => this.#mayConnect(client);
    class Connection extends Client {
      // biome-ignore lint/suspicious/noExplicitAny: the pool calls it with a callback, which pg types in two ways
      override connect(...[callback]: any[]): any {
        // Not synchronously: a caller that retries without a pause must not block the event loop.
        return connect(this) ? super.connect(callback) : void setImmediate(callback, notAnswering());
      }
    }
    const pool = new pg.Pool({ ...this.#options, Client: Connection as never });
    pool.on('error', this.#onError);
    // Callers learn of a closed connection from their statements. An error event without a listener ends the process.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  #mayConnect(client: pg.Client): boolean {
    if (!this.#unreachable) this.watch(client);
    return !this.#unreachable;
  }

  /** Includes a connection, also one from outside the pool, in those that are closed when the database does not answer. */
  watch(client: pg.Client): void {
    this.#open.add(client);
    client.once('end', () => this.#open.delete(client));
  }

  #tick(): void {
    const busy = this.pool.totalCount > this.pool.idleCount || this.pool.waitingCount > 0;
    const silent = !this.#receivedMore() && (busy || this.#unreachable);
    this.#silentTicks = silent ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks >= SILENT_TICKS + PROBE_TICKS) {
      this.#closeConnections();
      this.#silentTicks = SILENT_TICKS;
    }
    if (this.#silentTicks === SILENT_TICKS) this.#probeIdle();
    if (this.#silentTicks >= SILENT_TICKS && !this.#probe) void this.#startProbe();
  }

  /** A busy server answers an open connection long before it starts another one. */
  #probeIdle(): void {
    if (this.pool.idleCount > 0) this.pool.query('SELECT 1').catch(() => {});
  }

  /** Whether any byte came since the last tick. */
  #receivedMore(): boolean {
    const before = this.#received;
    this.#received = 0;
    for (const client of this.#connections()) this.#received += receivedBytes(client);
    return this.#received > before;
  }

  #connections(): pg.Client[] {
    return this.#probe ? [...this.#open, this.#probe] : [...this.#open];
  }

  async #startProbe(): Promise<void> {
    const probe = new pg.Client(this.#options);
    this.#probe = probe;
    const answered = await answers(probe);
    if (this.#probe !== probe) return;
    this.#probe = undefined;
    if (!answered) return;
    this.#unreachable = false;
    this.#silentTicks = 0;
  }

  #closeConnections(): void {
    if (!this.#unreachable) this.#onError(notAnswering());
    this.#unreachable = true;
    for (const client of this.#connections()) destroySocket(client);
    this.#probe = undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#probe) destroySocket(this.#probe);
    if (!this.pool.ended) await this.pool.end();
  }
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
