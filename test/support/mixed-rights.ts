import { type Sql, sql } from '../../src/db/sql.ts';
import { newMember, newWorld, type Person } from './world.ts';

/**
 * Three projects, one of them deleted, with folders three deep and 60 documents, tasks and forms, of which every person
 * has made, been assigned, been asked to approve, delegated and been shared some.
 */
export async function mixedRights() {
  const world = await newWorld();
  const { db, owner, stranger, organization } = world;
  const org = organization.id;
  const tail = org.slice(-20);
  const people: Person[] = [owner];
  for (const role of ['ADMIN', 'MEMBER', 'MEMBER', 'MEMBER', 'GUEST', 'GUEST'] as const)
    people.push(await newMember(db, org, role));
  const ids = people.map(({ id }) => id);
  const emails = people.map(({ email }) => email);
  const maker = sql`(${ids}::text[])[1 + n % ${ids.length}]`;
  const id = (prefix: string, number: Sql) => sql`${`${prefix}_${tail}`} || lpad((${number})::text, 6, '0')`;
  const project = sql`${id('prj', sql`n % 4`)}`;
  const statements = [
    sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, purge_marked_at)
      SELECT ${org}, ${id('prj', sql`n`)}, 'P' || n, 'p' || n, (CASE WHEN n % 3 = 0 THEN 'OPEN' ELSE 'RESTRICTED' END)::project_access, ${owner.id},
        CASE WHEN n = 3 THEN now() END FROM generate_series(0, 3) n`,
    sql`INSERT INTO project_members (organization_id, id, project_id, user_id, role, created_by_id)
      SELECT ${org}, ${id('pmb', sql`n * 10 + p`)}, ${id('prj', sql`p`)}, u,
        (CASE WHEN n = 3 THEN 'ADMIN' WHEN n % 2 = 0 THEN 'EDITOR' ELSE 'VIEWER' END)::project_role, ${owner.id}
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS x(u, n), generate_series(0, 3) p WHERE n > 2 AND (n + p) % 3 <> 0`,
    sql`INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_id, name, name_key, created_by_id)
      SELECT ${org}, ${id('fld', sql`n`)}, ${project}, CASE WHEN n >= 8 THEN ${id('fld', sql`n - 8`)} END,
        CASE WHEN n >= 16 THEN ARRAY[${id('fld', sql`n - 16`)}, ${id('fld', sql`n - 8`)}] WHEN n >= 8 THEN ARRAY[${id('fld', sql`n - 8`)}] ELSE '{}' END,
        ${id('dgl', sql`n`)}, 'F' || n, 'f' || n, ${maker} FROM generate_series(0, 23) n`,
    sql`INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type, size, created_by_id)
      SELECT ${org}, ${id('doc', sql`n`)}, ${project}, CASE WHEN n < 24 THEN ${id('fld', sql`n`)} END, 'D' || n, 'd' || n, 1, 'text/plain', 1, ${maker}
      FROM generate_series(0, 59) n`,
    sql`INSERT INTO tasks (organization_id, id, project_id, name, name_key, description, due_at, assignee_email, created_by_id)
      SELECT ${org}, ${id('tsk', sql`n`)}, ${project}, 'T' || n, 't' || n, '', now(), CASE WHEN n % 3 = 0 THEN (${emails}::text[])[1 + n % 5] END, ${maker}
      FROM generate_series(0, 59) n`,
    sql`INSERT INTO document_assignments (organization_id, document_id, email)
      SELECT ${org}, ${id('doc', sql`n`)}, (${emails}::text[])[1 + n % 6] FROM generate_series(0, 59, 5) n`,
    sql`INSERT INTO folder_assignments (organization_id, folder_id, email)
      SELECT ${org}, ${id('fld', sql`n`)}, (${emails}::text[])[1 + n % 7] FROM generate_series(0, 23, 3) n`,
    sql`INSERT INTO form_templates (organization_id, id, project_id, name, name_key, state, created_by_id)
      SELECT ${org}, ${id('frm', sql`n`)}, ${project}, 'M' || n, 'm' || n,
        (CASE WHEN n % 5 < 3 THEN 'SHARED' ELSE 'PRIVATE' END)::form_state, ${maker} FROM generate_series(0, 39) n`,
    sql`INSERT INTO form_shares (organization_id, form_template_id, email, created_by_id)
      SELECT ${org}, ${id('frm', sql`n`)}, (${emails}::text[])[1 + n % 7], ${owner.id} FROM generate_series(0, 39, 2) n`,
    sql`INSERT INTO processes (organization_id, id, project_id, name, name_key, created_by_id)
      SELECT ${org}, ${id('prc', sql`p`)}, ${id('prj', sql`p`)}, 'C' || p, 'c' || p, ${owner.id} FROM generate_series(0, 3) p`,
    sql`INSERT INTO process_steps (organization_id, id, process_id, rank, name, rule)
      SELECT ${org}, ${id('stp', sql`p`)}, ${id('prc', sql`p`)}, 1, 'S', 'ONE' FROM generate_series(0, 3) p`,
    sql`INSERT INTO process_runs (organization_id, id, project_id, process_id, document_id, task_id, created_by_id)
      SELECT ${org}, ${id('run', sql`n`)}, ${project}, ${id('prc', sql`n % 4`)},
        CASE WHEN n % 2 = 1 THEN ${id('doc', sql`n`)} END, CASE WHEN n % 2 = 0 THEN ${id('tsk', sql`n`)} END, ${owner.id} FROM generate_series(30, 59) n`,
    sql`INSERT INTO approvals (organization_id, id, project_id, run_id, step_id, rule)
      SELECT ${org}, ${id('apr', sql`n`)}, ${project}, ${id('run', sql`n`)}, ${id('stp', sql`n % 4`)}, 'ONE' FROM generate_series(30, 59) n`,
    sql`INSERT INTO approvers (organization_id, approval_id, user_id, delegated_from_id)
      SELECT ${org}, ${id('apr', sql`n`)}, (${ids}::text[])[1 + n % 7], CASE WHEN n % 3 = 0 THEN (${ids}::text[])[1 + (n + 2) % 7] END
      FROM generate_series(30, 59) n`,
  ];
  for (const statement of statements) await db.query(statement);
  return { db, org, people: [...people, stranger] };
}
