import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { afterAll, expect, it } from 'vitest';
import { applyMigrations, MIGRATIONS } from '../../../src/db/migrate/migrate.ts';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { newWorld } from '../../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of what every version has: written as the first one had it, so that it goes in whatever the previous one is. */
const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
  INSERT INTO organizations (id, name, name_key, created_by_id) VALUES ('org_1', 'Harbor', 'harbor', 'usr_1');
  INSERT INTO memberships (organization_id, id, user_id, role, created_by_id) VALUES ('org_1', 'mbr_1', 'usr_1', 'OWNER', 'usr_1');
  INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
    VALUES ('org_1', 'prj_1', 'Quay', 'quay', 'OPEN', 'usr_1');
  INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id)
    VALUES ('org_1', 'doc_1', 'prj_1', 'Plan of the quay', 'plan of the quay', 1, 'text/plain', 3, 'usr_1');
  INSERT INTO blobs (organization_id, id, sha256, size, content_type) VALUES ('org_1', 'blb_1', decode(repeat('00', 32), 'hex'), 3, 'text/plain');
  INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
    VALUES ('org_1', 'rev_1', 'doc_1', 1, 'blb_1', 'Plan of the quay', 'text/plain', 3, 'usr_1');`;

it('the newest migration upgrades a database with data, which works afterwards', async () => {
  const all = fileURLToPath(MIGRATIONS);
  const earlier = join(folder, 'migrations');
  cpSync(all, earlier, { recursive: true });
  const names = readdirSync(all, { withFileTypes: true }).filter((each) => each.isDirectory());
  const newest = names
    .map(({ name }) => name)
    .sort()
    .at(-1) as string;
  rmSync(join(earlier, newest), { recursive: true });

  const data = join(folder, 'pg');
  const old = await PGlite.create({ dataDir: data, extensions: { btree_gin, pg_trgm } });
  const run = {
    query: (text: string, values?: unknown[]) => old.query(text, values),
    exec: (text: string) => old.exec(text),
  };
  expect(await applyMigrations(run as never, earlier)).not.toContain(newest);
  await old.exec(ROWS);
  await old.close();

  const db = await openPglite({ folder: data });
  const applied = await db.execute('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1', []);
  expect(applied.rows.at(-1)).toEqual({ name: newest });
  expect(
    await db.prisma.document.findMany({ include: { project: { include: { organization: true } } } }),
  ).toMatchObject([
    { id: 'doc_1', name: 'Plan of the quay', project: { name: 'Quay', organization: { name: 'Harbor' } } },
  ]);
  const counts = await db.execute(
    'SELECT project_id, active::int, recycled::int, pages::int FROM document_counts',
    [],
  );
  expect(counts.rows).toEqual([{ project_id: 'prj_1', active: 1, recycled: 0, pages: 0 }]);
  const { project } = await newWorld(db);
  expect(await db.prisma.project.count()).toBe(2);
  expect(project.name).toBe('Quay');
  await db.close();
}, 180_000);
