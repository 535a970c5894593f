import { type Sql, sql } from '../../db/sql/sql.ts';
import type { StateKind } from '../../generated/prisma/enums.ts';
import { projectRole, visibleDocuments, visibleFolders, visibleProjects } from '../access/access.ts';
import { visibleFields } from '../access/access-form.ts';
import type { Past } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Values of the row `x` under their own names, and others under theirs. */
const columns = (others: Record<string, string>, own: string): Sql =>
  sql.raw(
    [
      ...Object.entries(others).map(([name, value]) => `${value} AS ${name}`),
      ...own
        .trim()
        .split(/\s+/)
        .map((name) => `x.${name}`),
    ].join(', '),
  );

/** Columns by which rows are found: those of the state itself, which have indexes. */
const KEYS = { organization_id: 's.organization_id', id: 's.subject_id', project_id: 's.project_id' };

const PROJECT = columns(
  { organization_id: KEYS.organization_id, id: KEYS.id },
  `name name_key access access_changed_at disabled_at source_id source_content_copied created_by_id created_at
  modified_by_id modified_at purge_marked_by_id purge_marked_at version`,
);
const FOLDER = columns(
  { ...KEYS, parent_id: 's.parent_id', link_sealed: "''::text" },
  `ancestor_ids name name_key hex_color created_by_id created_by_workflow created_at modified_by_id modified_at
  version`,
);
const FIELD = columns(
  { ...KEYS, parent_id: 's.parent_id' },
  `name name_key label type rank required sensitive multiple_values multiple_lines rows choices
  choices_depend_on_parent new_choices_allowed new_choices_saved decimal_places mask uses_creation_date
  text_match_type on_documents label_hidden created_by_id created_at modified_at version`,
);
const DOCUMENT = columns(
  {
    ...KEYS,
    folder_id: 's.parent_id',
    page_count: `(SELECT r.page_count FROM revisions r WHERE r.organization_id = s.organization_id
      AND r.document_id = s.subject_id AND r.number = x.revision_number)`,
  },
  `name name_key state origin group_id revision_number content_type size signed_at legal_hold legal_hold_reason
  created_by_id created_at modified_by_id modified_at recycled_by_id recycled_at purge_at version`,
);
const SETTINGS = columns(
  { organization_id: KEYS.organization_id, project_id: 's.subject_id' },
  `document_root_label primary_color primary_accent_color secondary_color secondary_accent_color background_color
  paper_color pane_color tool_bar_color card_action_bar_color tree_node_highlight_color folder_icon_url
  font_family font_url`,
);

/** Conditions on states of alias `s`: of this kind, as they were at that moment. OFFSET 0: a lookup of the next state for each. */
const at = (
  { organizationId, sequence }: Past,
  kind: StateKind,
): Sql => sql`s.organization_id = ${organizationId}
  AND s.kind = ${sql.raw(`'${kind}'`)} AND s.from_sequence <= ${sequence} AND s.body IS NOT NULL
  AND NOT EXISTS (SELECT FROM states n WHERE n.organization_id = s.organization_id AND n.subject_id = s.subject_id
    AND n.from_sequence > s.from_sequence AND n.from_sequence <= ${sequence} OFFSET 0)`;

/** OFFSET 0: a lookup for each state that is read, instead of a join with all that the viewer sees today. */
const among = (name: string): Sql => sql`EXISTS (SELECT FROM ${sql.raw(name)} n
  WHERE n.organization_id = s.organization_id AND n.id = s.subject_id OFFSET 0)`;

/** The item is gone today, and the viewer is an admin of the project that it was in. `table` has the name of the expression that it is in, and so is the table itself. */
const goneForAdmin = (table: string): Sql => sql`(NOT EXISTS (SELECT FROM ${sql.raw(table)} l
    WHERE l.organization_id = s.organization_id AND l.id = s.subject_id OFFSET 0)
  AND EXISTS (SELECT FROM now_projects n WHERE n.organization_id = s.organization_id AND n.id = s.project_id AND n.role = 'ADMIN' OFFSET 0))`;

const inPastProject = sql`EXISTS (SELECT FROM projects p
  WHERE p.organization_id = s.organization_id AND p.id = s.project_id OFFSET 0)`;

/**
 * The clause that goes before a statement, so that it reads the tables as they were: common table expressions with the names of
 * tables, each of what the viewer may see today. Those named `now_` come first, and so read the tables themselves. An expression that
 * the statement does not name costs nothing. Items of a project that did not exist, was deleted, or is not visible today, are left out.
 */
export const pastTables = (viewer: Viewer, past: Past): Sql => sql`WITH
  now_projects AS NOT MATERIALIZED (SELECT p.organization_id, p.id, ${projectRole(viewer, tables.projects)} AS role
    FROM ${tables.projects.from} WHERE ${visibleProjects(viewer, tables.projects)}),
  now_folders AS NOT MATERIALIZED (SELECT f.organization_id, f.id FROM ${tables.folders.from} WHERE ${visibleFolders(viewer, tables.folders)}),
  now_documents AS NOT MATERIALIZED (SELECT d.organization_id, d.id FROM ${tables.documents.from} WHERE ${visibleDocuments(viewer, tables.documents)}),
  now_fields AS NOT MATERIALIZED (SELECT c.organization_id, c.id FROM ${tables.fields.from} WHERE ${visibleFields(viewer, tables.fields)}),
  projects AS NOT MATERIALIZED (SELECT ${PROJECT} FROM states s CROSS JOIN LATERAL jsonb_populate_record(NULL::projects, s.body) x
    WHERE ${at(past, 'PROJECT')} AND s.body->'purge_marked_at' = 'null' AND ${among('now_projects')}),
  folders AS NOT MATERIALIZED (SELECT ${FOLDER} FROM states s CROSS JOIN LATERAL jsonb_populate_record(NULL::folders, s.body) x
    WHERE ${at(past, 'FOLDER')} AND ${inPastProject} AND (${among('now_folders')} OR ${goneForAdmin('folders')})),
  fields AS NOT MATERIALIZED (SELECT ${FIELD} FROM states s CROSS JOIN LATERAL jsonb_populate_record(NULL::fields, s.body) x
    WHERE ${at(past, 'FIELD')} AND ${inPastProject} AND (${among('now_fields')} OR ${goneForAdmin('fields')})),
  documents AS NOT MATERIALIZED (SELECT ${DOCUMENT} FROM states s CROSS JOIN LATERAL jsonb_populate_record(NULL::documents, s.body) x
    WHERE ${at(past, 'DOCUMENT')} AND ${inPastProject} AND ${among('now_documents')}),
  ${partsOfItems(past)} `;

/** The rows that states of other tables hold. */
const partsOfItems = (past: Past): Sql => sql`
  project_settings AS NOT MATERIALIZED (SELECT ${SETTINGS} FROM states s
    CROSS JOIN LATERAL jsonb_populate_record(NULL::project_settings, s.body->'settings') x
    WHERE ${at(past, 'PROJECT')} AND s.body->'settings' <> 'null'),
  folder_assignments AS NOT MATERIALIZED (SELECT s.organization_id, s.subject_id AS folder_id, w.email ${assignees}
    AND ${at(past, 'FOLDER')}),
  document_assignments AS NOT MATERIALIZED (SELECT s.organization_id, s.subject_id AS document_id, w.email ${assignees}
    AND ${at(past, 'DOCUMENT')}),
  document_tags AS NOT MATERIALIZED (SELECT s.organization_id, s.subject_id AS document_id, x.id AS tag_id
    FROM states s CROSS JOIN LATERAL jsonb_array_elements_text(s.body->'tags') x(id) WHERE ${at(past, 'DOCUMENT')}),
  document_field_values AS NOT MATERIALIZED (SELECT s.organization_id, s.subject_id AS document_id, x.*
    FROM states s CROSS JOIN LATERAL jsonb_to_recordset(s.body->'values')
      AS x(field_id text, position int, text text, text_key text, number numeric, date timestamptz) WHERE ${at(past, 'DOCUMENT')}),
  revisions AS NOT MATERIALIZED (SELECT r.* FROM states s JOIN revisions r ON r.organization_id = s.organization_id
    AND r.document_id = s.subject_id AND r.number <= (s.body->>'revision_number')::int WHERE ${at(past, 'DOCUMENT')})`;

const assignees = sql`FROM states s CROSS JOIN LATERAL jsonb_array_elements_text(s.body->'assignees') x(id)
  JOIN state_people w ON w.organization_id = s.organization_id AND w.id = x.id WHERE w.email IS NOT NULL`;
