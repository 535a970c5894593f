import { type Sql, sql } from '../../db/sql/sql.ts';
import { DRAWABLE_TYPES, OFFICE_EXTENSIONS } from '../../files/content/sniff/inspect.ts';
import type { DocumentOrigin, DocumentState } from '../../generated/prisma/client.ts';
import { normalizedKey } from '../kernel/input.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import type { Document } from './document.ts';

export interface DocumentFilter {
  /** Defaults to ACTIVE. */
  state?: DocumentState | null;
  /** Directly in this folder. */
  folderId?: string | null;
  /** In this folder or one of its descendants. */
  belowFolderId?: string | null;
  /** In no folder. */
  atRoot?: boolean | null;
  /** Created by one submission of a form. */
  groupId?: string | null;
  namePrefix?: string | null;
  contentType?: string | null;
  tag?: string | null;
  createdById?: string | null;
  legalHold?: boolean | null;
  /** Whether all its signers have signed. */
  signed?: boolean | null;
  origin?: DocumentOrigin | null;
  /** Whether there is a picture of its first page. */
  hasPicture?: boolean | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
}

export type DocumentOrder = 'NAME' | 'CREATED_AT' | 'MODIFIED_AT' | 'RECYCLED_AT' | 'SIZE';

const { documents } = tables;

export const sorts: Record<DocumentOrder, Sort<Document>> = {
  NAME: sortBy(sql`${documents}.id`, sql`${documents}.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(
    sql`${documents}.id`,
    sql`${documents}.created_at`,
    'timestamptz',
    (row) => row.createdAt,
  ),
  MODIFIED_AT: sortByExpression(
    sql`${documents}.id`,
    sql`coalesce(${documents}.modified_at, ${documents}.created_at)`,
    'timestamptz',
    (row) => row.modifiedAt ?? row.createdAt,
  ),
  RECYCLED_AT: sortByExpression(
    sql`${documents}.id`,
    sql`coalesce(${documents}.recycled_at, ${documents}.created_at)`,
    'timestamptz',
    (row) => row.recycledAt ?? row.createdAt,
  ),
  SIZE: sortBy(sql`${documents}.id`, sql`${documents}.size`, 'bigint', (row) => row.size),
};

/** Active documents are ordered by creation instead of by recycling, which they do not have. */
export const orderOf = (order: DocumentOrder, { state }: DocumentFilter): DocumentOrder =>
  order === 'RECYCLED_AT' && state !== 'RECYCLED' ? 'CREATED_AT' : order;

/** The state is part of the statement's text, so that its partial index is used. */
export const inState = ({ state }: DocumentFilter): Sql =>
  state === 'RECYCLED' ? sql`${documents}.state = 'RECYCLED'` : sql`${documents}.state = 'ACTIVE'`;

const nameStartsWith = ({ namePrefix }: DocumentFilter) =>
  namePrefix && startsWith(sql`${documents}.name_key`, normalizedKey(namePrefix));

const createdBetween = ({ createdAfter, createdBefore }: DocumentFilter) => [
  createdAfter && sql`${documents}.created_at >= ${createdAfter}`,
  createdBefore && sql`${documents}.created_at < ${createdBefore}`,
];

/** The conditions that some indexes answer together with an order. */
const inFolder = ({ folderId, atRoot, groupId }: DocumentFilter) => [
  folderId && sql`${documents}.folder_id = ${folderId}`,
  atRoot && sql`${documents}.folder_id IS NULL`,
  groupId && sql`${documents}.group_id = ${groupId}`,
];

/** As pictureUrl (domain/downloads) has one for the first page. */
const HAS_PICTURE = sql`(${documents}.content_type ${sql.any(DRAWABLE_TYPES)}
  OR ${documents}.content_type = 'application/pdf' AND coalesce(${documents}.page_count, 0) > 0
  OR ${documents}.content_type ${sql.any(Object.keys(OFFICE_EXTENSIONS))} AND EXISTS (SELECT FROM revisions r
    JOIN renditions x ON x.organization_id = r.organization_id AND x.revision_id = r.id
    WHERE r.organization_id = ${documents}.organization_id AND r.document_id = ${documents}.id
      AND r.number = ${documents}.revision_number AND x.page_count > 0))`;

/** The conditions of the filter, without the state. */
function conditionsOf(filter: DocumentFilter) {
  const { belowFolderId: below, tag } = filter;
  return [
    ...inFolder(filter),
    nameStartsWith(filter),
    ...createdBetween(filter),
    below &&
      sql`${documents}.folder_id = ANY(ARRAY(SELECT f.id FROM folders f WHERE f.id = ${below} OR f.ancestor_ids @> ARRAY[${below}]::text[]))`,
    filter.contentType && sql`${documents}.content_type = ${filter.contentType}`,
    tag &&
      sql`EXISTS (SELECT FROM document_tags x JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
        WHERE x.organization_id = ${documents}.organization_id AND x.document_id = ${documents}.id AND t.text_key = ${normalizedKey(tag)})`,
    filter.createdById && sql`${documents}.created_by_id = ${filter.createdById}`,
    filter.legalHold != null && sql`${documents}.legal_hold = ${filter.legalHold}`,
    filter.signed != null && sql`(${documents}.signed_at IS NOT NULL) = ${filter.signed}`,
    filter.origin && sql`${documents}.origin = ${filter.origin}::document_origin`,
    filter.hasPicture != null && sql`${HAS_PICTURE} = ${filter.hasPicture}`,
  ];
}

export const hasConditions = (filter: DocumentFilter): boolean => conditionsOf(filter).some(Boolean);

/** A condition on documents. */
export const matches = (filter: DocumentFilter): Sql => sql.all([inState(filter), ...conditionsOf(filter)]);

/** The conditions that an index on this order answers, with the state. */
export const indexedConditions = (filter: DocumentFilter, order: DocumentOrder): Sql =>
  sql.all([
    inState(filter),
    ...inFolder(filter),
    order === 'NAME' && nameStartsWith(filter),
    ...(order === 'CREATED_AT' ? createdBetween(filter) : []),
  ]);

/** Not uploaded: few documents are. */
const isGenerated = (origin: DocumentFilter['origin']) => origin && origin !== 'UPLOAD';

/**
 * The ids of all documents that match the most selective member of the filter, by an index; undefined if it has none.
 * `inScope` is the condition on organization_id and project_id of an alias.
 */
export function candidateIds(filter: DocumentFilter, inScope: (row: Sql) => Sql): Sql | undefined {
  const { tag, createdById, belowFolderId: below, contentType, origin, createdAfter, createdBefore } = filter;
  const idsWhere = (condition: Sql | '' | null | undefined | false) =>
    condition
      ? sql`SELECT ${documents}.id FROM ${documents.from} WHERE ${inScope(documents)} AND ${condition}`
      : undefined;
  return (
    (tag ? tagged(tag, inScope) : undefined) ??
    idsWhere(createdById && sql`${documents}.created_by_id = ${createdById}`) ??
    (below ? belowFolder(below, filter, inScope) : undefined) ??
    idsWhere(filter.legalHold && sql`${documents}.legal_hold`) ??
    idsWhere(filter.signed && sql`${documents}.signed_at IS NOT NULL`) ??
    idsWhere(
      isGenerated(origin) &&
        sql`${documents}.origin <> 'UPLOAD' AND ${documents}.origin = ${origin}::document_origin`,
    ) ??
    idsWhere(filter.namePrefix && sql`${inState(filter)} AND ${nameStartsWith(filter)}`) ??
    idsWhere(contentType && sql`${documents}.content_type = ${contentType}`) ??
    idsWhere(filter.hasPicture && HAS_PICTURE) ??
    idsWhere(
      (createdAfter || createdBefore) && sql`${inState(filter)} AND ${sql.all(createdBetween(filter))}`,
    )
  );
}

const tagged = (tag: string, inScope: (row: Sql) => Sql): Sql => sql`SELECT x.document_id AS id FROM tags t
  JOIN document_tags x ON x.organization_id = t.organization_id AND x.tag_id = t.id
  WHERE ${inScope(sql`t`)} AND t.text_key = ${normalizedKey(tag)}`;

const belowFolder = (id: string, filter: DocumentFilter, inScope: (row: Sql) => Sql): Sql => sql`
  SELECT d.id FROM folders f JOIN documents d ON d.organization_id = f.organization_id
    AND d.project_id = f.project_id AND d.folder_id = f.id AND ${inState(filter)}
  WHERE ${inScope(sql`f`)} AND (f.id = ${id} OR f.ancestor_ids @> ARRAY[${id}]::text[])`;
