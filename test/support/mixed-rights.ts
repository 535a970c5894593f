import { type Sql, sql } from '../../src/db/sql/sql.ts';
import type { Parent } from '../../src/domain/kernel/listing.ts';
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
  const maker = sql`(${sql.texts(ids)})[1 + n % ${ids.length}]`;
  const id = (prefix: string, number: Sql) => sql`${`${prefix}_${tail}`} || lpad((${number})::text, 6, '0')`;
  const project = sql`${id('prj', sql`n % 4`)}`;
  const statements = [
    sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, purge_marked_at)
      SELECT ${org}, ${id('prj', sql`n`)}, 'P' || n, 'p' || n, (CASE WHEN n % 3 = 0 THEN 'OPEN' ELSE 'RESTRICTED' END)::project_access, ${owner.id},
        CASE WHEN n = 3 THEN now() END FROM generate_series(0, 3) n`,
    sql`INSERT INTO project_members (organization_id, id, project_id, user_id, role, created_by_id)
      SELECT ${org}, ${id('pmb', sql`n * 10 + p`)}, ${id('prj', sql`p`)}, u,
        (CASE WHEN n = 3 THEN 'ADMIN' WHEN n % 2 = 0 THEN 'EDITOR' ELSE 'VIEWER' END)::project_role, ${owner.id}
      FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS x(u, n), generate_series(0, 3) p WHERE n > 2 AND (n + p) % 3 <> 0`,
    sql`INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, created_by_id)
      SELECT ${org}, ${id('fld', sql`n`)}, ${project}, CASE WHEN n >= 8 THEN ${id('fld', sql`n - 8`)} END,
        CASE WHEN n >= 16 THEN ARRAY[${id('fld', sql`n - 16`)}, ${id('fld', sql`n - 8`)}] WHEN n >= 8 THEN ARRAY[${id('fld', sql`n - 8`)}] ELSE '{}' END,
        ${id('dgl', sql`n`)}, 'F' || n, 'f' || n, ${maker} FROM generate_series(0, 23) n`,
    sql`INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type, size, created_by_id)
      SELECT ${org}, ${id('doc', sql`n`)}, ${project}, CASE WHEN n < 24 THEN ${id('fld', sql`n`)} END, 'D' || n, 'd' || n, 1, 'text/plain', 1, ${maker}
      FROM generate_series(0, 59) n`,
    sql`INSERT INTO tasks (organization_id, id, project_id, name, name_key, description, due_at, assignee_email, created_by_id)
      SELECT ${org}, ${id('tsk', sql`n`)}, ${project}, 'T' || n, 't' || n, '', now(), CASE WHEN n % 3 = 0 THEN (${sql.texts(emails)})[1 + n % 5] END, ${maker}
      FROM generate_series(0, 59) n`,
    sql`INSERT INTO document_assignments (organization_id, document_id, email)
      SELECT ${org}, ${id('doc', sql`n`)}, (${sql.texts(emails)})[1 + n % 6] FROM generate_series(0, 59, 5) n`,
    sql`INSERT INTO folder_assignments (organization_id, folder_id, email)
      SELECT ${org}, ${id('fld', sql`n`)}, (${sql.texts(emails)})[1 + n % 7] FROM generate_series(0, 23, 3) n`,
    sql`INSERT INTO form_templates (organization_id, id, project_id, name, name_key, state, created_by_id)
      SELECT ${org}, ${id('frm', sql`n`)}, ${project}, 'M' || n, 'm' || n,
        (CASE WHEN n % 5 < 3 THEN 'SHARED' ELSE 'PRIVATE' END)::form_state, ${maker} FROM generate_series(0, 39) n`,
    sql`INSERT INTO form_shares (organization_id, form_template_id, email, created_by_id)
      SELECT ${org}, ${id('frm', sql`n`)}, (${sql.texts(emails)})[1 + n % 7], ${owner.id} FROM generate_series(0, 39, 2) n`,
    sql`INSERT INTO groups (organization_id, id, name, name_key, created_by_id)
      SELECT ${org}, ${id('grp', sql`p`)}, 'G' || p, 'g' || p, ${owner.id} FROM generate_series(0, 2) p`,
    sql`INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT ${org}, ${id('grp', sql`p`)}, u FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS x(u, n), generate_series(0, 2) p WHERE (n + p) % 3 = 0`,
    sql`INSERT INTO form_group_shares (organization_id, form_template_id, group_id, created_by_id)
      SELECT ${org}, ${id('frm', sql`n`)}, ${id('grp', sql`n % 3`)}, ${owner.id} FROM generate_series(1, 39, 4) n`,
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
      SELECT ${org}, ${id('apr', sql`n`)}, (${sql.texts(ids)})[1 + n % 7], CASE WHEN n % 3 = 0 THEN (${sql.texts(ids)})[1 + (n + 2) % 7] END
      FROM generate_series(30, 59) n`,
  ];
  for (const statement of statements) await db.query(statement);
  return { db, org, people: [...people, stranger] };
}

/** The same with documents in the recycle bin, tagged, held, signed, made from forms, with pages, and described; as few people as there are roles, and the stranger. */
export async function mixedObjects() {
  const world = await mixedRights();
  const { db, org } = world;
  const [owner, , member, other, , guest, , stranger] = world.people;
  const people = [owner, member, other, guest, stranger] as Person[];
  await db.query(sql`UPDATE documents SET state = 'RECYCLED', recycled_at = now(), recycled_by_id = ${owner?.id}, purge_at = now() + interval '1 day'
    WHERE organization_id = ${org} AND right(name, 1) IN ('7', '3') AND name <> 'D3'`);
  await db.query(sql`INSERT INTO tags (organization_id, id, project_id, text, text_key)
    SELECT organization_id, replace(id, 'prj', 'tag'), id, 'Red', 'red' FROM projects WHERE organization_id = ${org}`);
  await db.query(sql`INSERT INTO document_tags (organization_id, document_id, tag_id)
    SELECT organization_id, id, replace(project_id, 'prj', 'tag') FROM documents
    WHERE organization_id = ${org} AND right(name, 1) IN ('1', '3', '6', '8')`);
  await db.query(
    sql`UPDATE documents SET legal_hold = true, legal_hold_reason = 'x' WHERE organization_id = ${org} AND right(name, 1) IN ('2', '7')`,
  );
  await db.query(
    sql`UPDATE documents SET signed_at = now(), origin = CASE WHEN right(name, 1) = '2' THEN 'FORM' ELSE 'SEAL' END::document_origin
      WHERE organization_id = ${org} AND right(name, 1) IN ('2', '8')`,
  );
  await db.query(
    sql`UPDATE documents SET content_type = 'application/pdf', page_count = NULLIF(length(name) - 2, 0) WHERE organization_id = ${org} AND right(name, 1) IN ('4', '9')`,
  );
  await db.query(sql`INSERT INTO fields (organization_id, id, project_id, name, name_key, type, created_by_id)
    SELECT organization_id, replace(id, 'prj', 'fie'), id, 'Lot', 'lot', 'TEXT', created_by_id FROM projects WHERE organization_id = ${org}`);
  await db.query(sql`INSERT INTO document_field_values (organization_id, document_id, field_id, position, text, text_key, number)
    SELECT organization_id, id, replace(project_id, 'prj', 'fie'), p, 'L' || p, 'l' || p, p
    FROM documents, generate_series(1, 2) p WHERE organization_id = ${org} AND right(name, 1) IN ('2', '4', '6')`);
  await db.query(sql`INSERT INTO form_submissions (organization_id, id, project_id, form_template_id, group_id, submitted_by_id)
    SELECT t.organization_id, replace(t.id, 'frm', 'sub') || p.n, t.project_id, t.id, 'g', p.id
    FROM form_templates t, unnest(${sql.texts(people.map(({ id }) => id))}) WITH ORDINALITY AS p(id, n) WHERE t.organization_id = ${org} AND p.n < 5`);
  await db.query(sql`INSERT INTO signature_forms (organization_id, id, document_id, project_id, created_by_id)
    SELECT organization_id, replace(id, 'doc', 'sgf'), id, project_id, created_by_id FROM documents WHERE organization_id = ${org}`);
  await db.query(sql`INSERT INTO signature_fields (organization_id, id, form_id, type, rank, page_index, x, y)
    SELECT organization_id, replace(id, 'sgf', 'sfd'), id, 'SIGNATURE', 1, 0, 0, 0 FROM signature_forms
    WHERE organization_id = ${org} AND right(id, 1) <> '5'`);
  await addSessions(world);
  const parents = (table: string) =>
    db.query<Parent>(
      sql`SELECT organization_id, id FROM ${sql.raw(table)} WHERE organization_id = ${org} ORDER BY id`,
    );
  return {
    ...{ ...world, people, projects: await parents('projects'), folders: await parents('folders') },
    forms: await parents('form_templates'),
    processes: await parents('processes'),
  };
}

/** A draft of a signing session for every document that exists. */
async function addSessions({ db, org, people: [owner] }: Awaited<ReturnType<typeof mixedRights>>) {
  const blob = `blo_${org.slice(-20)}`;
  await db.query(sql`INSERT INTO blobs (organization_id, id, sha256, size, content_type)
    VALUES (${org}, ${blob}, sha256('x'), 1, 'text/plain')`);
  await db.query(sql`INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
    SELECT organization_id, replace(id, 'doc', 'rev'), id, 1, ${blob}, name, 'text/plain', 1, ${owner?.id}
    FROM documents WHERE organization_id = ${org}`);
  await db.query(sql`INSERT INTO signature_sessions (organization_id, id, document_id, project_id, revision_id, created_by_id)
    SELECT organization_id, replace(id, 'doc', 'sgs'), id, project_id, replace(id, 'doc', 'rev'), ${owner?.id}
    FROM documents WHERE organization_id = ${org}`);
}
