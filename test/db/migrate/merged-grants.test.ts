import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { expect, it } from 'vitest';
import { MIGRATIONS, readMigrations } from '../../../src/db/migrate/migrate.ts';

const NAME = '20261123103000_one_grant';

const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada'), ('usr_2', 'bob@example.test', 'Bob');
  INSERT INTO organizations (id, name, name_key, created_by_id) VALUES ('org_1', 'Harbor', 'harbor', 'usr_1');
  INSERT INTO clients (id, organization_id, name, kind, redirect_uris, scopes, created_by_id)
    VALUES ('app_1', 'org_1', 'Planner', 'CONFIDENTIAL', '{https://app.example/}', '{read,write}', 'usr_1');
  INSERT INTO grants (id, client_id, user_id, scopes, created_at, revoked_at) VALUES
    ('gra_1', 'app_1', 'usr_1', '{read}', '2026-01-01', NULL), ('gra_2', 'app_1', 'usr_1', '{write}', '2026-01-02', NULL),
    ('gra_3', 'app_1', 'usr_1', '{read}', '2025-01-03', '2026-01-03'), ('gra_4', 'app_1', 'usr_2', '{read}', '2026-01-04', NULL);
  INSERT INTO authorization_codes (secret_hash, grant_id, redirect_uri, expires_at, used_at) VALUES
    ('\\x01', 'gra_1', 'https://app.example/', now(), now()), ('\\x02', 'gra_2', 'https://app.example/', now(), now());
  INSERT INTO access_tokens (secret_hash, grant_id, scopes, expires_at) VALUES
    ('\\x11', 'gra_1', '{read}', now()), ('\\x12', 'gra_2', '{write}', now()), ('\\x14', 'gra_4', '{read}', now());
  INSERT INTO refresh_tokens (secret_hash, grant_id, scopes, expires_at) VALUES
    ('\\x21', 'gra_1', '{read}', now()), ('\\x22', 'gra_2', '{write}', now());`;

it('the grants of a user for a client are merged, and each token stays in its family', async () => {
  const db = await PGlite.create({ extensions: { btree_gin, pg_trgm } });
  const migrations = await readMigrations(MIGRATIONS);
  const at = migrations.findIndex(({ name }) => name === NAME);
  for (const { sql } of migrations.slice(0, at)) await db.exec(sql);
  await db.exec(ROWS);
  await db.exec(
    `BEGIN; ${readFileSync(fileURLToPath(new URL(`${NAME}/migration.sql`, MIGRATIONS)), 'utf8')}; COMMIT`,
  );
  const rows = async (text: string) => (await db.query(text)).rows;
  expect(await rows('SELECT id, scopes::text, revoked_reason FROM grants ORDER BY id')).toEqual([
    { id: 'gra_1', scopes: '{read,write}', revoked_reason: null },
    { id: 'gra_2', scopes: '{write}', revoked_reason: 'merged' },
    { id: 'gra_3', scopes: '{read}', revoked_reason: null },
    { id: 'gra_4', scopes: '{read}', revoked_reason: null },
  ]);
  const tokens = (table: string) =>
    rows(`SELECT encode(t.secret_hash, 'hex') AS token, t.grant_id, t.scopes::text, c.grant_id = t.grant_id AS same,
      c.scopes = t.scopes AS fits FROM ${table} t JOIN authorization_codes c ON c.secret_hash = t.code_hash ORDER BY 1`);
  expect(await tokens('access_tokens')).toEqual([
    { token: '11', grant_id: 'gra_1', scopes: '{read}', same: true, fits: true },
    { token: '12', grant_id: 'gra_1', scopes: '{write}', same: true, fits: true },
    { token: '14', grant_id: 'gra_4', scopes: '{read}', same: true, fits: true },
  ]);
  expect(await tokens('refresh_tokens')).toEqual([
    { token: '21', grant_id: 'gra_1', scopes: '{read}', same: true, fits: true },
    { token: '22', grant_id: 'gra_1', scopes: '{write}', same: true, fits: true },
  ]);
  await expect(
    db.exec(
      `INSERT INTO grants (id, client_id, user_id, scopes) VALUES ('gra_5', 'app_1', 'usr_1', '{read}')`,
    ),
  ).rejects.toThrow('grants_live');
  await db.close();
}, 120_000);
