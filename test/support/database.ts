import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { refusingCopies } from './row-types/copied-rows.ts';
import { recording } from './row-types/record.ts';

/** The statements of what is counted at this moment. */
let statements: string[] | undefined;
const onStatement = (text: string) => {
  // The clock of an application measures itself once a minute, beside whatever is counted.
  if (!text.includes('AS measured_at')) statements?.push(text);
};

/** Of one statement, in ms: what a test prepares may take long beside other work, and is not what it measures. */
const statementTimeout = 60_000;

/** Connections of a worker's own database and of each other one: a server has 100 for both workers. */
const POOL = 25;
const OTHER_POOL = 18;

/** One with the schema and nothing in it: a copy of the run's template. */
export const newDatabase = async (): Promise<Database> =>
  process.env.TEST_DATABASE_URL ? openServer(await create(template()), OTHER_POOL) : openEmbedded();

const openServer = async (url: string, pool: number): Promise<Database> =>
  refusingCopies(recording(await openPostgres({ url, pool, statementTimeout, onStatement })));

const openEmbedded = async (): Promise<Database> =>
  refusingCopies(
    recording(
      await openPglite({ dump: process.env.TEST_DATABASE_DUMP as string, statementTimeout, onStatement }),
    ),
  );

let address: Promise<string> | undefined;

const ownAddress = (): Promise<string> => {
  address ??= create(template());
  return address;
};

/** A second pool on this worker's database, as another process would have; only on a server. */
export const secondPool = async (): Promise<Database> =>
  openPostgres({ url: await ownAddress(), pool: 10, statementTimeout });

/** An empty database of its own, for servers in other processes; only on a server. `how`: what CREATE DATABASE takes. */
export const emptyDatabase = (how = ''): Promise<string> => create(how);

/** As the run's template. */
const template = () => `TEMPLATE ${process.env.TEST_DATABASE_PREFIX}_template`;

/** A database on the server; dropped by databases/template.ts. */
async function create(how: string): Promise<string> {
  const server = process.env.TEST_DATABASE_URL as string;
  const prefix = process.env.TEST_DATABASE_PREFIX;
  const url = new URL(server);
  url.pathname = `/${prefix}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const name = url.pathname.slice(1);
  try {
    await client.query(`CREATE DATABASE ${name} ${how}`);
    // No test ends the server itself, which alone could lose what it has not written.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    // Statements of small tables are faster without further processes.
    await client.query(`ALTER DATABASE ${name} SET max_parallel_workers_per_gather = 0`);
    await client.query(`ALTER DATABASE ${name} SET jit = off`);
  } finally {
    await client.end();
  }
  return url.href;
}

let database: Promise<Database> | undefined;

/** This worker's own database: on the server that TEST_DATABASE_URL names, or embedded. A test file has one. */
export function testDatabase(): Promise<Database> {
  database ??= process.env.TEST_DATABASE_URL
    ? ownAddress().then((url) => openServer(url, POOL))
    : openEmbedded();
  return database;
}

/** Bytes; an empty one has 15 MB. */
const LARGE = 20 * 2 ** 20;

/** At the end of a test file: what it left in the database would slow down the statements of all that follow. */
export async function replaceIfLarge(): Promise<void> {
  const used = await database;
  const [row] = (await used?.query<{ size: number }>(DATABASE_SIZE)) ?? [];
  if (!row || row.size < LARGE) return;
  [database, address] = [undefined, undefined];
  await used?.close();
}

const DATABASE_SIZE = sql`SELECT pg_database_size(current_database())::float AS size`;

/**
 * To count, a statement for one row is the same as for many: an array of one id is written as that id (db/sql/sql.ts), and
 * Prisma has a parameter for each id.
 */
const asForMany = (text: string): string =>
  text
    .replace(/ARRAY\[(\$\d+)::text\]/g, '$1::text[]')
    .replace(/\.id = (\$\d+)/g, '.id = ANY($1)')
    .replace(/ IN \(\$\d+(?:,\$\d+)*\)/g, ' IN ($1)');

/** What `work` gave, and the SQL statements that it took; sorted, as those of one level are sent at once. */
export async function counted<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  const sent: string[] = [];
  statements = sent;
  const result = await work().finally(() => {
    statements = undefined;
  });
  return { result, statements: sent.map((text) => asForMany(text).replace(/\s+/g, ' ').trim()).sort() };
}
