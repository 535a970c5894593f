import type { Database } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql/sql.ts';
import type { IdNames } from './id-names.ts';

export type Rows = Record<string, Record<string, unknown>[]>;

/** Columns that are secret, random, or derived from other columns. */
const HIDDEN = [
  'hash',
  'state_hash',
  'salt',
  'link_hash',
  'link_sealed',
  'secret_hash',
  'password_hash',
  'access_code',
  'prefix',
  'request_id',
  'last_used_at',
  'slot',
];
/** Written by reads, which the two APIs do not have in the same number. */
const READ_TRACES = ['opened_documents'];
const INDEXED = ['own', 'said', 'vector'];

interface Table {
  name: string;
  columns: string[];
}

let tables: Promise<Table[]> | undefined;

async function tablesOf(db: Database): Promise<Table[]> {
  const columns = await db.query<{ name: string; columnName: string }>(sql`
    SELECT c.table_name::text AS name, c.column_name::text AS column_name
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND t.table_type = 'BASE TABLE'`);
  const names = [...new Set(columns.map(({ name }) => name))];
  return names.map((name) => ({
    name,
    columns: columns.filter((each) => each.name === name).map(({ columnName }) => columnName),
  }));
}

/** Every row of every table that belongs to these people or their organizations. */
export async function rowsOf(db: Database, userIds: string[]): Promise<Rows> {
  tables ??= tablesOf(db);
  const theirs = sql`(SELECT o.id FROM organizations o WHERE o.created_by_id = ANY(${userIds}))`;
  const conditions = new Map<string, Sql>([
    ['organization_id', sql`t.organization_id IN ${theirs}`],
    ['user_id', sql`t.user_id = ANY(${userIds})`],
  ]);
  const compared = (await tables).filter(({ name }) => !READ_TRACES.includes(name));
  const parts = compared.flatMap(({ name, columns }) => {
    const key = [...conditions.keys()].find((column) => columns.includes(column));
    const where =
      name === 'organizations'
        ? sql`t.id IN ${theirs}`
        : name === 'users'
          ? sql`t.id ${sql.any(userIds)}`
          : key && conditions.get(key);
    const rows = sql`(SELECT coalesce(json_agg(t), '[]') FROM ${sql.raw(`"${name}"`)} t WHERE ${where})`;
    return where ? [sql`${rows} AS ${sql.raw(`"${name}"`)}`] : [];
  });
  const [result] = await db.query<Record<string, Rows[string] | string>>(sql`SELECT ${sql.join(parts)}`);
  return Object.fromEntries(
    Object.entries(result ?? {}).map(([name, rows]) => [
      snakeCase(name),
      (typeof rows === 'string' ? JSON.parse(rows) : rows) as Rows[string],
    ]),
  );
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The masked rows: events in their order, all others sorted by text. */
export function maskedRows(rows: Rows, names: IdNames): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(rows).map(([table, each]) => {
      const inOrder =
        table === 'events' ? each.toSorted((a, b) => Number(a.sequence) - Number(b.sequence)) : each;
      const texts = inOrder.map((row) => names.mask(JSON.stringify(shown(table, row))));
      return [table, table === 'events' ? byOrganization(texts) : texts.sort()];
    }),
  );
}

/** Groups by organization, since events are numbered in each; keeps their order. */
const byOrganization = (texts: string[]): string[] => {
  const of = (text: string) => /<org \d+>/.exec(text)?.[0] ?? '';
  return texts.toSorted((a, b) => of(a).localeCompare(of(b)));
};

const shown = (table: string, row: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(table === 'states' ? withoutPeople(row) : row).filter(
      ([column]) =>
        !HIDDEN.includes(column) &&
        !(table === 'search_entries' && INDEXED.includes(column)) &&
        !(table === 'state_people' && column === 'id'),
    ),
  );

/** A state with the number of its assignees, who have random ids there. */
const withoutPeople = ({ body, ...row }: { body?: unknown; [column: string]: unknown }) => {
  const { assignees, ...item } = (body ?? {}) as { assignees?: string[] };
  return { ...row, body: { ...item, assignees: assignees?.length } };
};
