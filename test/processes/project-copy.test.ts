import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { newSite, type Site } from '../soak/site.ts';
import { freePort, type ServerProcess } from '../support/servers/processes.ts';

const COUNT = 6_000;
const postgres = process.env.TEST_DATABASE_URL;

describe.runIf(postgres)('a copy of a project whose process is killed (needs PostgreSQL)', () => {
  let site: Site;
  let server: ServerProcess;
  let base: string;

  async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const headers = { Authorization: `Bearer ${site.key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Body;
  }

  /** Uploads a document, and adds documents with the same file by one statement. */
  async function fillSource() {
    const path = `${base}/projects/${site.projectId}/documentUploads`;
    const { UniqueId, SignedUrl } = await send<Record<string, string>>('GET', path);
    const begun = await fetch(SignedUrl as string, {
      method: 'PUT',
      headers: { 'x-goog-resumable': 'start' },
    });
    await fetch(begun.headers.get('location') as string, { method: 'PUT', body: 'content\n' });
    const file = { UniqueId, OriginalFilename: 'a.txt', OriginalFileSize: 8 };
    await send('PUT', `${path}?uniqueId=${UniqueId}`, [file]);
    await site.look((db) =>
      db.query(sql`WITH added AS (INSERT INTO documents (organization_id, id, project_id, name, name_key,
          revision_number, content_type, size, created_by_id)
        SELECT organization_id, id || '_' || n, project_id, 'File ' || n, 'file ' || n, 1, content_type, size, created_by_id
        FROM documents, generate_series(1, ${COUNT - 1}::int) AS n WHERE project_id = ${site.projectId}
        RETURNING organization_id, id, created_by_id)
        INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
        SELECT r.organization_id, 'rev_' || a.id, a.id, 1, r.blob_id, 'File', r.content_type, r.size, a.created_by_id
        FROM added a CROSS JOIN revisions r WHERE r.number = 1 AND NOT r.id LIKE '%\\_%\\_%'`),
    );
  }

  const progressOf = async (id: string) => {
    const query = `{ project(id: "${id}") { disabled copy { state copied total } } }`;
    type Progress = { disabled: boolean; copy: { state: string; copied: number; total: number } };
    return (await send<{ data: { project: Progress } }>('POST', '/graphql', { query })).data.project;
  };

  beforeAll(async () => {
    site = await newSite(postgres as string);
    base = `/api/v1/organizations/${site.organizationId}`;
    server = await site.serve(await freePort());
    await fillSource();
  }, 240_000);

  afterAll(async () => {
    await server.stop();
    await site.remove();
  });

  it('goes on in the next process, shows its progress, and has each document once', async () => {
    const source = { Name: 'Copy', SourceID: site.projectId, SourceContentCopy: true };
    const [project] = await send<{ ID: string; Disabled: boolean }[]>('POST', `${base}/projects`, [source]);
    const id = project?.ID as string;
    expect(project?.Disabled).toBe(true);
    await expect.poll(async () => (await progressOf(id)).copy.copied, { timeout: 60_000 }).toBeGreaterThan(0);
    await server.end('SIGKILL');
    server = await site.serve(await freePort());
    const resumed = await progressOf(id);
    expect(resumed.copy.copied).toBeGreaterThan(0);
    expect(resumed.copy.total).toBeGreaterThanOrEqual(COUNT);
    await expect
      .poll(async () => (await progressOf(id)).copy.state, { timeout: 120_000, interval: 500 })
      .toBe('COMPLETED');
    expect((await progressOf(id)).disabled).toBe(false);
    const [copied] = await site.look((db) =>
      db.query(sql`SELECT count(*)::int AS documents, count(DISTINCT name)::int AS names,
        (SELECT count(*)::int FROM revisions r JOIN documents c ON c.id = r.document_id WHERE c.project_id = ${id}) AS revisions,
        (SELECT count(DISTINCT e.subject_id)::int FROM events e WHERE e.project_id = ${id} AND e.kind = 'document.created') AS events,
        (SELECT count(*)::int FROM events e WHERE e.project_id = ${id} AND e.kind = 'project.copied') AS completions
        FROM documents d WHERE d.project_id = ${id}`),
    );
    expect(copied).toEqual({
      documents: COUNT,
      names: COUNT,
      revisions: COUNT,
      events: COUNT,
      completions: 1,
    });
  }, 300_000);
});
