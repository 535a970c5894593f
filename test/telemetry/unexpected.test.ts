import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { newDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';
import { newWorld } from '../support/world.ts';

/** The responses of a server whose tables of documents and folders are missing. */
async function setUp(db: Database) {
  const { owner, project } = await newWorld(db);
  const app = await appOn(db);
  for (const table of ['documents', 'folders', 'form_templates'])
    await db.prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' };
  return { app, headers, project };
}

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const UNTOLD = /relation|documents_away|form_templates|SELECT|at .*:\d+:\d+|Prisma|node_modules/;

describe('an unexpected error', () => {
  it('is reported with its request id only, in every interface', async () => {
    const db = await newDatabase();
    const { app, headers, project } = await setUp(db);
    const text = async (path: string, init: RequestInit = {}) => {
      const answer = await app.request(path, init);
      return { status: answer.status, text: await answer.text() };
    };
    const query = `{ project(id: "${project.id}") { documents(first: 1) { nodes { id } } } }`;
    const graph = await text('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
    const rest = await text(
      `/api/v1/organizations/${project.organizationId}/projects/${project.id}/documents`,
      { headers },
    );
    const form = await text(`/forms/dgl_${'x'.repeat(43)}`);
    await db.close();
    expect(JSON.parse(graph.text).errors).toEqual([
      {
        message: 'Something went wrong on our side.',
        path: ['project', 'documents'],
        locations: [expect.anything()],
        extensions: { code: 'INTERNAL', requestId: ID },
      },
    ]);
    expect([rest.status, JSON.parse(rest.text)]).toEqual([
      500,
      expect.objectContaining({ message: 'Something went wrong on our side.', requestId: ID }),
    ]);
    expect(form.status).toBe(500);
    for (const each of [graph, rest, form]) expect(each.text).not.toMatch(UNTOLD);
  });
});
