import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type {
  FieldListItem as ChoiceRow,
  DocumentFieldValue,
  Field as FieldRow,
  Tag as TagRow,
} from '../../generated/prisma/client.ts';
import { visibleDescriptors } from '../access/access.ts';
import { visibleFields } from '../access/access-form.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export type Field = FieldRow;
export type Choice = ChoiceRow;
export type Tag = TagRow;

/** The fields of a project. */
export const fieldsOfProject: Listing<Field, object, 'RANK' | 'NAME'> = {
  name: 'fieldsOfProject',
  select: () => sql`c.*`,
  from: tables.fields.from,
  where: ({ viewer }) =>
    sql`c.organization_id = k.organization_id AND c.project_id = k.id AND ${visibleDescriptors(viewer, tables.fields)}`,
  sorts: {
    RANK: sortBy(sql`c.id`, sql`c.rank`, 'float8', (row) => row.rank),
    NAME: { ...sortBy(sql`c.id`, sql`c.name_key`, 'text', (row) => row.nameKey), unique: true },
  },
};

/** Reads the visible fields among the ids, in no particular order. */
export const findFields = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Field>(
    sql`SELECT c.* FROM ${tables.fields.from} WHERE c.id ${sql.any(ids)} AND ${visibleFields(ctx.viewer, tables.fields)}`,
  );

export interface ChoiceFilter {
  /** Only choices offered when the parent field has this value. */
  parentValue?: string | null;
  prefix?: string | null;
  /** Only these values. */
  among?: string[] | null;
}

/** The choices of a field. */
export const choicesOfField: Listing<Choice, ChoiceFilter, 'RANK'> = {
  name: 'choicesOfField',
  select: () => sql`i.*`,
  from: sql`field_list_items i`,
  where: (
    { viewer },
    { parentValue, prefix, among },
  ) => sql`i.organization_id = k.organization_id AND i.field_id = k.id
    AND EXISTS (SELECT FROM ${tables.fields.from} WHERE c.organization_id = i.organization_id AND c.id = i.field_id
      AND ${visibleFields(viewer, tables.fields)})
    AND ${parentValue == null ? sql`true` : sql`i.parent_value = ${parentValue}`}
    AND ${prefix ? sql`starts_with(lower(i.value), ${normalizedKey(prefix)})` : sql`true`}
    AND ${among ? sql`i.value = ANY(${among})` : sql`true`}`,
  sorts: {
    RANK: sortBy(sql`i.id`, sql`i.rank`, 'int', (row) => row.rank),
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findChoices = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<Choice>(sql`SELECT i.* FROM field_list_items i
    JOIN ${tables.fields.from} ON c.organization_id = i.organization_id AND c.id = i.field_id
    WHERE i.id ${sql.any(ids)} AND ${visibleFields(viewer, tables.fields)}`);

/** The tags of a project. */
export const tagsOfProject: Listing<Tag, { prefix?: string | null }, 'TEXT'> = {
  name: 'tagsOfProject',
  select: () => sql`c.*`,
  from: tables.tags.from,
  where: ({ viewer }, { prefix }) => sql`c.organization_id = k.organization_id AND c.project_id = k.id
    AND ${prefix ? startsWith(sql`c.text_key`, normalizedKey(prefix)) : sql`true`} AND ${visibleDescriptors(viewer, tables.tags)}`,
  sorts: {
    TEXT: { ...sortBy(sql`c.id`, sql`c.text_key`, 'text', (row) => row.textKey), unique: true },
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findTags = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<Tag>(
    sql`SELECT c.* FROM ${tables.tags.from} WHERE c.id ${sql.any(ids)} AND ${visibleDescriptors(viewer, tables.tags)}`,
  );

export interface FieldValuesOfDocument {
  id: string;
  values: Pick<DocumentFieldValue, 'fieldId' | 'text'>[];
}

/** The field values of each of these documents, which the viewer already sees, in the order of the fields. */
export const findFieldValues = ({ db }: Context, documentIds: readonly string[]) =>
  db.query<FieldValuesOfDocument>(sql`SELECT v.document_id AS id,
    json_agg(json_build_object('fieldId', v.field_id, 'text', v.text) ORDER BY c.rank, c.id, v.position) AS values
    FROM document_field_values v JOIN ${tables.fields.from} ON c.organization_id = v.organization_id AND c.id = v.field_id
    WHERE v.document_id = ANY(${documentIds}) GROUP BY v.document_id`);
