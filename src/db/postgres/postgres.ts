import pg from 'pg';
import { FairSlots } from '../../lib/fair-slots.ts';
import type { Vault } from '../../lib/seal.ts';
import { type Database, DatabaseUnusable, type StatementListener } from '../database.ts';
import { Jobs } from '../jobs.ts';
import { applyMigrations, MIGRATIONS } from '../migrate/migrate.ts';
import { Notifications } from '../notifications.ts';
import { PLANNER_SETTINGS } from '../planner-settings.ts';
import { PgPrisma } from './pg-prisma.ts';
import { PgReader } from './pg-reader.ts';
import { PgTransactions } from './pg-transaction.ts';
import { PostgresNotifications } from './postgres-notifications.ts';
import { isDatabaseUnreachable } from './unreachable.ts';
import { watchedPool } from './watched-pool.ts';

/** Milliseconds to wait for a connection: a new one, or one that others have. */
const CONNECT = 5_000;

/** The oldest major version the suite has run on. */
const OLDEST = 14;

/** Of one tenant, as many transactions wait at most, and so many milliseconds. */
const TRANSACTIONS = { waiting: 500, patience: 10_000 };

const SETTINGS = Object.entries(PLANNER_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export interface PostgresOptions {
  url: string;
  pool: number;
  /** Milliseconds to wait for a server that does not answer yet; none when left out. */
  connectPatience?: number;
  /** Milliseconds after which the server ends a statement. */
  statementTimeout: number;
  keyVault?: Vault;
  onStatement?: StatementListener;
  onError?: (error: Error) => void;
}

/** Opens a pool on a PostgreSQL server and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const enums = await prepare(options.url, Date.now() + (options.connectPatience ?? 0));
  const onError = (error: Error) => options.onError?.(error);
  const { pool, watch, close } = watchedPool(
    {
      connectionString: options.url,
      max: options.pool,
      connectionTimeoutMillis: CONNECT,
      // The server ends a statement first, if it is there to do so.
      query_timeout: options.statementTimeout + 500,
      keepAlive: true,
      application_name: 'docgraph',
      options: `-c TimeZone=UTC ${SETTINGS} -c statement_timeout=${options.statementTimeout}`,
    },
    onError,
  );
  const reader = new PgReader(pool, enums, options.onStatement);
  const prisma = new PgPrisma(pool, options.onStatement);
  const transactions = new PgTransactions(pool, prisma, reader);
  const slots = new FairSlots({ ...TRANSACTIONS, slots: options.pool, perKey: Math.ceil(options.pool / 2) });
  const wire = new PostgresNotifications(options.url, pool, { watch, onError });
  const database: Database = {
    kind: 'postgres',
    prisma: prisma.client,
    keyVault: options.keyVault,
    jobs: await Jobs.open((text, values) => pool.query(text, values)),
    notifications: new Notifications(wire),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ...reader.until(),
    forCaller: (departure) => ({
      ...database,
      ...reader.until(departure),
      transact: (work) => slots.run(departure.tenant ?? '', () => transactions.run(work)),
    }),
    transact: (work) => transactions.run(work),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await wire.close();
      await prisma.client.$disconnect();
      await close();
    },
  };
  return database;
}

/** Whoever starts both at once must not have to know which is up first. */
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

/** Brings the schema up to date, and returns the ids of its enum types. */
async function prepare(url: string, until: number): Promise<Set<number>> {
  const client = await connect(url, until);
  try {
    await requireUsable(client);
    await applyMigrations(
      { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) },
      MIGRATIONS,
    );
    await Jobs.install((text, values) => client.query(text, values));
    const enums = await client.query(`SELECT oid FROM pg_type WHERE typtype = 'e'`);
    return new Set(enums.rows.map(({ oid }) => oid as number));
  } finally {
    await client.end();
  }
}

async function requireUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding`);
  const [{ version, encoding }] = rows as [{ version: string; encoding: string }];
  if (Number.parseInt(version, 10) < OLDEST)
    throw new DatabaseUnusable(`PostgreSQL ${version} is too old: version ${OLDEST} or newer is needed.`);
  if (encoding !== 'UTF8')
    throw new DatabaseUnusable(`The database is encoded in ${encoding}; UTF8 is needed.`);
}

/** An AggregateError (one failure per resolved address) has no text of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;
