import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';

type TearDown = () => Promise<void>;

/** Makes one database with the schema, of which the databases of this run are copies; drops all of them at its end. */
export default function setup(): Promise<TearDown> {
  const server = process.env.TEST_DATABASE_URL;
  return server ? onServer(server) : embedded();
}

async function embedded(): Promise<TearDown> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-template-'));
  const db = await openPglite();
  await db.pglite.exec('CHECKPOINT');
  const dump = await db.pglite.dumpDataDir('none');
  await db.close();
  const file = join(folder, 'database.tar');
  await writeFile(file, dump.stream());
  process.env.TEST_DATABASE_DUMP = file;
  return () => rm(folder, { recursive: true });
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
