import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { type Database, DatabaseUnusable, type StatementListener } from './database.ts';
import { applyMigrations, MIGRATIONS } from './migrate.ts';
import { toObjects } from './rows.ts';

/** The oldest major version the suite has run on. */
const OLDEST = 14;

const { builtins, getTypeParser } = pg.types;

const parsers = {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === builtins.INT8 ? BigInt : (getTypeParser(oid, format) as (value: string) => unknown),
};

export interface PostgresOptions {
  url: string;
  pool: number;
  /** Milliseconds after which the server ends a statement. */
  statementTimeout: number;
  onStatement?: StatementListener;
  onError?: (error: Error) => void;
}

/** Opens a pool on a PostgreSQL server and brings its schema up to date. Throws DatabaseUnusable. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  await prepare(options.url);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.pool,
    application_name: 'docgraph',
    // Compiling a search that finds much takes the server ten times as long as running it.
    options: `-c TimeZone=UTC -c jit=off -c statement_timeout=${options.statementTimeout}`,
  });
  pool.on('error', (error) => options.onError?.(error));
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    log: options.onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  if (options.onStatement)
    prisma.$on('query' as never, (event: Prisma.QueryEvent) => options.onStatement?.(event.query));
  return {
    kind: 'postgres',
    prisma,
    async query(statement) {
      options.onStatement?.(statement.text);
      const { fields, rows } = await pool.query({
        text: statement.text,
        values: statement.values,
        rowMode: 'array',
        types: parsers as never,
      });
      return toObjects(
        fields.map((field) => field.name),
        rows,
      );
    },
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

async function prepare(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseUnusable(`PostgreSQL at ${new URL(url).host} cannot be reached: ${reasonOf(error)}`);
  }
  try {
    const { rows } = await client.query('show server_version');
    const version = rows[0].server_version as string;
    if (Number.parseInt(version, 10) < OLDEST)
      throw new DatabaseUnusable(`PostgreSQL ${version} is too old: version ${OLDEST} or newer is needed.`);
    await applyMigrations(
      { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) },
      MIGRATIONS,
    );
  } finally {
    await client.end();
  }
}

/** An AggregateError (one failure per resolved address) has no text of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;
