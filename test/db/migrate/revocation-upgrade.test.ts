import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { sealFolderLinks } from '../../../src/domain/folders/folder-link.ts';
import { vault } from '../../../src/lib/seal.ts';
import { openBefore } from './earlier.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MIGRATION = '20261123102000_revocation';

/** As they stood before: folders with their links in clear, and invitations of which only the events say who created them. */
const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
  INSERT INTO organizations (id, name, name_key, created_by_id) VALUES ('org_1', 'Harbor', 'harbor', 'usr_1');
  INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
    VALUES ('org_1', 'prj_1', 'Quay', 'quay', 'OPEN', 'usr_1');
  INSERT INTO folders (organization_id, id, project_id, ancestor_ids, link_id, name, name_key, created_by_id)
    SELECT 'org_1', 'fld_' || n, 'prj_1', '{}', 'dgl_' || n, 'F' || n, 'f' || n, 'usr_1' FROM generate_series(1, 2300) n;
  INSERT INTO clients (id, organization_id, name, kind, redirect_uris, scopes, created_by_id)
    SELECT c, 'org_1', c, 'PUBLIC', '{}', '{read}', 'usr_1' FROM unnest(ARRAY['cli_live', 'cli_revoked']) c;
  INSERT INTO grants (id, client_id, user_id, scopes, revoked_at) VALUES ('gra_live', 'cli_live', 'usr_1', '{read}', NULL),
    ('gra_old', 'cli_live', 'usr_1', '{read}', now()), ('gra_revoked', 'cli_revoked', 'usr_1', '{read}', now());
  INSERT INTO invitations (organization_id, id, email, role, created_by_id)
    SELECT 'org_1', 'inv_' || c, c || '@example.test', 'MEMBER', 'usr_1' FROM unnest(ARRAY['key', 'live', 'old', 'revoked', 'swept']) c;
  INSERT INTO events (organization_id, sequence, id, subject_id, kind, actor_id, credential_id, data, created_at, hash)
    SELECT 'org_1', n, 'evt_' || n, 'inv_' || c, 'invitation.created', 'usr_1', CASE c WHEN 'key' THEN 'key_1' ELSE 'gra_' || c END,
    '{}', now(), sha256('') FROM unnest(ARRAY['key', 'live', 'old', 'revoked', 'swept']) WITH ORDINALITY x(c, n);`;

it('an older database keeps its folder links, encrypted, and its open invitations', async () => {
  const { db: old } = await openBefore(MIGRATION, folder);
  await old.exec(ROWS);
  await old.close();

  const db = await openPglite({ folder: join(folder, 'pg') });
  const invitations = await db.prisma.invitation.findMany({ orderBy: { id: 'asc' } });
  expect(invitations.map(({ id, clientId }) => [id, clientId])).toEqual([
    ['inv_key', null],
    ['inv_live', 'cli_live'],
    ['inv_old', 'cli_live'],
  ]);
  const links = vault([new Uint8Array(32)]);
  await Promise.all([sealFolderLinks(db, links), sealFolderLinks(db, links)]);
  const folders = await db.prisma.folder.findMany();
  expect(folders).toHaveLength(2_300);
  for (const { id, linkSealed } of folders) {
    expect(linkSealed).toMatch(/^sealed:/);
    expect(links.open(linkSealed, id)).toBe(id.replace('fld_', 'dgl_'));
  }
  await db.close();
}, 180_000);
