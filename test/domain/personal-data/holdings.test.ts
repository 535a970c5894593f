import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { HOLDINGS } from '../../../src/domain/personal-data/erasure-plan.ts';
import { testDatabase } from '../../support/database.ts';

/** Columns by which rows are about a person, and that the holdings leave to something else. */
const ELSEWHERE: Record<string, string> = {
  'events.actor_id': 'exported and kept as events (person-events.ts)',
  'hidden_contacts.contact_id': 'the address book of the other person; deleted with the account',
  'mails.mailbox': 'of the address in to_email',
  'users.former_email': 'only while an erasure is under way',
};

/** Who created or changed something: the event says so in the export, and the id leads to an account without a name. */
const AUTHORS = /\.(created|modified|recycled|completed|decided|requested|resent|purge_marked|locked)_by_id$/;

/** Columns of these names have the id of a person, an address, or from where a person acted, whatever they refer to. */
const PERSONAL = /(^|_)(user_id|email|mailbox|ip_address|user_agent)$/;

/** Of tables whose rows end within a day, or of which an organization has a few. */
const SMALL = ['oidc_requests.user_id', 'oidc_requests.email', 'sign_ups.email', 'webhooks.owner_id'];

async function personalColumns(): Promise<string[]> {
  const { query } = await testDatabase();
  const referring = await query<{
    name: string;
  }>(sql`SELECT c.conrelid::regclass::text || '.' || a.attname AS name
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass`);
  const named = await query<{ tableName: string; columnName: string; dataType: string }>(
    sql`SELECT c.table_name::text, c.column_name::text, c.data_type::text FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`,
  );
  const byName = named
    .filter(({ columnName, dataType }) => PERSONAL.test(columnName) && dataType === 'text')
    .map(({ tableName, columnName }) => `${tableName}.${columnName}`);
  return [...new Set([...referring.map(({ name }) => name), ...byName])].sort();
}

/** Columns of a holding that select its rows, or are exported, or are said to be withheld. */
const covered = (): Set<string> =>
  new Set(
    HOLDINGS.flatMap(({ table, by, columns, withheld = [] }) =>
      [...Object.keys(by), ...columns, ...withheld].map((column) => `${table}.${column}`),
    ),
  );

describe('what the installation holds about a person', () => {
  it('is exported and erased by each column that refers to an account or has an address, or is left out with a reason', async () => {
    const coveredColumns = covered();
    const columns = await personalColumns();
    expect(columns.length).toBeGreaterThan(90);
    expect(
      columns.filter(
        (column) => !coveredColumns.has(column) && !AUTHORS.test(column) && !(column in ELSEWHERE),
      ),
    ).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((column) => !columns.includes(column))).toEqual([]);
  });

  it('has each column of a table that is about its person alone exported, or withheld', async () => {
    const { query } = await testDatabase();
    const rows = await query<{ name: string; tableName: string }>(
      sql`SELECT c.table_name::text, c.table_name::text || '.' || c.column_name::text AS name FROM information_schema.columns c
        WHERE c.table_schema = current_schema()`,
    );
    const own = new Set(HOLDINGS.filter(({ end }) => end === 'ACCOUNT').map(({ table }) => table));
    const coveredColumns = covered();
    const missing = rows.filter(
      ({ name, tableName }) => (own.has(tableName) || tableName === 'users') && !coveredColumns.has(name),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('is found by an index, unless the table is small', async () => {
    const { query } = await testDatabase();
    const indexes = await query<{ tableName: string; columns: string[] }>(
      sql`SELECT i.indrelid::regclass::text AS table_name, ARRAY(
          SELECT coalesce(a.attname, '') FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, at)
          LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum ORDER BY k.at)::text[] AS columns
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = current_schema()::regnamespace`,
    );
    const unindexed = HOLDINGS.flatMap(({ table, by, byOrganization = [] }) =>
      Object.keys(by).flatMap((column) => {
        const first = byOrganization.includes(column) ? ['organization_id', column] : [column];
        const serves = (columns: string[]) => first.every((each, at) => columns[at] === each);
        const isIndexed = indexes.some(({ tableName, columns }) => tableName === table && serves(columns));
        return isIndexed ? [] : [`${table}.${column}`];
      }),
    );
    expect([...new Set(unindexed)]).toEqual(SMALL);
  });

  it('never exports a secret or a hash of one', () => {
    const exported = HOLDINGS.flatMap(({ columns }) => columns);
    expect(
      exported.filter((column) => /hash|secret|seed|handle|public_key|sealed|token/.test(column)),
    ).toEqual([]);
  });

  it('says why whatever is kept stays', () => {
    expect(HOLDINGS.filter(({ end, reason }) => (end === 'KEPT' || end === 'REPLACED') && !reason)).toEqual(
      [],
    );
  });
});
