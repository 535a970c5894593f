import pg from 'pg';
import { FairSlots } from '../../lib/fair-slots.ts';
import type { Vault } from '../../lib/seal.ts';
import { type Database, DatabaseUnusable, type StatementListener } from '../database.ts';
import { applyMigrations, MIGRATIONS } from '../migrate/migrate.ts';
import { Notifications } from '../notifications.ts';
import { PLANNER_SETTINGS } from '../planner-settings.ts';
import { explainRights } from './missing-rights.ts';
import { pooledDatabase, readEnums } from './pooled-database.ts';
import { PostgresNotifications } from './postgres-notifications.ts';
import { isDatabaseUnreachable } from './unreachable.ts';
import { WatchedPool } from './watched-pool.ts';

/** Milliseconds to wait for a new connection, or for a free one of the pool. */
const CONNECT_TIMEOUT = 5_000;

/** The oldest major version on which the tests have run. */
const MIN_VERSION = 14;

/** Transactions of one tenant that may wait, and milliseconds that each may. */
const TRANSACTION_QUEUE = { waiting: 500, patience: 10_000 };

const SETTINGS = Object.entries(PLANNER_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export interface PostgresOptions {
  url: string;
  /** Connections at most. */
  pool: number;
  /** Milliseconds during which connecting to a server that is not up yet is retried; default 0. */
  connectPatience?: number;
  /** Milliseconds after which the server cancels a statement. */
  statementTimeout: number;
  keyVault?: Vault;
  onStatement?: StatementListener;
  onError?: (error: Error) => void;
}

/** Opens a pool on a PostgreSQL server and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const enums = await prepare(options.url, Date.now() + (options.connectPatience ?? 0));
  const onError = (error: Error) => options.onError?.(error);
  const watched = new WatchedPool(poolConfig(options), onError);
  const { pool } = watched;
  const transport = new PostgresNotifications(options.url, pool, {
    onConnect: (client) => watched.watch(client),
    onError,
  });
  return pooledDatabase({
    kind: 'postgres',
    pool,
    enums,
    keyVault: options.keyVault,
    onStatement: options.onStatement,
    notifications: new Notifications(transport),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    transactionSlots: transactionSlots(options.pool),
    cancels: true,
    async close() {
      await transport.close();
      await watched.close();
    },
  });
}

/** One tenant gets at most half of the connections for transactions. */
const transactionSlots = (connections: number) =>
  new FairSlots({ ...TRANSACTION_QUEUE, slots: connections, perKey: Math.ceil(connections / 2) });

const poolConfig = ({ url, pool, statementTimeout }: PostgresOptions): pg.PoolConfig => ({
  connectionString: url,
  max: pool,
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  // Longer than the server's own limit: it only takes effect if the server does not answer.
  query_timeout: statementTimeout + 500,
  keepAlive: true,
  application_name: 'docgraph',
  options: `-c TimeZone=UTC ${SETTINGS} -c statement_timeout=${statementTimeout}`,
});

/** Retries until the time `until` (ms since 1970), since the server may be started at the same time. */
async function connect(url: string, until: number): Promise<pg.Client> {
  for (let pause = 100; ; pause = Math.min(2 * pause, 2_000)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isDatabaseUnreachable(error) || Date.now() + pause > until)
        throw new DatabaseUnusable(
          `PostgreSQL at ${new URL(url).host} cannot be reached: ${reasonOf(error)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Applies migrations and returns the ids of the schema's enum types. */
async function prepare(url: string, until: number): Promise<Set<number>> {
  const client = await connect(url, until);
  try {
    await requireUsable(client);
    await applyMigrations(
      { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) },
      MIGRATIONS,
    );
    return await readEnums(client);
  } catch (error) {
    throw explainRights(error, url);
  } finally {
    await client.end();
  }
}

async function requireUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding`);
  const [{ version, encoding }] = rows as [{ version: string; encoding: string }];
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new DatabaseUnusable(
      `PostgreSQL ${version} is too old: version ${MIN_VERSION} or newer is needed.`,
    );
  if (encoding !== 'UTF8')
    throw new DatabaseUnusable(`The database is encoded in ${encoding}; UTF8 is needed.`);
}

/** An AggregateError (one error per resolved address) has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;
