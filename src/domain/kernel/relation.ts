import type { Reader } from '../../db/database.ts';
import { nestedRowKey } from '../../db/sql/rows.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';

/** Reads rows by id: those that the viewer sees, in no particular order. */
export interface Finder<Row> {
  (ctx: Context, ids: readonly string[], reader?: Reader, relations?: readonly Relation[]): Promise<Row[]>;
  /** The statement, given the condition that follows the id column. */
  readonly statement: Statement;
}

type Statement = (ctx: Context, idCondition: Sql) => Sql;

/** Creates a Finder from a statement, which must contain the viewer's access condition. */
export function finder<Row>(statement: Statement): Finder<Row> {
  const find = (
    ctx: Context,
    ids: readonly string[],
    reader: Reader = ctx.db,
    relations: readonly Relation[] = [],
  ) => {
    const rows = statement(ctx, sql`${sql.any(ids)}`);
    const included = includeRelations(ctx, relations, ids.length);
    return reader.query<Row>(
      included ? sql`SELECT item.*${included.select} FROM (${rows}) item ${included.joins}` : rows,
    );
  };
  return Object.assign(find, { statement });
}

/** A to-one relation of a row, which the statement that reads the row may select as well. */
export interface Relation {
  /** The member of the row that holds the related row. */
  member: string;
  /** The column that marks whether there is one. */
  column: string;
  /** The statement that reads the related row of a row of alias `item`. */
  statement: (ctx: Context) => Sql;
  /** Up to this number of rows, a join costs less than a second statement that reads each related row once. */
  maxRows: number;
}

/** `name` distinguishes the relation from others of the same rows. */
export const relation = (
  name: string,
  statement: Relation['statement'],
  maxRows = Number.POSITIVE_INFINITY,
): Relation => ({ member: nestedRowKey(name), column: `+${name}`, statement, maxRows });

/** The related row that was selected with `row`: undefined if it was not selected, null if none is visible. */
export const includedRow = (row: unknown, { member }: Relation): unknown =>
  (row as Record<string, unknown>)[member];

/** Beyond this many rows, most of them share their folders and people. */
const DEFAULT_MAX_ROWS = 50;

/** The relation to the row whose id is in a column. */
export const relationByColumn = (
  column: string,
  { statement }: Finder<unknown>,
  maxRows = DEFAULT_MAX_ROWS,
): Relation => relation(column, (ctx) => statement(ctx, sql`= item.${sql.raw(column)}`), maxRows);

/** Sorted, so that the text of the statement does not depend on the order of the request. */
const byColumn = (a: Relation, b: Relation) => (a.column < b.column ? -1 : 1);

/**
 * The columns and LATERAL joins that add relations to rows of alias `item`, and keep their order. Undefined if no
 * relation is worth a join for that many rows.
 */
export function includeRelations(ctx: Context, requested: readonly Relation[], rows: number) {
  const relations = requested.filter(({ maxRows }) => maxRows >= rows).sort(byColumn);
  if (relations.length === 0) return undefined;
  const columns = relations.map(({ column }) => sql.raw(`"${column}".*`));
  const joins = relations.map(({ column, statement }) => {
    const name = sql.raw(`"${column}"`);
    return sql`LEFT JOIN LATERAL (SELECT true AS ${name}, one.* FROM (${statement(ctx)}) one LIMIT 1) ${name} ON true`;
  });
  return { select: sql`, ${sql.join(columns, ', ')}`, joins: sql.join(joins, ' ') };
}
