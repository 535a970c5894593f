import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { type IdType, newId } from '../../lib/id.ts';
import type { Vault } from '../../lib/seal.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** A copy of the project `sourceId` into the project `projectId` of the same organization, in one transaction. */
export interface CopyRun {
  readonly tx: Transaction;
  /** Who copies: they create the copies, and only what they see is copied. */
  readonly viewer: Viewer;
  readonly vault: Vault;
  readonly organizationId: string;
  readonly sourceId: string;
  readonly projectId: string;
}

/** A source row, and the id of its copy. */
export interface NewCopy {
  sourceId: string;
  copyId: string;
}

/** A copied row, as far as events need it. */
export interface CopiedRow {
  id: string;
  name: string;
}

/** The rows of alias `row` that belong to the source project. */
export const inSource = (
  row: Sql,
  { organizationId, sourceId }: Pick<CopyRun, 'organizationId' | 'sourceId'>,
): Sql => sql`${row}.organization_id = ${organizationId} AND ${row}.project_id = ${sourceId}`;

/** The condition that the new id `item` is that of the source id in a column. */
export const isCopyOf = (item: Sql, { organizationId, projectId }: CopyRun, sourceColumn: Sql): Sql =>
  sql`${item}.organization_id = ${organizationId} AND ${item}.project_id = ${projectId} AND ${item}.source_id = ${sourceColumn}`;

/** Generates and stores a new id for each selected source id; `ids` selects them as `id`. */
export async function newCopies(run: CopyRun, type: IdType, ids: Sql): Promise<NewCopy[]> {
  const { tx, organizationId, projectId } = run;
  const rows = await tx.query<{ id: string }>(sql`${ids} ORDER BY id`);
  const copies = rows.map(({ id }) => ({ sourceId: id, copyId: newId(type) }));
  if (copies.length > 0)
    await tx.query(sql`INSERT INTO project_copy_items (organization_id, project_id, source_id, copy_id)
      SELECT ${organizationId}, ${projectId}, x.source_id, x.copy_id
      FROM unnest(${sql.texts(sourceIds(copies))}, ${sql.texts(copyIds(copies))}) AS x(source_id, copy_id)`);
  return copies;
}

export const sourceIds = (copies: readonly NewCopy[]): string[] => copies.map(({ sourceId }) => sourceId);
export const copyIds = (copies: readonly NewCopy[]): string[] => copies.map(({ copyId }) => copyId);

/** The ids of a copied row and of its copy, in the statement of an insertion. */
export const COPY_IDS = new Rows('project_copy_items', 'i');

interface Insertion {
  table: string;
  copies: readonly NewCopy[];
  /** Columns with the value of the source row. */
  columns: string;
  /** The values of other columns, over the source row `s` and the joined rows. Columns in neither have their default. */
  values: Record<string, Sql | string>;
  joins?: Sql;
  /** What to return of each inserted row; by default its id. */
  returning?: string;
}

/** Inserts the copies of source rows, in the order of their ids. */
export async function insertCopies<Row extends object = { id: string }>(
  run: CopyRun,
  { table, copies, columns, values, joins = sql.empty, returning = 'id' }: Insertion,
): Promise<Row[]> {
  if (copies.length === 0) return [];
  const copied = columns.split(',').map((column) => `s.${column.trim()}`);
  return run.tx.query<Row>(sql`
    INSERT INTO ${sql.raw(table)} (organization_id, id, ${sql.raw(Object.keys(values).join(', '))}, ${sql.raw(columns)})
    SELECT s.organization_id, ${COPY_IDS}.copy_id, ${sql.join(Object.values(values), ', ')}, ${sql.raw(copied.join(', '))}
    FROM ${sql.raw(table)} s JOIN ${COPY_IDS.from} ON ${isCopyOf(COPY_IDS, run, sql`s.id`)} ${joins}
    WHERE s.organization_id = ${run.organizationId} AND s.id ${sql.any(sourceIds(copies))}
    ORDER BY ${COPY_IDS}.copy_id RETURNING ${sql.raw(returning)}`);
}

/** The events of copied rows: those of their creation. */
export const creationEvents = <Row extends CopiedRow>(
  { organizationId, projectId }: CopyRun,
  kind: string,
  rows: readonly Row[],
): NewEvent[] =>
  rows.map(({ id, ...after }) => ({
    organizationId,
    projectId,
    subjectId: id,
    kind,
    data: { after: { ...after } },
  }));
