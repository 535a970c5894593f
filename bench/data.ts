import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Database } from '../src/db/database.ts';
import { openPglite } from '../src/db/pglite/pglite.ts';
import { openPostgres } from '../src/db/postgres/postgres.ts';
import { encodeCursor } from '../src/lib/cursor.ts';
import { hashSecret, newSecret } from '../src/lib/secret.ts';
import { grantTo, makeClient } from './clients.ts';

/** A project, and where in its list to start: each API has its own cursors. */
export interface ListStart {
  organizationId: string;
  projectId: string;
  after?: { limit: string; graph: string; postgraphile: string };
  /** Prefix of words that few of its documents contain, if they can be searched. */
  rare?: string;
}

/** The ids and credentials that the calls use. */
export interface Data {
  key: string;
  /** An access token of the same person. */
  token: string;
  organizationId: string;
  userId: string;
  documentId: string;
  small: ListStart;
  writing: { organizationId: string; projectId: string; documentId: string };
  big?: ListStart;
  bigLatePage?: ListStart;
}

export const DATABASE = 'docgraph_bench';
const ROLE = 'docgraph_bench_viewer';

const id = (prefix: string, kind: number, number: number) =>
  `${prefix}_01${kind.toString(16).padStart(4, '0')}${number.toString(16).padStart(20, '0')}`;

const start = (organization: number): ListStart => ({
  organizationId: id('org', 0, organization),
  projectId: id('prj', organization, 1),
});

export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

export async function statementsOf(file: string, values: Record<string, number> = {}): Promise<string[]> {
  const written = await readFile(new URL(file, import.meta.url), 'utf8');
  const text = written.replace(/(?<!:):([a-z]{4,})/g, (all, name) => String(values[name] ?? all));
  return text.split(/;\n(?=\n|[A-Z])/).filter((each) => each.trim());
}

const run = async (url: string, file: string, values: Record<string, number> = {}) => {
  const statements = await statementsOf(file, values);
  await onServer(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
};

const makeKey = (db: Database, key: string) =>
  db.prisma.apiKey.create({
    data: {
      id: id('key', 0, 1),
      userId: id('usr', 0, 2),
      name: 'bench',
      scopes: ['read', 'write'],
      prefix: key.slice(0, 12),
      secretHash: hashSecret(key),
    },
  });

/** Adds the tasks that only the race of the two databases reads. */
export const addTasks = (url: string) => run(url, './data/tasks.sql');

/** Creates an embedded database in a new folder, with the data of `makeDatabase` and `addTasks` and the same API key. */
export async function makeEmbedded(folder: string, { key }: Data): Promise<void> {
  const db = await openPglite({ folder, sync: false });
  for (const file of ['./data/base.sql', './data/tasks.sql'])
    for (const statement of await statementsOf(file)) await db.execute(statement, []);
  await makeKey(db, key);
  await db.close();
}

const databaseNamed = (server: string, name: string) => ({
  url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  drop: () => onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
});

/** Creates a database of this name on that server, replacing an older one; `drop` removes it. */
export async function createDatabase(server: string, name: string) {
  const database = databaseNamed(server, name);
  await database.drop();
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  return database;
}

/** The database of this name, if there is one. */
export async function findDatabase(server: string, name: string) {
  let found = false;
  await onServer(server, async (client) => {
    found = (await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rows.length > 0;
  });
  return found ? databaseNamed(server, name) : undefined;
}

/** Migrates an empty database and fills it with the base data. Returns their ids and credentials. */
export async function fillDatabase(url: string): Promise<Data> {
  const key = newSecret('dgk_');
  const db = await openPostgres({ url, pool: 1, statementTimeout: 60_000 });
  await run(url, './data/base.sql');
  await makeKey(db, key);
  const client = await makeClient(db, id('org', 0, 1), id('usr', 0, 2));
  const { accessToken } = await grantTo(db, client);
  await db.close();
  return {
    key,
    token: accessToken,
    organizationId: id('org', 0, 1),
    userId: id('usr', 0, 2),
    documentId: id('doc', 1, 1050),
    small: start(1),
    writing: {
      organizationId: id('org', 0, 2),
      projectId: id('prj', 2, 1),
      documentId: id('doc', 2, 1050),
    },
  };
}

/** The database that the contenders share; `drop` removes it and its role. */
export async function makeDatabase(server: string) {
  const { url, drop: dropDatabase } = await createDatabase(server, DATABASE);
  const dropRole = () => onServer(server, (client) => client.query(`DROP ROLE IF EXISTS ${ROLE}`));
  await dropRole();
  await onServer(server, (client) => client.query(`CREATE ROLE ${ROLE}`));
  const data = await fillDatabase(url);
  await run(url, './peers/postgraphile.sql');
  let version = '';
  await onServer(server, async (client) => {
    version = (await client.query('SHOW server_version')).rows[0].server_version;
  });
  const drop = async () => {
    await dropDatabase();
    await dropRole();
  };
  return { url, data, drop, version };
}

/** Row counts at `times` the data: documents of one project, and projects and members of its organization. */
const SIZES = {
  100: { organization: 4, documents: 10_000, projects: 100, members: 500, rare: 42 },
  10000: { organization: 3, documents: 1_000_000, projects: 10_000, members: 5_000, rare: 4242 },
};

export type Times = keyof typeof SIZES;

/** Adds `times` as much data; returns the start of the list of the large project. */
export async function grow(url: string, times: Times): Promise<ListStart> {
  await run(url, './data/growth.sql', SIZES[times]);
  const { organization, rare } = SIZES[times];
  return { ...start(organization), rare: String(rare) };
}

/** The start of page `number` of the list, except for PostGraphile, which encodes its own cursors. */
export async function startOfPage(start: ListStart, url: string, number: number): Promise<ListStart> {
  let last = { id: '', created_at: new Date(0) };
  await onServer(url, async (client) => {
    const { rows } = await client.query(
      `SELECT id, created_at FROM documents WHERE organization_id = $1 AND project_id = $2 AND state = 'ACTIVE'
        ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT 1`,
      [start.organizationId, start.projectId, itemsBefore(number) - 1],
    );
    last = rows[0];
  });
  const at = last.created_at.toISOString();
  return {
    ...start,
    after: { limit: `${at},${last.id}`, graph: encodeCursor([at, last.id]), postgraphile: '' },
  };
}

/** The number of items on the pages of 25 before this one. */
export const itemsBefore = (page: number): number => (page - 1) * 25;
