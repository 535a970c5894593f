import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { openPostgres } from '../../src/db/postgres.ts';

const statements: string[] = [];
const onStatement = (text: string) => void statements.push(text);

let address: string | undefined;

async function open(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return openPglite({ onStatement });
  address = await create(server);
  return openPostgres({ url: address, pool: 25, statementTimeout: 10_000, onStatement });
}

/** A second pool on this worker's database, as another process would have; only on a server. */
export async function secondPool(): Promise<Database> {
  await testDatabase();
  return openPostgres({ url: address as string, pool: 25, statementTimeout: 10_000 });
}

/** An empty database of its own, for servers in other processes; only on a server. */
export const emptyDatabase = (): Promise<string> => create(process.env.TEST_DATABASE_URL as string);

/** An empty database on the server, dropped by server-databases.ts. */
async function create(server: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `/${process.env.TEST_DATABASE_PREFIX}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${url.pathname.slice(1)}`).finally(() => client.end());
  return url.href;
}

let database: Promise<Database> | undefined;

/** This worker's own database: on the server that TEST_DATABASE_URL names, or embedded. */
export function testDatabase(): Promise<Database> {
  database ??= open();
  return database;
}

/** What `work` gave, and the SQL statements that it took; sorted, as those of one level are sent at once. */
export async function counted<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  statements.length = 0;
  const result = await work();
  return { result, statements: statements.map((text) => text.replace(/\s+/g, ' ').trim()).sort() };
}
