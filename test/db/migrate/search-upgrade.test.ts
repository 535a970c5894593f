import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyMigrations, MIGRATIONS } from '../../../src/db/migrate/migrate.ts';
import { openBefore } from './earlier.ts';

const NAME = '20261126031500_search_joined';

const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
  INSERT INTO organizations (id, name, name_key, created_by_id) VALUES ('org_1', 'Harbor', 'harbor', 'usr_1');
  INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
    VALUES ('org_1', 'prj_1', 'Quay', 'quay', 'OPEN', 'usr_1');
  INSERT INTO tasks (organization_id, id, project_id, name, name_key, created_by_id)
    SELECT 'org_1', 'tsk_' || n, 'prj_1', 'plain', 'plain', 'usr_1' FROM generate_series(1000, 2200) n;
  UPDATE tasks SET name = 'O''Brien ک', name_key = 'o''brien ک' WHERE id IN ('tsk_1000', 'tsk_2200');
  INSERT INTO blobs (organization_id, id, sha256, size, content_type) VALUES ('org_1', 'blb_1', sha256('x'), 1, 'text/plain');
  INSERT INTO search_texts (organization_id, blob_id, number, text) VALUES ('org_1', 'blb_1', 0, 'DE89 3704 0044 0532 0130 00');
  UPDATE search_entries SET said = search_vector('org_1', 'kept', '') WHERE subject_id = 'tsk_1000';`;

it('an upgrade indexes what is stored by the new rules of search, in batches, and comments stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-search-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { db, connection } = await openBefore(NAME, folder);
  onTestFinished(() => db.close());
  await db.exec(ROWS);
  const idsWith = async (table: string, key: string, word: string) => {
    const { rows } = await db.query<{ id: string }>(
      `SELECT ${key} AS id FROM ${table} WHERE vector @@ ('''org_1' || $1 || '''')::tsquery ORDER BY 1`,
      [word],
    );
    return rows.map(({ id }) => id);
  };
  expect(await idsWith('search_entries', 'subject_id', 'obrien')).toEqual([]);
  await applyMigrations(connection, MIGRATIONS);
  expect(await idsWith('search_entries', 'subject_id', 'obrien')).toEqual(['tsk_1000', 'tsk_2200']);
  expect(await idsWith('search_entries', 'subject_id', 'ك')).toEqual(['tsk_1000', 'tsk_2200']);
  expect(await idsWith('search_entries', 'subject_id', 'kept')).toEqual(['tsk_1000']);
  expect(await idsWith('search_texts', 'blob_id', 'de89370400440532013000')).toEqual(['blb_1']);
});
