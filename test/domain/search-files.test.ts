import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { countRows } from '../../src/domain/listing-count.ts';
import { hitsOf } from '../../src/domain/search.ts';
import { readSearch } from '../../src/domain/search-query.ts';
import { newId } from '../../src/lib/id.ts';
import { newWorld } from '../support/world.ts';

/** So many documents, each with a file of its own that says `granite`; the first of them has a newer one, which does not. */
async function setUp(count: number) {
  const world = await newWorld();
  const { db, organization, project, owner } = world;
  const of = (type: 'Document' | 'Blob' | 'Revision') => Array.from({ length: count + 1 }, () => newId(type));
  const [documents, blobs, revisions] = [of('Document'), of('Blob'), of('Revision')];
  const rows = sql`unnest(${documents}::text[], ${blobs}::text[], ${revisions}::text[]) WITH ORDINALITY AS i(document, blob, revision, n)`;
  const numbers = sql`CASE WHEN n = 1 THEN 2 ELSE 1 END`;
  const statements = [
    sql`INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id)
      SELECT ${organization.id}, document, ${project.id}, 'd' || n, 'd' || n, ${numbers}, 'text/plain', 1, ${owner.id} FROM ${rows}`,
    sql`INSERT INTO blobs (organization_id, id, sha256, size, content_type, text_status)
      SELECT ${organization.id}, blob, sha256(n::text::bytea), 1, 'text/plain', 'READY' FROM ${rows}`,
    sql`INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
      SELECT ${organization.id}, revision, document, 1, blob, 'd' || n, 'text/plain', 1, ${owner.id} FROM ${rows}`,
    sql`INSERT INTO search_texts (organization_id, blob_id, number, text)
      SELECT ${organization.id}, blob, 1, 'granite of sheet ' || n FROM ${rows}`,
  ];
  for (const statement of statements) await db.query(statement);
  const parent = { organizationId: organization.id, id: organization.id };
  const ctx = await owner.context();
  return async (query: string) => {
    const search = readSearch(organization.id, { query });
    return (await countRows(ctx, hitsOf(ctx, 'organization', search), [parent], search))[0];
  };
}

describe('the text of the newest files', () => {
  it.each([1, 198, 199, 200, 300])('is searched where %i files say a word', async (count) => {
    const found = await setUp(count);
    expect([await found('granite'), await found('granite "sheet 2"'), await found('granit -sheet')]).toEqual([
      count,
      1,
      0,
    ]);
  });
});
