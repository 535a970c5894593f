import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnusable } from '../../../src/db/database.ts';
import { applyMigrations, type MigrationConnection } from '../../../src/db/migrate/migrate.ts';

const serverUrl = process.env.TEST_DATABASE_URL;

interface Backend {
  connection: MigrationConnection;
  connect(): Promise<MigrationConnection>;
  stop(): Promise<void>;
}

async function startPglite(): Promise<Backend> {
  const db = await PGlite.create();
  const connection: MigrationConnection = {
    query: (text, values) => db.query(text, values),
    exec: (text) => db.exec(text),
  };
  return { connection, connect: async () => connection, stop: () => db.close() };
}

/** A database of its own on the server, gone afterwards. */
async function startPostgres(url: string): Promise<Backend> {
  const name = `docgraph_migrate_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const clients: pg.Client[] = [];
  const connect = async (): Promise<MigrationConnection> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: name }).href });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return { query: (text, values) => client.query(text, values), exec: (text) => client.query(text) };
  };
  const stop = async () => {
    await Promise.all(clients.map((client) => client.end()));
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  };
  return { connection: await connect(), connect, stop };
}

/** That of this run: the other one has a run of its own. */
const backends: [string, () => Promise<Backend>][] = serverUrl
  ? [['PostgreSQL', () => startPostgres(serverUrl)]]
  : [['PGlite', startPglite]];

/** Of this database alone: the view shows those of the whole server. */
const advisoryLocks = `
  SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docgraph-migrate-'));
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

describe.each(backends)('applyMigrations on %s', (kind, start) => {
  let backend: Backend;
  let run: MigrationConnection;

  beforeAll(async () => {
    backend = await start();
    run = backend.connection;
  });
  afterAll(() => backend?.stop());
  afterEach(() => run.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));

  const apply = () => applyMigrations(run, folder);
  const values = async (text: string) => (await run.query(text)).rows.map((row) => Object.values(row)[0]);
  const refusal = async () => {
    const error = await apply().then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(DatabaseUnusable);
    expect(error.message).not.toContain('\n');
    return error.message as string;
  };

  it('applies new migrations in the order of their names, once', async () => {
    write('2_b', 'INSERT INTO t VALUES (2)');
    write('1_a', `CREATE TABLE t (n int); INSERT INTO t VALUES (1); -- ; '`);
    expect(await apply()).toEqual(['1_a', '2_b']);
    expect(await apply()).toEqual([]);
    write('3_c', `DO $$ BEGIN INSERT INTO t VALUES (3); END $$;`);
    expect(await applyMigrations(run, pathToFileURL(`${folder}/`))).toEqual(['3_c']);
    expect(await values('SELECT n FROM t')).toEqual([1, 2, 3]);
  });

  it('records the history as Prisma does', async () => {
    const sql = 'CREATE TABLE t (n int); -- größer\n';
    write('1_a', sql);
    await apply();
    const { rows } = await run.query('SELECT * FROM _prisma_migrations');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash('sha256').update(sql).digest('hex'),
        finished_at: expect.any(Date),
        migration_name: '1_a',
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        applied_steps_count: 1,
      },
    ]);
  });

  it('creates no table without migrations', async () => {
    expect(await apply()).toEqual([]);
    expect(await values(`SELECT to_regclass('_prisma_migrations') IS NULL`)).toEqual([true]);
  });

  it('rolls a failing migration back, names it, and continues from there once it is corrected', async () => {
    write('1_a', 'CREATE TABLE t (n int)');
    write('2_b', 'INSERT INTO t VALUES (1); CREATE TABLE u (n int); SELECT 1/0; CREATE TABLE v (n int)');
    write('3_c', 'CREATE TABLE w (n int)');
    expect(await refusal()).toBe('Migration 2_b failed and was rolled back: division by zero.');
    expect(await values('SELECT migration_name FROM _prisma_migrations')).toEqual(['1_a']);
    expect(await values('SELECT n FROM t')).toEqual([]);
    expect(await values(`SELECT to_regclass('u') IS NULL`)).toEqual([true]);
    expect(await values(advisoryLocks)).toEqual([]);
    write('2_b', 'CREATE TABLE u (n int)');
    expect(await apply()).toEqual(['2_b', '3_c']);
  });

  it('gives the SQL for an administrator where the role may not create extensions', async () => {
    const problem = 'permission denied to create extension "pg_trgm"';
    write('1_a', `DO $$ BEGIN RAISE insufficient_privilege USING MESSAGE = '${problem}'; END $$`);
    expect(await refusal()).toBe(
      `Migration 1_a failed and was rolled back: ${problem}. In this database, let an administrator of the server run: ` +
        'CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS btree_gin;',
    );
  });

  it('leaves nothing behind when the first migration fails', async () => {
    write('1_a', 'CREATE TABLE t (n int); SELECT nonsense');
    expect(await refusal()).toContain('Migration 1_a failed');
    expect(await values(`SELECT to_regclass('_prisma_migrations') IS NULL`)).toEqual([true]);
  });

  it('refuses a changed file of an applied migration before it applies another', async () => {
    write('1_a', 'CREATE TABLE t (n int)');
    await apply();
    write('1_a', 'CREATE TABLE t (n bigint)');
    write('2_b', 'CREATE TABLE u (n int)');
    expect(await refusal()).toMatch(
      /^Migration 1_a has changed since it was applied.*"A migration that has changed" in docs\/operations\.md/,
    );
    expect(await values(`SELECT to_regclass('u') IS NULL`)).toEqual([true]);
  });

  it('starts once the checksum of a changed migration is corrected by hand, as documented', async () => {
    write('1_a', 'CREATE TABLE t (n int)');
    await apply();
    write('1_a', 'CREATE TABLE t (n int);');
    const sum = createHash('sha256').update('CREATE TABLE t (n int);').digest('hex');
    await run.exec(`UPDATE _prisma_migrations SET checksum = '${sum}' WHERE migration_name = '1_a'`);
    expect(await apply()).toEqual([]);
  });

  it('accepts an applied migration whose line endings have changed', async () => {
    write('1_a', 'CREATE TABLE t (n int);\n-- end\n');
    await apply();
    write('1_a', 'CREATE TABLE t (n int);\r\n-- end\r\n');
    expect(await apply()).toEqual([]);
  });

  it('refuses a database that a newer version migrated', async () => {
    write('1_a', 'CREATE TABLE t (n int)');
    write('2_b', 'CREATE TABLE u (n int)');
    await apply();
    rmSync(join(folder, '2_b'), { recursive: true });
    expect(await refusal()).toMatch(
      /^The database has the migration 2_b, which this version does not have.*docs\/operations\.md/,
    );
  });

  it('refuses an unfinished migration of another tool, and repeats one marked as rolled back', async () => {
    write('1_a', 'CREATE TABLE t (n int)');
    await apply();
    await run.exec('DROP TABLE t; UPDATE _prisma_migrations SET finished_at = NULL');
    expect(await refusal()).toMatch(/^Migration 1_a was started by another tool and did not finish/);
    await run.exec('UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await apply()).toEqual(['1_a']);
    expect(await apply()).toEqual([]);
  });

  describe.runIf(kind === 'PostgreSQL')('with several connections', () => {
    it('applies each migration once when eight processes start at the same time', async () => {
      const names = Array.from({ length: 5 }, (_, index) => `${index}_m`);
      for (const name of names) write(name, `CREATE TABLE "t${name}" (n int); SELECT pg_sleep(0.02)`);
      const starters = await Promise.all(Array.from({ length: 8 }, () => backend.connect()));
      // A snapshot from before the wait for the lock would miss what the others have done meanwhile.
      for (const starter of starters)
        await starter.exec(`SET default_transaction_isolation = 'serializable'`);
      const applied = await Promise.all(starters.map((starter) => applyMigrations(starter, folder)));
      expect(applied.flat().sort()).toEqual(names);
      expect(await values('SELECT migration_name FROM _prisma_migrations ORDER BY 1')).toEqual(names);
    });

    it(`waits for Prisma's lock regardless of the statement timeout of the role`, async () => {
      write('1_a', 'CREATE TABLE t (n int)');
      const prisma = await backend.connect();
      await prisma.exec('SELECT pg_advisory_lock(72707369)');
      await run.exec(`SET statement_timeout = '50ms'`);
      const applied = apply();
      await expect
        .poll(async () => (await prisma.query(`${advisoryLocks} AND NOT granted`)).rows.length)
        .toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await prisma.query(`SELECT to_regclass('t') IS NULL AS absent`)).rows[0].absent).toBe(true);
      await prisma.exec('SELECT pg_advisory_unlock(72707369)');
      expect(await applied).toEqual(['1_a']);
      expect(await values('SHOW statement_timeout')).toEqual(['50ms']);
      await run.exec('RESET statement_timeout');
    });

    it('waits for a migration that Prisma is applying', async () => {
      write('1_a', 'CREATE TABLE t (n int)');
      await apply();
      const prisma = await backend.connect();
      await prisma.exec(
        'SELECT pg_advisory_lock(72707369); UPDATE _prisma_migrations SET finished_at = NULL',
      );
      const applied = apply();
      await expect
        .poll(async () => (await prisma.query(`${advisoryLocks} AND NOT granted`)).rows.length)
        .toBe(1);
      // Apart: in one message the lock would be free before the change is committed.
      await prisma.exec('UPDATE _prisma_migrations SET finished_at = now()');
      await prisma.exec('SELECT pg_advisory_unlock(72707369)');
      expect(await applied).toEqual([]);
    });

    it('leaves a migration whose connection dies to the next process', async () => {
      write('1_a', 'CREATE TABLE t (n int); SELECT pg_sleep(30)');
      const dying = await backend.connect();
      const [pid] = (await dying.query('SELECT pg_backend_pid() AS pid')).rows;
      const died = applyMigrations(dying, folder).catch((error) => error);
      const sleeping = `SELECT pid FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`;
      await expect.poll(async () => (await run.query(sleeping, [pid.pid])).rows.length).toBe(1);
      await run.query('SELECT pg_terminate_backend($1)', [pid.pid]);
      expect(await died).toBeInstanceOf(DatabaseUnusable);
      write('1_a', 'CREATE TABLE t (n int)');
      expect(await apply()).toEqual(['1_a']);
    });
  });
});
