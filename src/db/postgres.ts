import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { inSpan } from '../lib/span.ts';
import { isAway } from './away.ts';
import { type Database, DatabaseUnusable, type StatementListener } from './database.ts';
import { Jobs } from './jobs.ts';
import { applyMigrations, MIGRATIONS } from './migrate.ts';
import { News } from './news.ts';
import { PostgresWire } from './postgres-wire.ts';
import { oneWrittenOut, StatementNames } from './prepared.ts';
import { toObjects } from './rows.ts';

/** Milliseconds to wait for a connection: a new one, or one that others have. */
const CONNECT = 5_000;

/** The oldest major version the suite has run on. */
const OLDEST = 14;

const { builtins, getTypeParser } = pg.types;

const otherInstant = getTypeParser(builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown;

/** `2026-03-04 09:15:27.402+00`, as a session in UTC writes it. Years beyond 9999 and infinity are written in other ways. */
const instant = (text: string): unknown =>
  text.charCodeAt(10) === 32 && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : otherInstant(text);

const PARSERS: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: instant,
};

const parsers = {
  getTypeParser: (oid: number, format?: 'text') =>
    PARSERS[oid] ?? (getTypeParser(oid, format) as (text: string) => unknown),
};

export interface PostgresOptions {
  url: string;
  pool: number;
  /** Milliseconds to wait for a server that does not answer yet; none when left out. */
  patience?: number;
  /** Milliseconds after which the server ends a statement. */
  statementTimeout: number;
  onStatement?: StatementListener;
  onError?: (error: Error) => void;
}

/** Opens a pool on a PostgreSQL server and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  await prepare(options.url, Date.now() + (options.patience ?? 0));
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.pool,
    connectionTimeoutMillis: CONNECT,
    // The server ends a statement first, if it is there to do so.
    query_timeout: options.statementTimeout + 500,
    keepAlive: true,
    application_name: 'docgraph',
    // Compiling a statement (jit) takes longer than any of ours runs.
    options: `-c TimeZone=UTC -c jit=off -c statement_timeout=${options.statementTimeout}`,
  });
  pool.on('error', (error) => options.onError?.(error));
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    log: options.onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  if (options.onStatement)
    prisma.$on('query' as never, (event: Prisma.QueryEvent) => options.onStatement?.(event.query));
  const names = new StatementNames();
  const wire = new PostgresWire(options.url, pool, (error) => options.onError?.(error));
  const queryOn =
    (sender: Sender) =>
    async <Row>(statement: Prisma.Sql): Promise<Row[]> => {
      options.onStatement?.(statement.text);
      const { text, values } = oneWrittenOut(statement.text, statement.values);
      const name = names.of(text);
      const send = (named?: string) =>
        sender.query({ name: named, text, values, rowMode: 'array', types: parsers as never });
      const { fields, rows } = await inSpan('statement', { 'db.query.text': text }, () =>
        send(name).catch((error) => {
          if (name && names.failed(error)) return send();
          throw error;
        }),
      );
      return toObjects(
        fields.map((field) => field.name),
        rows,
      );
    };
  const database: Database = {
    kind: 'postgres',
    prisma,
    jobs: await Jobs.open((text, values) => pool.query(text, values)),
    news: new News(wire),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    query: queryOn(pool),
    until: (signal) => ({ ...database, query: queryOn(cancelling(pool, signal)) }),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await wire.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
  return database;
}

type Sender = Pick<pg.Pool, 'query'>;

/**
 * Has the server end a statement once the signal says so. Its connection is given up: a cancellation that comes late
 * must not meet the statement of somebody else.
 */
const cancelling = (pool: pg.Pool, signal: AbortSignal): Sender =>
  ({
    async query(query: pg.QueryArrayConfig) {
      signal.throwIfAborted();
      const client = await pool.connect();
      const cancel = () =>
        void pool
          .query('SELECT pg_cancel_backend($1)', [(client as unknown as Backend).processID])
          .catch(() => {});
      signal.addEventListener('abort', cancel);
      try {
        return await client.query(query);
      } finally {
        signal.removeEventListener('abort', cancel);
        client.release(signal.aborted);
      }
    },
  }) as Sender;

interface Backend {
  processID: number;
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
      if (!isAway(error) || Date.now() + pause > until)
        throw new DatabaseUnusable(
          `PostgreSQL at ${new URL(url).host} cannot be reached: ${reasonOf(error)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function prepare(url: string, until: number): Promise<void> {
  const client = await connect(url, until);
  try {
    const { rows } = await client.query('show server_version');
    const version = rows[0].server_version as string;
    if (Number.parseInt(version, 10) < OLDEST)
      throw new DatabaseUnusable(`PostgreSQL ${version} is too old: version ${OLDEST} or newer is needed.`);
    await applyMigrations(
      { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) },
      MIGRATIONS,
    );
    await Jobs.install((text, values) => client.query(text, values));
  } finally {
    await client.end();
  }
}

/** An AggregateError (one failure per resolved address) has no text of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;
