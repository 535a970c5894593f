import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { openBefore } from './earlier.ts';

const folder = mkdtempSync(join(tmpdir(), 'docgraph-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MIGRATION = '20261126094355_second_factor_since';

/** Keys of 1 and 5 May, the second one created by the first; a rule that began on 3 May for the second time, and one without its event. */
const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
  INSERT INTO organizations (id, name, name_key, created_by_id, requires_second_factor) VALUES
    ('org_1', 'Harbor', 'harbor', 'usr_1', true), ('org_2', 'Mole', 'mole', 'usr_1', true), ('org_3', 'Pier', 'pier', 'usr_1', false);
  INSERT INTO api_keys (id, user_id, name, prefix, secret_hash, scopes, ancestor_ids, created_at) VALUES
    ('key_1', 'usr_1', 'a', 'dgk_a', 'a', '{read}', '{}', '2026-05-01Z'),
    ('key_2', 'usr_1', 'b', 'dgk_b', 'b', '{read}', '{key_1}', '2026-05-05Z'),
    ('key_3', 'usr_1', 'c', 'dgk_c', 'c', '{read}', '{}', '2026-05-05Z');
  INSERT INTO webhooks (organization_id, id, owner_id, credential_id, url, query, secret, sequence, created_at, modified_at) VALUES
    ('org_1', 'whk_1', 'usr_1', 'key_2', '', '', '', 0, '2026-05-06Z', NULL),
    ('org_1', 'whk_2', 'usr_1', 'ses_1', '', '', '', 0, '2026-05-02Z', '2026-05-07Z'),
    ('org_1', 'whk_3', 'usr_1', 'ses_1', '', '', '', 0, '2026-05-02Z', NULL);
  INSERT INTO events (organization_id, sequence, id, subject_id, kind, actor_id, credential_id, data, created_at, hash)
    SELECT organization, n, 'evt_' || organization || n, organization, 'organization.updated', 'usr_1', 'ses_1',
      jsonb_build_object('after', after), at::timestamptz, sha256('')
    FROM (VALUES ('org_1', 1, '{"requiresSecondFactor": true}'::jsonb, '2026-05-01Z'), ('org_1', 2, '{"requiresSecondFactor": false}', '2026-05-02Z'),
      ('org_1', 3, '{"requiresSecondFactor": true}', '2026-05-03Z'), ('org_1', 4, '{"name": "Harbor"}', '2026-05-04Z'),
      ('org_3', 1, '{"requiresSecondFactor": true}', '2026-05-03Z')) x(organization, n, after, at);`;

const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null;

it('an older database knows since when a second factor is required, and when its credentials were issued', async () => {
  const { db: old } = await openBefore(MIGRATION, folder);
  await old.exec(ROWS);
  await old.close();

  const db = await openPglite({ folder: join(folder, 'pg') });
  const orderBy = { id: 'asc' } as const;
  const organizations = await db.prisma.organization.findMany({ orderBy });
  expect(organizations.map(({ secondFactorSince }) => day(secondFactorSince))).toEqual([
    '2026-05-03',
    null,
    null,
  ]);
  const keys = await db.prisma.apiKey.findMany({ orderBy });
  expect(keys.map(({ authorizedAt }) => day(authorizedAt))).toEqual([
    '2026-05-01',
    '2026-05-01',
    '2026-05-05',
  ]);
  const webhooks = await db.prisma.webhook.findMany({ orderBy });
  expect(webhooks.map(({ authorizedAt }) => day(authorizedAt))).toEqual([
    '2026-05-01',
    '2026-05-07',
    '2026-05-02',
  ]);
  expect([...keys, ...webhooks].every(({ secondFactor }) => !secondFactor)).toBe(true);
  await db.close();
}, 180_000);
