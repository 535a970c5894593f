import { type Sql, sql } from '../../db/sql/sql.ts';
import { NO_SEMI_JOIN } from '../access/access.ts';
import { partialOrganizations } from '../access/access-involved.ts';
import { createdSubjectIds, visibleSubjectIds } from '../access/access-search.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  type FieldCondition,
  KINDS,
  type Search,
  STATES,
  SUBJECT_TAGS,
  valueConditions,
} from './search-query.ts';

/**
 * Statements of ids below a parent `k`, one per filter or right that an index answers. Each returns a superset of the
 * matches, without duplicates. The most selective kinds of filters come first.
 */
export function idsByFilter(viewer: Viewer, search: Search, inProject: boolean): Sql[] {
  const { organizationId, tags, fields, createdById, folderId, belowFolderId, projectIds } = search;
  const ids = [
    tags?.[0] !== undefined && tagged(tags[0]),
    fields?.[0] && withValue(fields[0]),
    folderId && inFolders(sql`SELECT ${folderId}::text`),
    belowFolderId &&
      inFolders(sql`SELECT f.id FROM folders f WHERE f.organization_id = k.organization_id
        AND (f.id = ${belowFolderId} OR f.ancestor_ids @> ARRAY[${belowFolderId}]::text[])`),
    createdById && createdSubjectIds(createdById, organizationId),
    uncommon(search),
    inProject && inProjects(sql`SELECT k.id`),
    projectIds && inProjects(sql`SELECT DISTINCT unnest(${sql.texts(projectIds)})`),
    partialOrganizations(viewer).includes(organizationId) && visibleSubjectIds(viewer, organizationId),
  ];
  return ids.filter((each): each is Sql => Boolean(each));
}

const entries = (column: Sql, ids: Sql): Sql => sql`
  SELECT e.subject_id FROM (${ids}) a(id) CROSS JOIN LATERAL (SELECT e.subject_id FROM search_entries e
    WHERE e.organization_id = k.organization_id AND ${column} = a.id OFFSET 0) e`;

const inFolders = (ids: Sql): Sql => entries(sql`e.folder_id`, ids);
const inProjects = (ids: Sql): Sql => entries(sql`e.project_id`, ids);

const tagged = (tag: string): Sql => sql`
  SELECT x.subject_id FROM tags t
  CROSS JOIN LATERAL (SELECT x.subject_id FROM ${SUBJECT_TAGS} x
    WHERE x.organization_id = t.organization_id AND x.tag_id = t.id OFFSET 0) x
  WHERE t.organization_id = k.organization_id AND t.text_key = ${normalizedKey(tag)}`;

/** By the first value of a document that matches, so that a document appears once. */
const withValue = (condition: FieldCondition): Sql => {
  const before = sql.join(valueConditions(condition, sql`w`), ' OR ');
  const values = valueConditions(condition, sql`v`).map(
    (fits) => sql`SELECT v.document_id FROM document_field_values v
      WHERE v.organization_id = k.organization_id AND v.field_id = ${condition.fieldId} AND ${fits}
      AND (v.position = 0 OR NOT EXISTS (SELECT FROM document_field_values w
        WHERE w.organization_id = v.organization_id AND w.document_id = v.document_id AND w.field_id = v.field_id
        AND w.position < v.position AND (${before}) ${NO_SEMI_JOIN}))`,
  );
  return sql.join(values, ' UNION ALL ');
};

/** By kind and state; undefined if active documents match, since most objects are active documents. */
function uncommon({ kind, states }: Search): Sql | undefined {
  const kinds = kind ? [kind] : KINDS;
  const requestedStates = states ?? STATES.filter((state) => state !== 'RECYCLED');
  if (kinds.includes('DOCUMENT') && requestedStates.includes('ACTIVE')) return undefined;
  return sql`SELECT e.subject_id FROM unnest(${sql.texts(kinds)}) a(kind) CROSS JOIN unnest(${sql.texts(requestedStates)}) b(state)
    CROSS JOIN LATERAL (SELECT e.subject_id FROM search_entries e WHERE e.organization_id = k.organization_id
      AND e.kind = a.kind AND e.state = b.state AND (e.kind <> 'DOCUMENT' OR e.state <> 'ACTIVE') OFFSET 0) e`;
}
