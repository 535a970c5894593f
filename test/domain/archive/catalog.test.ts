import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { readCatalog } from '../../../src/domain/archive/catalog.ts';
import { EXCLUDED_COLUMNS, EXCLUDED_TABLES } from '../../../src/domain/archive/excluded.ts';
import { testDatabase } from '../../support/database.ts';

it('an archive has these columns: a new one is either added here, or excluded with its reason', async () => {
  const tables = await readCatalog(await testDatabase());
  const text = tables.map(({ name, columns }) => `${name}: ${columns.join(' ')}\n`).sort();
  await expect(text.join('')).toMatchFileSnapshot('archive-columns.txt');
});

it('each table with an organization is in an archive, or excluded', async () => {
  const db = await testDatabase();
  const rows = await db.query<{ name: string }>(sql`SELECT c.relname::text AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`);
  const present = new Set((await readCatalog(db)).map(({ name }) => name));
  const missing = rows.map(({ name }) => name).filter((name) => !present.has(name));
  expect(missing.sort()).toEqual(Object.keys(EXCLUDED_TABLES));
});

it('what is excluded exists, and has a default or is filled', async () => {
  const db = await testDatabase();
  const excluded = Object.entries(EXCLUDED_COLUMNS).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const rows = await db.query<{ name: string; isOptional: boolean }>(sql`
    SELECT c.relname || '.' || a.attname AS name, NOT a.attnotnull OR a.atthasdef AS is_optional FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relname || '.' || a.attname = ANY(${excluded})`);
  expect(rows.map(({ name }) => name).sort()).toEqual([...excluded].sort());
  expect(rows.filter(({ isOptional }) => !isOptional).map(({ name }) => name)).toEqual([
    'folders.link_sealed',
  ]);
});

it('no column of an archive is named as a secret', async () => {
  const tables = await readCatalog(await testDatabase());
  const names = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  expect(
    names.filter((name) => /secret|password|token|sealed$|_key_hash|link_hash|code$/.test(name)).sort(),
  ).toEqual(['form_submissions.filing_error_code', 'log_stamps.token', 'signature_sessions.use_access_code']);
});
