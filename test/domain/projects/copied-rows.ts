import type { Database } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';

/** A statement for each resource that selects the rows of a project, with names in the place of ids. */
const STATEMENTS: Record<string, (projectId: string) => Sql> = {
  folders: (
    id,
  ) => sql`SELECT f.name, f.hex_color, p.name AS parent, ARRAY(SELECT a.name FROM unnest(f.ancestor_ids)
      WITH ORDINALITY AS x(id, position) JOIN folders a ON a.id = x.id AND a.project_id = f.project_id ORDER BY x.position) AS ancestors
    FROM folders f LEFT JOIN folders p ON p.id = f.parent_id AND p.project_id = f.project_id WHERE f.project_id = ${id} ORDER BY f.id`,
  fields: (id) => sql`SELECT f.name, f.label, f.type::text AS type, f.choices, f.required, p.name AS parent,
      ARRAY(SELECT l.parent_value || '/' || l.value FROM field_list_items l WHERE l.field_id = f.id ORDER BY l.rank) AS items
    FROM fields f LEFT JOIN fields p ON p.id = f.parent_id AND p.project_id = f.project_id WHERE f.project_id = ${id} ORDER BY f.id`,
  tags: (id) => sql`SELECT t.text, t.text_key FROM tags t WHERE t.project_id = ${id} ORDER BY t.id`,
  forms: (
    id,
  ) => sql`SELECT t.name, t.blob_id, t.page_count, ARRAY(SELECT concat_ws('/', c.name, b.type, b.rank, b.x)
      FROM form_fields b JOIN fields c ON c.id = b.field_id AND c.project_id = t.project_id
      WHERE b.form_template_id = t.id ORDER BY b.rank, b.id) AS fields
    FROM form_templates t WHERE t.project_id = ${id} ORDER BY t.id`,
  processes: (
    id,
  ) => sql`SELECT c.name, ARRAY(SELECT concat_ws('/', s.rank, s.name, s.rule, s.need, s.veto, s.exclude_requester, s.distinct_from_earlier, s.on_overdue, s.escalate_group_id, (SELECT string_agg(y.user_id, ',')
      FROM process_step_escalations y WHERE y.step_id = s.id), (SELECT string_agg(y.user_id, ',')
      FROM process_step_approvers y WHERE y.step_id = s.id), (SELECT string_agg(y.group_id, ',')
      FROM process_step_groups y WHERE y.step_id = s.id)) FROM process_steps s WHERE s.process_id = c.id ORDER BY s.rank, s.id) AS steps
    FROM processes c WHERE c.project_id = ${id} AND c.archived_at IS NULL ORDER BY c.id`,
  templates: (id) => sql`SELECT c.name, ARRAY(SELECT concat_ws('/', s.type, s.recipient_rank, s.x, s.y)
      FROM signature_template_fields s WHERE s.template_id = c.id ORDER BY s.rank) AS fields
    FROM signature_form_templates c WHERE c.project_id = ${id} ORDER BY c.id`,
  documents: (id) => sql`SELECT d.name, d.content_type, d.size, f.name AS folder, r.blob_id, r.name AS file,
      ARRAY(SELECT t.text FROM document_tags g JOIN tags t ON t.id = g.tag_id AND t.project_id = d.project_id
        WHERE g.document_id = d.id ORDER BY t.text_key) AS tags,
      ARRAY(SELECT concat_ws('/', c.name, v.position, v.text, v.number) FROM document_field_values v
        JOIN fields c ON c.id = v.field_id AND c.project_id = d.project_id WHERE v.document_id = d.id ORDER BY 1) AS values
    FROM documents d JOIN revisions r ON r.document_id = d.id AND r.number = d.revision_number
    LEFT JOIN folders f ON f.id = d.folder_id AND f.project_id = d.project_id
    WHERE d.project_id = ${id} AND d.state = 'ACTIVE' ORDER BY d.id`,
  tasks: (
    id,
  ) => sql`SELECT t.name, t.description, t.priority, t.duration_amount, t.duration_unit, t.due_at, p.name AS parent,
      ARRAY(SELECT c.text FROM task_tags g JOIN tags c ON c.id = g.tag_id AND c.project_id = t.project_id
        WHERE g.task_id = t.id ORDER BY c.text_key) AS tags, ARRAY(SELECT d.name FROM task_documents x
      JOIN documents d ON d.id = x.document_id AND d.project_id = t.project_id WHERE x.task_id = t.id ORDER BY x.position) AS documents
    FROM tasks t LEFT JOIN tasks p ON p.id = t.parent_id AND p.project_id = t.project_id WHERE t.project_id = ${id} ORDER BY t.id`,
};

export const STRUCTURE = ['folders', 'fields', 'tags', 'forms', 'processes', 'templates'];
export const CONTENT = ['documents', 'tasks'];

/** The rows of a project by resource, comparable with those of its copy. */
export async function rowsOf(db: Database, projectId: string): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const [name, statement] of Object.entries(STATEMENTS))
    rows[name] = (
      await db.query<{ item: object }>(sql`SELECT to_jsonb(r) AS item FROM (${statement(projectId)}) r`)
    ).map(({ item }) => item);
  return rows;
}
