import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { memoize } from '../../lib/memoize.ts';
import { EXCLUDED_COLUMNS, EXCLUDED_TABLES, USER_COLUMNS } from './excluded.ts';

/** A table of an archive. */
export interface ArchiveTable {
  name: string;
  /** Those of an archive. */
  columns: readonly string[];
  /** Of the primary key. */
  key: readonly string[];
  /** FROM and WHERE of a statement on the rows of an organization. */
  rowsOf: (organizationId: string) => Sql;
}

interface Column {
  tableName: string;
  columnName: string;
  /** Its position in the primary key, or null. */
  keyPosition: number | null;
}

interface ForeignKey {
  tableName: string;
  target: string;
  /** The last column: the one beside the organization. */
  columnName: string;
  isDeferrable: boolean;
}

/** Tables without a column of the organization that an archive has rows of. */
const OTHERS = ['organizations', 'users', 'log_stamps'];

/** Behind all others: a trigger adds the words of comments to the search entries of what they are about. */
const LAST = 'events';

/** A name of the catalog as a part of a statement. */
export const identifier = (name: string): Sql => sql.raw(`"${name.replaceAll('"', '""')}"`);

/**
 * The tables of an archive, as the database has them: each with a column of the organization but the excluded ones, in an order
 * in which rows can be inserted. Foreign keys that are deferrable do not count for the order.
 */
export async function readCatalog(reader: Reader): Promise<ArchiveTable[]> {
  const [columns, foreignKeys] = await Promise.all([readColumns(reader), readForeignKeys(reader)]);
  const byTable = new Map<string, Column[]>();
  for (const column of columns) memoize(byTable, column.tableName, () => []).push(column);
  const names = [...byTable.keys()].filter(
    (name) =>
      OTHERS.includes(name) ||
      (byTable.get(name)?.some(({ columnName }) => columnName === 'organization_id') &&
        !Object.hasOwn(EXCLUDED_TABLES, name)),
  );
  const inArchive = foreignKeys.filter(
    ({ tableName, target }) => names.includes(tableName) && names.includes(target),
  );
  return inInsertOrder(names, inArchive).map((name) => tableOf(name, byTable.get(name) ?? [], inArchive));
}

const readColumns = (reader: Reader): Promise<Column[]> =>
  reader.query<Column>(sql`
    SELECT c.relname::text AS table_name, a.attname::text AS column_name, array_position(i.indkey::int2[], a.attnum) AS key_position
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, a.attname`);

const readForeignKeys = (reader: Reader): Promise<ForeignKey[]> =>
  reader.query<ForeignKey>(sql`
    SELECT c.relname::text AS table_name, r.relname::text AS target, a.attname::text AS column_name, k.condeferrable AS is_deferrable
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[array_upper(k.conkey, 1)]
    WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2, 3`);

function tableOf(name: string, columns: readonly Column[], foreignKeys: readonly ForeignKey[]): ArchiveTable {
  const excluded = EXCLUDED_COLUMNS[name] ?? {};
  const own = columns.filter(({ columnName }) =>
    name === 'users' ? USER_COLUMNS.includes(columnName) : !Object.hasOwn(excluded, columnName),
  );
  const key = columns
    .filter(({ keyPosition }) => keyPosition !== null)
    .sort((a, b) => Number(a.keyPosition) - Number(b.keyPosition));
  return {
    name,
    columns: own.map(({ columnName }) => columnName),
    key: key.map(({ columnName }) => columnName),
    rowsOf: (organizationId) =>
      sql`FROM ${identifier(name)} t WHERE ${conditionOf(name, foreignKeys, organizationId)}`,
  };
}

function conditionOf(name: string, foreignKeys: readonly ForeignKey[], organizationId: string): Sql {
  const referred = () =>
    referencing(
      foreignKeys.filter(({ target }) => target === name),
      organizationId,
    );
  if (name === 'organizations') return sql`t.id = ${organizationId}`;
  if (name === 'users') return sql`t.id IN (${referred()})`;
  if (name === 'log_stamps') return sql`t.digest IN (${referred()})`;
  const isOf = sql`t.organization_id = ${organizationId}`;
  // A blob to which nothing refers any more is that of something purged, and about to be removed.
  return name === 'blobs' ? sql`${isOf} AND t.id IN (${referred()})` : isOf;
}

const referencing = (references: readonly ForeignKey[], organizationId: string): Sql =>
  sql.join(
    references.map(({ tableName, columnName }) => {
      const organization = identifier(tableName === 'organizations' ? 'id' : 'organization_id');
      return sql`SELECT ${identifier(columnName)} FROM ${identifier(tableName)} WHERE ${organization} = ${organizationId}`;
    }),
    ' UNION ALL ',
  );

/** By name, and each behind those to which it refers. */
function inInsertOrder(names: readonly string[], foreignKeys: readonly ForeignKey[]): string[] {
  const order: string[] = [];
  let waiting = [...names].sort();
  while (waiting.length > 0) {
    const isReady = (name: string) =>
      (name !== LAST || waiting.length === 1) &&
      foreignKeys.every(
        ({ tableName, target, isDeferrable }) => tableName !== name || isDeferrable || order.includes(target),
      );
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error(`foreign keys in a circle must be deferrable: ${waiting}`);
    order.push(...ready);
    waiting = waiting.filter((name) => !order.includes(name));
  }
  return order;
}
