import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { openBefore } from './migrate/earlier.ts';

const NAME = '20261123101000_webhook_receivers';

const ROWS = `
  INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
  INSERT INTO organizations (id, name, name_key, created_by_id) VALUES ('org_1', 'Harbor', 'harbor', 'usr_1');
  INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
    VALUES ('org_1', 'prj_1', 'Quay', 'quay', 'OPEN', 'usr_1');
  INSERT INTO clients (id, organization_id, name, kind, scopes, created_by_id)
    VALUES ('app_1', 'org_1', 'Courier', 'PUBLIC', '{read}', 'usr_1');
  INSERT INTO grants (id, client_id, user_id, scopes) VALUES ('gra_1', 'app_1', 'usr_1', '{read}');
  INSERT INTO webhooks (organization_id, id, owner_id, credential_id, url, query, secret, sequence) VALUES
    ('org_1', 'whk_1', 'usr_1', 'gra_1', 'https://a.example/', '{ id }', 'sealed', 0),
    ('org_1', 'whk_2', 'usr_1', 'gra_swept', 'https://a.example/', '{ id }', 'sealed', 0),
    ('org_1', 'whk_3', 'usr_1', 'key_1', 'https://a.example/', '{ id }', 'sealed', 0);
  INSERT INTO form_templates (organization_id, id, project_id, name, name_key, created_by_id)
    VALUES ('org_1', 'frm_1', 'prj_1', 'Visit', 'visit', 'usr_1');
  INSERT INTO form_submissions (organization_id, id, project_id, form_template_id, group_id) VALUES
    ('org_1', 'fsb_waiting', 'prj_1', 'frm_1', 'fsb_waiting'), ('org_1', 'fsb_old', 'prj_1', 'frm_1', 'fsb_old');
  CREATE SCHEMA jobs;
  CREATE TYPE jobs.job_state AS ENUM ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  CREATE TABLE jobs.job (name text, data jsonb, state jobs.job_state NOT NULL DEFAULT 'created');
  INSERT INTO jobs.job (name, data) VALUES ('fileForm', '{"submissionId": "fsb_waiting"}');`;

it(
  'an upgrade binds webhooks to the application of their grant, and submissions whose job waits stay due',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-due-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { db: old } = await openBefore(NAME, folder);
    await old.exec(ROWS);
    await old.close();

    const db = await openPglite({ folder: join(folder, 'pg') });
    onTestFinished(() => db.close());
    const webhooks = await db.prisma.webhook.findMany({ orderBy: { id: 'asc' } });
    expect(webhooks.map(({ clientId }) => clientId)).toEqual(['app_1', null, null]);
    const due = await db.prisma.formSubmission.findMany({ where: { filingNextAt: { not: null } } });
    expect(due.map(({ id }) => id)).toEqual(['fsb_waiting']);
  },
  3 * MINUTE,
);
