import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { type Migration, readMigrations } from '../src/db/migrate/migrate.ts';
import { CodeError, codeDifference, readStatements } from './database-code.ts';

const SCHEMA = 'prisma/schema.prisma';
const FOLDER = 'prisma/migrations';
const TRIGGERS = 'prisma/triggers';
const USAGE = `usage: npm run migrate:new NAME [-- --by-hand]      NAME of a-z, 0-9 and _
       tsx scripts/migrate-new.ts --check`;

/**
 * SQL below this line of a migration is not passed to the schema engine, which does not support checks, partial and
 * expression indexes, triggers and generated columns, and would drop some of them as not declared.
 */
const BY_HAND = '-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.';

/** A global that the types of Node leave out. */
declare const WebAssembly: {
  // biome-ignore lint/suspicious/noExplicitAny: what a module exports is known to its bindings alone
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: any } }>;
};

const LOCK = '# Written by migrate:new; Prisma wants it in version control.\nprovider = "postgresql"\n';

const RISKY = /^.*(?:\bDROP\b|ADD COLUMN(?!.* DEFAULT ).* NOT NULL).*$/gm;

class MigrationError extends Error {}

/** Where the schema and the migrations are, and an empty database to compare them in. */
export interface Workplace {
  root: string;
  db: PGlite;
}

export const newDatabase = (): Promise<PGlite> => PGlite.create({ extensions: { btree_gin, pg_trgm } });

/**
 * Adds COLLATE "C" to every text column of the engine's SQL, so that all databases and JavaScript sort alike. The pattern
 * matches strings and quoted names only to leave them unchanged.
 */
export function byteOrdered(sql: string): string {
  const pattern =
    /E'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|("(?:[^"]|"")*")((?: SET DATA TYPE)? TEXT(?:\[\])?(?![\w"[]))?/g;
  return sql.replace(pattern, (match, _name, type) => (type ? `${match} COLLATE "C"` : match));
}

/** The part of a migration that schema.prisma declares. */
export const declaredPart = (sql: string): string => sql.split(BY_HAND, 1)[0] as string;

async function replay(db: PGlite, migrations: Migration[]): Promise<void> {
  await db.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  for (const { name, sql } of migrations)
    await db.exec(sql).catch((error: Error) => {
      throw new MigrationError(`${name} does not run: ${error.message}`);
    });
}

/**
 * Loads the schema engine as WebAssembly, without a download or a server. Its bindings expect a bundler, hence this; they
 * belong to one instance, so a process has one.
 */
export function loadEngine(): Promise<typeof bindings.SchemaEngine> {
  engine ??= instantiateEngine();
  return engine;
}

let engine: Promise<typeof bindings.SchemaEngine> | undefined;
/** What the engine said when it panicked; empty if it did not. */
let panic = '';

async function instantiateEngine() {
  const file = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'));
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': bindings,
  });
  const onPanic = (message: string) => {
    panic = message;
  };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: onPanic } });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

/** The SQL that changes the schema of the database to the one of schema.prisma; undefined when they are equal. */
async function schemaDifference({ root, db }: Workplace): Promise<string | undefined> {
  const content = await readFile(join(root, SCHEMA), 'utf8');
  const files = [{ path: SCHEMA, content }];
  const Engine = await loadEngine();
  panic = '';
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(db));
  try {
    const engine = await Engine.new({ datamodels: [[SCHEMA, content]] }, () => undefined, adapter);
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? undefined : (stdout ?? undefined);
  } catch (error) {
    throw new MigrationError(panic || (error as Error).message.split('\n   0: ')[0]);
  }
}

/** Runs all migrations completely, and throws when a text column is not byte-ordered. */
async function verifyHistory(db: PGlite, migrations: Migration[]): Promise<void> {
  await replay(db, migrations);
  const { rows } = await db.query<{ at: string }>(`
    SELECT relname || '.' || attname AS at
    FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid AND relkind IN ('r', 'p')
    JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped AND collname <> 'C'
    ORDER BY 1`);
  if (rows.length > 0)
    throw new MigrationError(
      `not byte-ordered (COLLATE "C" is missing): ${rows.map(({ at }) => at).join(', ')}`,
    );
}

async function write(root: string, name: string, sql: string): Promise<void> {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(root, FOLDER, `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), sql, { flag: 'wx' });
  const lock = join(root, FOLDER, 'migration_lock.toml');
  if (!existsSync(lock)) await writeFile(lock, LOCK);
  console.log(`written: ${join(folder, 'migration.sql')}`);
  for (const line of sql.match(RISKY) ?? []) console.log(`  mind the rows that exist: ${line.trim()}`);
}

/** Returns whether the migrations create exactly what schema.prisma and prisma/triggers declare; prints the difference. */
async function check(place: Workplace): Promise<boolean> {
  const { root, db } = place;
  const { migrations, missing } = await compare(place);
  await verifyHistory(db, migrations);
  const { changed, unknown } = await codeDifference(db, await readStatements(join(root, TRIGGERS)));
  if (missing) console.error(`schema.prisma and the migrations differ:\n\n${missing}`);
  for (const each of changed) console.error(`${TRIGGERS} and the migrations differ: ${each.name}`);
  for (const each of unknown) console.error(`${each} is in the migrations, and not in ${TRIGGERS}`);
  return !missing && changed.length + unknown.length === 0;
}

async function create(place: Workplace, name: string, byHand: boolean): Promise<void> {
  const { root, db } = place;
  const { migrations, missing = '' } = await compare(place);
  const declared = byteOrdered(missing);
  await verifyHistory(db, [...migrations, { name: 'the new migration', sql: declared }]);
  const { changed, unknown } = await codeDifference(db, await readStatements(join(root, TRIGGERS)));
  if (!missing && changed.length === 0 && !byHand) return console.log('nothing to migrate');
  const code = changed.map(({ sql }) => `\n${sql}\n`).join('');
  await write(root, name, `${declared}\n${BY_HAND}\n${code}`.trimStart());
  for (const each of unknown) console.log(`  not in ${TRIGGERS}, so drop it by hand: ${each}`);
}

async function compare(place: Workplace) {
  const folder = join(place.root, FOLDER);
  const migrations = existsSync(folder) ? await readMigrations(folder) : [];
  const declared = migrations.map(({ name, sql }) => ({ name, sql: declaredPart(sql) }));
  await replay(place.db, declared);
  return { migrations, missing: await schemaDifference(place) };
}

/** Runs the command with these arguments, and returns its exit code. */
export const main = (args: string[], place: Workplace): Promise<number> =>
  run(args, place).catch((error) => {
    if (!(error instanceof MigrationError || error instanceof CodeError)) throw error;
    console.error(error.message);
    return 1;
  });

async function run([name = '', option, ...rest]: string[], place: Workplace): Promise<number> {
  if (name === '--check' && !option) return (await check(place)) ? 0 : 1;
  const validOption = option === undefined || option === '--by-hand';
  if (!/^[a-z0-9_]+$/.test(name) || !validOption || rest.length > 0) {
    console.error(USAGE);
    return 1;
  }
  await create(place, name, option === '--by-hand');
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const code = await main(process.argv.slice(2), { root: '.', db: await newDatabase() });
  // A timer of the engine would keep the process for ten seconds more.
  process.exit(code);
}
