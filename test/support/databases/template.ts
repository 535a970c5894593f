import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { isBuilt } from '../../../scripts/build.js';
import { fingerprint } from '../../../scripts/fingerprint.js';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { checkRowTypes } from '../row-types/check.ts';

type TearDown = () => Promise<void>;

/** Test files that start servers of their own, which start several times faster when they are compiled. */
const START_SERVERS = [
  'test/config/presets',
  'test/docs/shell',
  'test/scripts/screenshots',
  'test/processes',
  'test/oauth/processes',
  'idempotency-crash',
  'event-processes',
];

/** Creates the template of this run's databases, and compiles the server where a test file starts one; drops all databases at the end. */
export default async function setup(): Promise<TearDown> {
  const filters = process.argv.slice(2).filter((each) => !/^(-|run$|watch$)/.test(each));
  const isSelected = (file: string) =>
    filters.length === 0 || filters.some((filter) => filter.includes(file) || file.includes(filter));
  if (START_SERVERS.some(isSelected)) compileServer();
  const server = process.env.TEST_DATABASE_URL;
  const checkRows = process.env.ROW_TYPES ? await recordRowTypes() : undefined;
  process.env.TEST_DATABASE_DUMP = await embeddedTemplate();
  const demo = await mkdtemp(join(tmpdir(), 'docgraph-demo-'));
  process.env.TEST_DEMO_FOLDER = demo;
  const tearDown = server ? await onServer(server) : async () => {};
  return async () => {
    await tearDown();
    await rm(demo, { recursive: true });
    await checkRows?.();
    if (!server) console.log(NOT_RUN);
  };
}

const NOT_RUN =
  'Not run without TEST_DATABASE_URL: what only a PostgreSQL server has (its pool, cancellation, NOTIFY, races between processes). ' +
  'Run it with: TEST_DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres npm test';

/** Records the statements of this run; its end compares their columns with the row types in src, and fails the run on differences. */
async function recordRowTypes(): Promise<TearDown> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-statements-'));
  process.env.ROW_TYPES_FOLDER = folder;
  return async () => {
    const { errors, checked, unchecked } = await checkRowTypes(folder);
    await rm(folder, { recursive: true });
    console.log(`Row types: ${checked} of ${checked + unchecked.length} calls of query<Row> checked.`);
    if (process.env.ROW_TYPES === 'list') console.log(unchecked.join('\n'));
    if (errors.length === 0) return;
    console.error(`Row types differ from what the database describes:\n${errors.join('\n')}`);
    process.exitCode = 1;
  };
}

/** Sets TEST_SERVER, the program that `start` of servers/processes.ts runs. */
function compileServer(): void {
  if (!isBuilt()) {
    const { status } = spawnSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
    if (status !== 0) throw new Error('The server does not compile.');
  }
  process.env.TEST_SERVER = 'dist/src/main.js';
}

/** Keeps the template of the embedded databases between runs, by what it is made of. */
const CACHE = 'node_modules/.cache/docgraph';

/** Its file, which is written if there is none. */
async function embeddedTemplate(): Promise<string> {
  const file = join(CACHE, `${fingerprint(['prisma/migrations', 'src/db', 'package-lock.json'], '')}.tar`);
  if (!existsSync(file)) await writeTemplate(file);
  return resolve(file);
}

/** Renamed when it is complete: several runs may begin at once. */
async function writeTemplate(file: string): Promise<void> {
  await rm(CACHE, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  const db = await openPglite();
  const dump = await db.dump();
  await db.close();
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, dump);
  await rename(temporary, file);
}

async function onServer(server: string): Promise<TearDown> {
  const prefix = `docgraph_test_${randomBytes(6).toString('hex')}`;
  process.env.TEST_DATABASE_PREFIX = prefix;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const tearDown = async () => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      prefix,
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    await client.end();
  };
  const template = new URL(server);
  template.pathname = `/${prefix}_template`;
  try {
    await client.query(`CREATE DATABASE ${prefix}_template`);
    await (await openPostgres({ url: template.href, pool: 1, statementTimeout: 60_000 })).close();
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}
