import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseUnusable } from '../database.ts';

/** A session that nothing else uses while migrations run. `exec` takes several statements at once. */
export interface MigrationConnection {
  // biome-ignore lint/suspicious/noExplicitAny: the rows of pg and of PGlite have no common type
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  exec(text: string): Promise<unknown>;
}

export interface Migration {
  name: string;
  sql: string;
}

interface Applied {
  name: string;
  checksum: string;
  finished: boolean;
}

/** The migrations of this build; compiled code is one folder deeper than its source. */
export const MIGRATIONS = ['../../../', '../../../../']
  .map((root) => new URL(`${root}prisma/migrations/`, import.meta.url))
  .find((folder, index) => index === 1 || existsSync(folder)) as URL;

/** Prisma's own number, so that a `prisma migrate deploy` at the same moment waits as well. */
const ADVISORY_LOCK = 72707369;

/**
 * The lock goes with the transaction: no failure can leave it behind, and a transaction-pooling proxy keeps both on one
 * server connection. READ COMMITTED, since a snapshot from before the wait would miss what the other process applied.
 */
const BEGIN = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL statement_timeout = 0;
  SELECT pg_advisory_xact_lock(${ADVISORY_LOCK});`;

/** Column for column what Prisma's schema engine creates, so that its commands find the history in sync. */
const CREATE_HISTORY = `
  CREATE TABLE _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Brings the schema up to date and returns the names of the migrations that this call applied, in order. Each runs in
 * one transaction with its row in `_prisma_migrations`; processes that start at once apply each of them once.
 * Throws DatabaseUnusable when one fails (nothing of it stays), when the file of an applied one has changed, and when
 * the database has one that the folder does not.
 */
export async function applyMigrations(run: MigrationConnection, folder: URL | string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  const history = await readHistory(run);
  // The usual start needs no lock. An unfinished migration may be running in another process: wait for the lock then.
  if (history?.every(({ finished }) => finished) && !nextOf(migrations, history)) return applied;
  for (;;) {
    const name = await applyNext(run, migrations);
    if (name === undefined) return applied;
    applied.push(name);
  }
}

async function applyNext(run: MigrationConnection, migrations: Migration[]): Promise<string | undefined> {
  try {
    await run.exec(BEGIN);
    const history = await readHistory(run);
    const next = nextOf(migrations, history);
    if (next) {
      if (!history) await run.exec(CREATE_HISTORY);
      await apply(run, next);
    }
    await run.exec('COMMIT');
    return next?.name;
  } catch (error) {
    // On a broken connection this fails too, and the server rolls back by itself.
    await run.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function apply(run: MigrationConnection, { name, sql }: Migration): Promise<void> {
  try {
    await run.exec(sql);
  } catch (cause) {
    const problem = (cause as Error).message.split('\n')[0] as string;
    throw new DatabaseUnusable(
      `Migration ${name} failed and was rolled back: ${problem}.${adviceOn(problem)}`,
      {
        cause,
      },
    );
  }
  await run.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksumsOf(sql)[0], name],
  );
}

const NO_EXTENSION = /permission denied to create extension|extension ".*" is not (available|allow-listed)/;

/** What an administrator of the PostgreSQL server runs where we may not create extensions; empty for any other problem. */
const adviceOn = (problem: string): string =>
  NO_EXTENSION.test(problem)
    ? ' In this database, let an administrator of the server run: ' +
      'CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS btree_gin;'
    : '';

/** The first migration to apply. Throws where the history and the folder contradict each other. */
function nextOf(migrations: Migration[], history: Applied[] = []): Migration | undefined {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const done = new Set<string>();
  for (const { name, checksum, finished } of history) {
    const migration = byName.get(name);
    if (!migration)
      throw new DatabaseUnusable(
        `The database has the migration ${name}, which this version does not have: start a newer version. ` +
          'If it came from an unreleased one, see "A migration that has changed" in docs/operations.md.',
      );
    if (!finished)
      throw new DatabaseUnusable(
        `Migration ${name} was started by another tool and did not finish: see "prisma migrate resolve".`,
      );
    if (!checksumsOf(migration.sql).includes(checksum))
      throw new DatabaseUnusable(
        `Migration ${name} has changed since it was applied. A database of an unreleased version ends like this: ` +
          `see "A migration that has changed" in docs/operations.md.`,
      );
    done.add(name);
  }
  return migrations.find((migration) => !done.has(migration.name));
}

/** Looks the table up by a query: to_regclass would answer from a cache that is stale after waiting for the lock. */
async function readHistory(run: MigrationConnection): Promise<Applied[] | undefined> {
  const { rows: tables } = await run.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = '_prisma_migrations'`,
  );
  if (tables.length === 0) return undefined;
  const { rows } = await run.query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

/** The migrations of a folder, in order. */
export async function readMigrations(folder: URL | string): Promise<Migration[]> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, sql: await readFile(join(path, name, 'migration.sql'), 'utf8') })),
  );
}

/** SHA-256 of the text as it is and with either line ending, which a checkout may change; Prisma accepts these too. */
export function checksumsOf(sql: string): string[] {
  const lines = sql.replaceAll('\r\n', '\n');
  return [sql, lines, lines.replaceAll('\n', '\r\n')].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  );
}
