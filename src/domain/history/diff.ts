import { type Sql, sql } from '../../db/sql/sql.ts';
import type { StateKind } from '../../generated/prisma/enums.ts';
import { projectRole, visibleDocuments, visibleFolders } from '../access/access.ts';
import { visibleFields } from '../access/access-form.ts';
import { byAge, type Event, eventsOfSubject } from '../events/event.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The events after `from` up to `to`. */
export interface Span {
  from: bigint;
  to: bigint;
}

/** An item that differs between two moments. */
export interface ItemChange extends Span {
  id: string;
  organizationId: string;
  kind: StateKind;
  /** Its columns, and `assignees`, `tags`, `values` and `settings`, whose values differ; all of them if it was created or is gone. */
  columns: string[];
}

/** Columns that each change writes, so that a change that was undone is none. */
const BOOKKEEPING = sql.raw(`'{version,modified_at,modified_by_id}'::text[]`);

const bodyAt = (
  sequence: bigint,
): Sql => sql`(SELECT s.body FROM states s WHERE s.organization_id = w.organization_id
  AND s.subject_id = w.id AND s.from_sequence <= ${sequence} ORDER BY s.from_sequence DESC LIMIT 1)`;

/** The items of project `k` that were written in the span, with what they were before and after it. */
const written = ({
  from,
  to,
}: Span): Sql => sql`(SELECT w.*, ${bodyAt(from)} AS before, ${bodyAt(to)} AS after FROM (
  SELECT DISTINCT s.organization_id, s.subject_id AS id, s.kind FROM states s
  WHERE s.organization_id = k.organization_id AND s.project_id = k.id AND s.kind = ANY(enum_range(NULL::state_kind))
    AND s.from_sequence > ${from} AND s.from_sequence <= ${to}) w) c`;

const columns = sql`ARRAY(SELECT x.key FROM jsonb_object_keys(coalesce(c.after, c.before)) x(key)
  WHERE c.before->x.key IS DISTINCT FROM c.after->x.key AND x.key <> ALL(${BOOKKEEPING}) ORDER BY x.key)`;

/** The viewer sees the item today; or it is gone, and they are an admin of the project. */
const seen = (viewer: Viewer): Sql => {
  const { documents, folders, fields, projects } = tables;
  const isIn = (from: Sql, id: Sql, visible: Sql) =>
    sql`EXISTS (SELECT FROM ${from} WHERE ${id} = c.id AND ${visible} OFFSET 0)`;
  const isGone = (table: string) =>
    sql`(NOT EXISTS (SELECT FROM ${sql.raw(table)} l WHERE l.id = c.id) AND EXISTS (SELECT FROM ${projects.from}
      WHERE p.organization_id = k.organization_id AND p.id = k.id AND ${projectRole(viewer, projects)} = 'ADMIN'))`;
  return sql`CASE c.kind
    WHEN 'DOCUMENT' THEN ${isIn(documents.from, sql`${documents}.id`, visibleDocuments(viewer, documents))}
    WHEN 'FOLDER' THEN ${isIn(folders.from, sql`${folders}.id`, visibleFolders(viewer, folders))} OR ${isGone('folders')}
    WHEN 'FIELD' THEN ${isIn(fields.from, sql`${fields}.id`, visibleFields(viewer, fields))} OR ${isGone('fields')}
    ELSE true END`;
};

/** The items of a visible project that differ between two moments, once each, in the order of their ids. */
export const changesOfProject = (span: Span): Listing<ItemChange, object, 'ID'> => ({
  name: `changesOfProject ${span.from} ${span.to}`,
  select: () => sql`c.id, c.organization_id, c.kind::text, ${columns} AS columns,
    ${span.from}::bigint AS "from", ${span.to}::bigint AS "to"`,
  from: written(span),
  where: ({ viewer }) =>
    sql`c.before - ${BOOKKEEPING} IS DISTINCT FROM c.after - ${BOOKKEEPING} AND ${seen(viewer)}`,
  sorts: { ID: { ...sortBy(sql`c.id`, sql`c.id`, 'text', (row) => row.id), unique: true } },
});

/** The events of an item in a span. */
export const eventsOfChange = ({ from, to }: Span): Listing<Event, object, 'CREATED_AT'> => ({
  ...eventsOfSubject,
  name: `eventsOfChange ${from} ${to}`,
  where: (ctx, filter) =>
    sql`${eventsOfSubject.where(ctx, filter)} AND ${tables.events}.sequence > ${from} AND ${tables.events}.sequence <= ${to}`,
  sorts: byAge<Event>(tables.events),
});
