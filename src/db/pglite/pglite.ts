import pg from 'pg';
import { endProcess } from '../../lib/end-process.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import type { Vault } from '../../lib/seal.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { type Database, DatabaseUnusable, type StatementListener } from '../database.ts';
import { applyMigrations, MIGRATIONS } from '../migrate/migrate.ts';
import { Notifications } from '../notifications.ts';
import { Client, prefixStatements } from '../postgres/pg-client.ts';
import { pooledDatabase, readEnums } from '../postgres/pooled-database.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { type Execute, MAINTENANCE_INTERVAL, maintainEvery } from './maintenance.ts';
import { watchEmbedded } from './watch.ts';

/**
 * Connections. They share one session, so more would not run more at once: while a transaction is open or its commit is being
 * synced, the next one and reads are there already.
 */
const CONNECTIONS = 5;

/** Transactions at a time: one runs while the commits of others are being synced. */
const TRANSACTIONS = 3;

/** Milliseconds that a transaction of a caller waits for its turn. */
const PATIENCE = 10 * SECOND;

/** Milliseconds after which the thread is started again to end a statement of a caller, or of maintenance. */
const STATEMENT_TIMEOUT = 10 * SECOND;
const MAINTENANCE_TIMEOUT = 10 * MINUTE;

/** Milliseconds to wait for a free connection: on a slow machine, several transactions may be in front. */
const CONNECT_TIMEOUT = 30 * SECOND;

export interface PgliteOptions {
  /** A folder, whose lock the caller holds (lock.ts); undefined for a database in memory. */
  folder?: string;
  /** Whether commits are synced to disk before they are acknowledged (default); otherwise they survive only the process. */
  sync?: boolean;
  /** The file of a prepared database to start from instead of an empty one (EmbeddedDatabase.dump). */
  dump?: string;
  /** Milliseconds after which the thread of a database in a folder is started again to end a statement. */
  statementTimeout?: number;
  /** The same for a statement of maintenance. */
  maintenanceTimeout?: number;
  keyVault?: Vault;
  onStatement?: StatementListener;
  /** Milliseconds between two runs of maintenance (maintenance.ts). */
  maintenanceInterval?: number;
  onError?: (error: Error) => void;
  /** Called when the database cannot continue. Must not return; by default it ends the process. */
  onBroken?: (reason: string) => void;
}

export interface EmbeddedDatabase extends Database {
  /** Runs one statement, or several without values, on a connection of its own. */
  execute: Execute;
  /** The database as a file, for PgliteOptions.dump. */
  dump(): Promise<Uint8Array>;
}

/** Opens the embedded database and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPglite(options: PgliteOptions = {}): Promise<EmbeddedDatabase> {
  const server = await openServer(options);
  const onError = (error: Error) => options.onError?.(error);
  const pool = poolOf(onError, CONNECTIONS, () => server.connect());
  const execute: Execute = (text, values) => pool.query(text, values);
  const enums = await prepare(pool);
  const { stopMaintenance, stopWatch } = await startBackground(server, onError, options);
  const database = pooledDatabase({
    kind: 'pglite',
    pool,
    enums,
    keyVault: options.keyVault,
    onStatement: options.onStatement,
    notifications: new Notifications(),
    transactionSlots: new FairSlots({ slots: TRANSACTIONS, waiting: 500, patience: PATIENCE }),
    cancels: false,
    async close() {
      if (pool.ending) return;
      await Promise.all([stopMaintenance(), pool.end()]);
      stopWatch?.();
      await server.close();
    },
  });
  return Object.assign(database, { execute, dump: () => server.dump() });
}

const nameOf = ({ folder }: PgliteOptions) => `The embedded database in ${folder ?? 'memory'}`;

async function openServer(options: PgliteOptions): Promise<EmbeddedServer> {
  const { folder, sync = true, dump, onBroken = endProcess } = options;
  try {
    return await EmbeddedServer.open({
      folder,
      sync,
      dump,
      onBroken: (reason) => onBroken(`${nameOf(options)} ${reason}`),
    });
  } catch (error) {
    throw new DatabaseUnusable(`${nameOf(options)} cannot be opened: ${(error as Error).message}`);
  }
}

function poolOf(onError: (error: Error) => void, max: number, connect: EmbeddedServer['connect']): pg.Pool {
  class EmbeddedClient extends Client {
    constructor(config?: pg.ClientConfig) {
      const stream = connect();
      super({ ...config, stream: () => stream as never });
      prefixStatements(this, stream.statementPrefix);
    }
  }
  const pool = new pg.Pool({
    Client: EmbeddedClient as never,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  pool.on('error', onError);
  // Callers learn of a closed connection from their statements. An error event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Applies migrations and returns the ids of the schema's enum types. */
async function prepare(pool: pg.Pool): Promise<Set<number>> {
  const client = await pool.connect();
  try {
    await applyMigrations(
      { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) },
      MIGRATIONS,
    );
    return await readEnums(client);
  } finally {
    client.release();
  }
}

/** Starts maintenance, on a connection of its own, and the watch of the folder. Returns what ends them. */
async function startBackground(
  server: EmbeddedServer,
  onError: (error: Error) => void,
  options: PgliteOptions,
) {
  const { folder, onBroken = endProcess } = options;
  const { statementTimeout = STATEMENT_TIMEOUT, maintenanceTimeout = MAINTENANCE_TIMEOUT } = options;
  const pool = poolOf(onError, 1, () => server.connect('maintenance'));
  const stop = maintainEvery(
    options.maintenanceInterval ?? MAINTENANCE_INTERVAL,
    (text, values) => pool.query(text, values),
    onError,
  );
  const stopMaintenance = () => stop().then(() => pool.end());
  const stopWatch =
    folder &&
    (await watchEmbedded(folder, {
      progress: () => server.progress,
      limit: () => (server.isMaintaining ? maintenanceTimeout : statementTimeout),
      onBroken: (reason) => onBroken(`The folder of the embedded database, ${folder}, ${reason}`),
      onStuck: () => server.restart('was restarted: a statement took too long'),
    }));
  return { stopMaintenance, stopWatch: stopWatch || undefined };
}
