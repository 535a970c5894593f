import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql/sql.ts';
import { newDatabase } from '../support/database.ts';
import { explaining } from '../support/plans.ts';

const ORGANIZATIONS = 60;

/** Organizations that have a project and a document each, so that a column tells them apart as well as a key would. */
const fill = [
  sql`INSERT INTO users (id, email, name) VALUES ('usr', 'someone@example.test', 'Someone')`,
  sql`INSERT INTO organizations (id, name, name_key, created_by_id)
    SELECT 'org' || n, 'Small', 'small', 'usr' FROM generate_series(1, ${ORGANIZATIONS}::int) n`,
  sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
    SELECT id, 'prj' || id, 'Only', 'only', 'OPEN', 'usr' FROM organizations`,
  sql`INSERT INTO documents (organization_id, project_id, id, name, name_key, revision_number, content_type, size, created_by_id)
    SELECT organization_id, id, 'doc' || id, 'Only', 'only', 1, 'text/plain', 1, 'usr' FROM projects`,
  sql`ANALYZE documents, projects`,
];

describe('a large organization among many small ones', () => {
  it('is estimated by the planner at its size in every table', async () => {
    const db = await newDatabase();
    const tables = await db.query<{ name: string }>(sql`
      SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relkind = 'r' AND a.attname = 'organization_id' AND c.relnamespace = current_schema()::regnamespace
      AND ('n_distinct=1' = ANY(a.attoptions)) IS NOT TRUE`);
    await db.close();
    expect(tables).toEqual([]);
  });

  it.each<[string, Sql]>([
    ['document', sql`documents x WHERE x.id = y.id || ''`],
    ['project', sql`projects x WHERE x.id = 'prj' || y.id`],
  ])('has a %s looked up by its id', async (_, row) => {
    const db = await newDatabase();
    for (const statement of fill) await db.query(statement);
    const { reader, lines } = explaining(db);
    await reader.query(sql`SELECT FROM organizations y CROSS JOIN LATERAL (
      SELECT FROM ${row} AND x.organization_id = y.id OFFSET 0) found`);
    await db.close();
    expect(lines.filter((line) => line.includes('Index Cond')).join()).toMatch(/\bid = \(/);
  });
});
