import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';

/** The contents of all tables at one moment. */
export interface Snapshot {
  /** The names of the tables that changed since. */
  changed(): Promise<string[]>;
  /** The names of the tables in which rows that mention an id changed. */
  changedAbout(id: string): Promise<string[]>;
  /** Restores the changed tables, and returns their names. */
  restore(): Promise<string[]>;
}

interface Column {
  table: string;
  name: string;
}

/** Updated by any use of a key, so not compared. */
const NOTED = 'last_used_at';

/** Restored tables after which they are vacuumed: the embedded database has no autovacuum, and dead rows would accumulate. */
const VACUUM_AFTER = 60;

const vacuum = (db: Database, tables: Set<string>) =>
  db.prisma.$executeRawUnsafe(`VACUUM ${[...tables].map((table) => `public."${table}"`)}`);

/** Copies every table, so that many tests can share one fixture. */
export async function takeSnapshot(db: Database): Promise<Snapshot> {
  const columns = await db.query<Column>(sql`
    SELECT c.table_name AS "table", c.column_name AS name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    ORDER BY c.table_name, c.ordinal_position`);
  const tables = new Map<string, string[]>();
  for (const { table, name } of columns) tables.set(table, [...(tables.get(table) ?? []), `"${name}"`]);
  await db.prisma.$executeRawUnsafe('DROP SCHEMA IF EXISTS kept CASCADE');
  await db.prisma.$executeRawUnsafe('CREATE SCHEMA kept');
  for (const [table, names] of tables)
    await db.prisma.$executeRawUnsafe(
      `CREATE TABLE kept."${table}" AS SELECT ${names} FROM public."${table}"`,
    );
  await createMarks(db, [...tables.keys()]);
  const before = await digests(db, tables, 'kept');
  let marks = await marksOf(db);
  const unvacuumed: string[] = [];
  const different = (then: Map<string, string>, now: Map<string, string>) =>
    [...tables.keys()].filter((table) => now.get(table) !== then.get(table));
  /** Only tables that were written to are read. */
  const changed = async () => {
    const now = await marksOf(db);
    const written = different(marks, now);
    if (written.length === 0) return [];
    const digest = await digests(
      db,
      new Map([...tables].filter(([table]) => written.includes(table))),
      'public',
    );
    const changedTables = written.filter((table) => digest.get(table) !== before.get(table));
    for (const table of written)
      if (!changedTables.includes(table)) marks.set(table, now.get(table) as string);
    return changedTables;
  };
  return {
    changed,
    changedAbout: async (id) =>
      different(await digests(db, tables, 'kept', id), await digests(db, tables, 'public', id)),
    async restore() {
      const names = await changed();
      if (names.length === 0) return names;
      await db.prisma.$executeRawUnsafe(restoring(names, tables));
      unvacuumed.push(...names);
      if (unvacuumed.length > VACUUM_AFTER) await vacuum(db, new Set(unvacuumed.splice(0)));
      marks = await marksOf(db);
      return names;
    },
  };
}

type Tables = Map<string, string[]>;

/** Creates the function that `marksOf` calls: its statement names every table, and is planned once. */
async function createMarks(db: Database, tables: string[]): Promise<void> {
  const parts = tables.map(
    (table) => `SELECT '${table}', concat(count(*), ' ', sum(xmin::text::bigint)) FROM public."${table}"`,
  );
  await db.prisma.$executeRawUnsafe(`CREATE FUNCTION kept.marks() RETURNS TABLE (name text, mark text) LANGUAGE plpgsql
    AS $$ BEGIN RETURN QUERY ${parts.join(' UNION ALL ')}; END $$`);
}

/** A fingerprint of each table by the transactions that wrote its rows; it differs after any write. */
async function marksOf(db: Database): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; mark: string }>(sql`SELECT name, mark FROM kept.marks()`);
  return new Map(rows.map(({ name, mark }) => [name, mark]));
}

async function digests(
  db: Database,
  tables: Tables,
  within: 'kept' | 'public',
  about = '',
): Promise<Map<string, string>> {
  const parts = [...tables].map(([table, names]) => {
    const row = `ROW(${names.filter((name) => name !== `"${NOTED}"`)})::text`;
    return `SELECT '${table}' AS name, md5(string_agg(${row}, ' ' ORDER BY ${row})) AS digest
      FROM ${within}."${table}" WHERE ${row} LIKE '%${about}%'`;
  });
  const rows = await db.query<{ name: string; digest: string }>(sql.raw(parts.join(' UNION ALL ')));
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** One statement, so one transaction; foreign keys are not checked, since the restored rows were valid. */
function restoring(different: string[], tables: Tables): string {
  const each = different.map((table) => {
    const names = tables.get(table);
    return `DELETE FROM public."${table}"; INSERT INTO public."${table}" (${names}) SELECT ${names} FROM kept."${table}";`;
  });
  return `DO $$ BEGIN PERFORM set_config('session_replication_role', 'replica', true); ${each.join(' ')} END $$`;
}
