import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { byteOrdered, loadEngine, main, newDatabase } from '../../scripts/migrate-new.ts';
import { applyMigrations } from '../../src/db/migrate/migrate.ts';
import { runScript } from '../support/script.ts';

let db: PGlite;
let root: string;
let migrations: string;

beforeAll(async () => {
  db = await newDatabase();
});
afterAll(() => db?.close());

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docgraph-migrate-new-'));
  migrations = join(root, 'prisma/migrations');
  mkdirSync(migrations, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const schema = (fields: string) =>
  writeFileSync(
    join(root, 'prisma/schema.prisma'),
    `datasource db {\n  provider = "postgresql"\n}\nmodel Thing {\n  id String @id\n  name String\n  ${fields}\n}\n`,
  );

const write = (name: string, sql: string) => {
  mkdirSync(join(migrations, name), { recursive: true });
  writeFileSync(join(migrations, name, 'migration.sql'), sql);
};

const written = () => readdirSync(migrations, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const fileOf = (name: string) => {
  const folder = written().find((entry) => new RegExp(`^\\d{14}_${name}$`).test(entry.name));
  return join(migrations, folder?.name ?? 'missing', 'migration.sql');
};

/** What the command prints and returns, in this process. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const prints = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => {
      output += `${line}\n`;
    }),
  );
  try {
    return { code: await main(args, { root, db }), output };
  } finally {
    for (const print of prints) print.mockRestore();
  }
}

describe('migrate:new', () => {
  it('writes what the schema adds, and does not change SQL written by hand', async () => {
    schema('at DateTime?');
    expect(await run('init')).toMatchObject({ code: 0 });
    expect(readFileSync(fileOf('init'), 'utf8')).toContain('"name" TEXT COLLATE "C" NOT NULL,');
    expect(readFileSync(join(migrations, 'migration_lock.toml'), 'utf8')).toContain(
      'provider = "postgresql"',
    );
    appendFileSync(
      fileOf('init'),
      `CREATE INDEX "live" ON "Thing" ("name") WHERE "at" IS NULL;
       CREATE INDEX "covering" ON "Thing" ("name") INCLUDE ("at");
       CREATE TABLE "Other" ("id" int);
       ALTER TABLE "Thing" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED;`,
    );
    expect(await runScript('migrate-new.ts', root, 'again')).toEqual({
      code: 0,
      output: 'nothing to migrate\n',
    });

    schema(`at DateTime?\n  tags String[]\n  @@index([name])`);
    expect(await run('tags')).toMatchObject({ code: 0 });
    const statements = readFileSync(fileOf('tags'), 'utf8').match(/^[A-Z].*$/gm);
    expect(statements).toEqual([
      'ALTER TABLE "Thing" ADD COLUMN     "tags" TEXT[] COLLATE "C";',
      'CREATE INDEX "Thing_name_idx" ON "Thing"("name");',
    ]);
  });

  it('fails the check when the schema and the history differ, or a column is not byte-ordered', async () => {
    schema('');
    const table = '"id" TEXT COLLATE "C" NOT NULL, CONSTRAINT "Thing_pkey" PRIMARY KEY ("id")';
    write('1_init', `CREATE TABLE "Thing" (${table});`);
    const { code, output } = await run('--check');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('ADD COLUMN     "name" TEXT'),
    });
    write('2_more', 'ALTER TABLE "Thing" ADD COLUMN "name" TEXT NOT NULL;');
    expect(await run('--check')).toMatchObject({ code: 1, output: expect.stringContaining('Thing.name') });
    write('2_more', 'ALTER TABLE "Thing" ADD COLUMN "name" TEXT COLLATE "C" NOT NULL;');
    expect(await run('--check')).toEqual({ code: 0, output: '' });
  });

  it('writes what changed in the files of triggers, and fails the check until the history has it', async () => {
    const folder = join(root, 'prisma/triggers');
    const text = (value: string) =>
      `-- A name.\nCREATE OR REPLACE FUNCTION set_name() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n  NEW.name := '${value}';\n  RETURN NEW;\nEND $$;\n\n-- Before each row.\nCREATE OR REPLACE TRIGGER named BEFORE INSERT ON "Thing"\n  FOR EACH ROW EXECUTE FUNCTION set_name();\n`;
    mkdirSync(folder);
    schema('');
    writeFileSync(join(folder, 'thing.sql'), text('one'));
    expect(await run('init')).toMatchObject({ code: 0 });
    expect(await run('--check')).toEqual({ code: 0, output: '' });
    writeFileSync(join(folder, 'thing.sql'), text('two'));
    expect(await run('--check')).toMatchObject({
      code: 1,
      output: expect.stringContaining('FUNCTION set_name'),
    });
    expect(await run('second')).toMatchObject({ code: 0 });
    const sql = readFileSync(fileOf('second'), 'utf8');
    expect([sql.includes("NEW.name := 'two';"), sql.includes('TRIGGER')]).toEqual([true, false]);
    rmSync(join(folder, 'thing.sql'));
    const { code, output } = await run('--check');
    expect([code, output.match(/^(?:FUNCTION|TRIGGER) .*? is in/gm)]).toEqual([
      1,
      ['FUNCTION set_name is in', 'TRIGGER named ON "Thing" is in'],
    ]);
    writeFileSync(join(folder, 'thing.sql'), 'CREATE TABLE more (id int);');
    expect(await run('third')).toMatchObject({
      code: 1,
      output: expect.stringContaining('CREATE OR REPLACE'),
    });
  });

  it('writes nothing if the history does not run', async () => {
    schema('');
    write('1_init', 'SELECT nonsense;');
    const { code, output } = await run('next', '--by-hand');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^1_init does not run: /) });
    expect(written()).toHaveLength(1);
  });

  it('requires a name of lower-case letters, digits and underscores', async () => {
    schema('');
    expect(await run('Big')).toMatchObject({ code: 1, output: expect.stringContaining('usage:') });
    for (const args of [[], ['../up'], ['a', 'b'], ['--check', 'x']])
      expect(await run(...args)).toMatchObject({ code: 1, output: expect.stringContaining('usage:') });
    expect(written()).toEqual([]);
  });
});

describe('byteOrdered', () => {
  it('adds a collation to text columns, and leaves strings, casts and names unchanged', () => {
    expect(
      byteOrdered(`CREATE TABLE "it's" (\n  "a" TEXT NOT NULL,\n  "b" TEXT[] DEFAULT ARRAY['x']::TEXT[]\n);`),
    ).toBe(
      `CREATE TABLE "it's" (\n  "a" TEXT COLLATE "C" NOT NULL,\n  "b" TEXT[] COLLATE "C" DEFAULT ARRAY['x']::TEXT[]\n);`,
    );
    expect(byteOrdered('ALTER COLUMN "a" SET DATA TYPE TEXT;')).toBe(
      'ALTER COLUMN "a" SET DATA TYPE TEXT COLLATE "C";',
    );
    for (const kept of [
      `SET DEFAULT 'it''s "a" TEXT'`,
      `SET DEFAULT E'\\' "a" TEXT'`,
      `ENUM ('TEXT', 'B')`,
      `"a" "TEXT"`,
      `"a" TEXTUAL`,
    ])
      expect(byteOrdered(kept)).toBe(kept);
  });
});

describe(`Prisma's own engine`, () => {
  const filters = { externalTables: [], externalEnums: [] };

  const migrationsList = () => ({
    baseDir: migrations,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: written().map(({ name: path }) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: readFileSync(join(migrations, path, 'migration.sql'), 'utf8') },
      },
    })),
  });

  it('accepts the history of our runner, and ours accepts its history', async () => {
    await db.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const Engine = await loadEngine();
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(db));
    const schema = 'datasource db {\n  provider = "postgresql"\n}\n';
    const engine = await Engine.new({ datamodels: [['schema.prisma', schema]] }, () => undefined, adapter);
    const apply = () =>
      applyMigrations(
        { query: (text, values) => db.query(text, values), exec: (text) => db.exec(text) },
        migrations,
      );
    const inSync = async () => {
      const diagnosis = await engine.diagnoseMigrationHistory({
        migrationsList: migrationsList(),
        optInToShadowDatabase: false,
        filters,
      });
      expect(diagnosis).toEqual({
        hasMigrationsTable: true,
        history: null,
        editedMigrationNames: [],
        failedMigrationNames: [],
      });
    };
    write('20260101000000_a', 'CREATE TABLE t (n int); -- größer\n');
    expect(await apply()).toEqual(['20260101000000_a']);
    await inSync();
    write('20260101000001_b', 'CREATE TABLE u (n int);\n');
    const theirs = await engine.applyMigrations({ migrationsList: migrationsList(), filters });
    expect(theirs.appliedMigrationNames).toEqual(['20260101000001_b']);
    expect(await apply()).toEqual([]);
    await inSync();
  });
});
