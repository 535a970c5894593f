import { type Sql, sql } from '../../../db/sql/sql.ts';
import type { StateKind } from '../../../generated/prisma/enums.ts';
import { typeOfId } from '../../../lib/id.ts';

/** Selects items of an organization, of one kind, with what their states hold. */
type Bodies = (organizationId: string, ids: readonly string[]) => Sql;

/**
 * The statements by kind, so that each change runs only those of the items that it names. Each selects subject_id, kind, project_id,
 * parent_id and body (docs/work/history.md). Addresses of assignees are in state_people; one that has no id there is null. The pages
 * of a document are counted without an event, so they are those of its revision. The link of a folder is a secret.
 */
const BODIES: Record<StateKind, Bodies> = {
  PROJECT: (
    organizationId,
    ids,
  ) => sql`SELECT p.id AS subject_id, 'PROJECT'::state_kind AS kind, p.id AS project_id,
      NULL::text AS parent_id, to_jsonb(p) || jsonb_build_object('settings', to_jsonb(s)) AS body
    FROM projects p LEFT JOIN project_settings s ON s.organization_id = p.organization_id AND s.project_id = p.id
    WHERE p.organization_id = ${organizationId} AND p.id ${sql.any(ids)}`,
  FOLDER: (
    organizationId,
    ids,
  ) => sql`SELECT f.id AS subject_id, 'FOLDER'::state_kind AS kind, f.project_id, f.parent_id,
      (to_jsonb(f) - 'link_sealed') || jsonb_build_object('assignees', ${assignees('folder', 'f')}) AS body
    FROM folders f WHERE f.organization_id = ${organizationId} AND f.id ${sql.any(ids)}`,
  DOCUMENT: (
    organizationId,
    ids,
  ) => sql`SELECT d.id AS subject_id, 'DOCUMENT'::state_kind AS kind, d.project_id,
      d.folder_id AS parent_id, (to_jsonb(d) - 'page_count') || jsonb_build_object(
        'assignees', ${assignees('document', 'd')},
        'tags', (SELECT coalesce(jsonb_agg(x.tag_id ORDER BY x.tag_id), '[]') FROM document_tags x
          WHERE x.organization_id = d.organization_id AND x.document_id = d.id),
        'values', (SELECT coalesce(jsonb_agg(to_jsonb(v) - 'organization_id' - 'document_id' ORDER BY v.field_id, v.position), '[]')
          FROM document_field_values v WHERE v.organization_id = d.organization_id AND v.document_id = d.id)) AS body
    FROM documents d WHERE d.organization_id = ${organizationId} AND d.id ${sql.any(ids)}`,
  FIELD: (
    organizationId,
    ids,
  ) => sql`SELECT c.id AS subject_id, 'FIELD'::state_kind AS kind, c.project_id, c.parent_id,
      to_jsonb(c) AS body
    FROM fields c WHERE c.organization_id = ${organizationId} AND c.id ${sql.any(ids)}`,
};

/** The ids of the assignees of the row that has this alias. */
const assignees = (item: 'folder' | 'document', alias: string): Sql =>
  sql.raw(`(SELECT coalesce(jsonb_agg(w.id ORDER BY w.id), '[]') FROM ${item}_assignments a
    LEFT JOIN state_people w ON w.organization_id = a.organization_id AND w.email = a.email
    WHERE a.organization_id = ${alias}.organization_id AND a.${item}_id = ${alias}.id)`);

/** The kinds of items that have states, by the types of their ids. */
const KINDS: Readonly<Record<string, StateKind>> = {
  Project: 'PROJECT',
  Folder: 'FOLDER',
  Document: 'DOCUMENT',
  Field: 'FIELD',
};

const kindOf = (id: string): StateKind | undefined => KINDS[typeOfId(id) ?? ''];

/** Those of these ids, each once, whose items have states. */
export const idsWithStates = (ids: readonly string[]): string[] => [...new Set(ids.filter(kindOf))];

/** Selects the items of these ids, which have states, as they are. Times are written in the time zone of the session. */
export const stateBodies = (organizationId: string, ids: readonly string[]): Sql =>
  sql.join(
    Object.entries(BODIES).flatMap(([kind, bodies]) => {
      const ofKind = ids.filter((id) => kindOf(id) === kind);
      return ofKind.length > 0 ? [bodies(organizationId, ofKind)] : [];
    }),
    ' UNION ALL ',
  );
