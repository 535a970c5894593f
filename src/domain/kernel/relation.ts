import type { Reader } from '../../db/database.ts';
import { nestedRowKey } from '../../db/sql/rows.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';

/** Finds those of the ids that are visible, in no particular order. */
export interface Finder<Row> {
  (ctx: Context, ids: readonly string[], reader?: Reader, relations?: readonly Relation[]): Promise<Row[]>;
  /** The statement; `are` is what follows an id. */
  readonly statement: Statement;
}

type Statement = (ctx: Context, are: Sql) => Sql;

export function finder<Row>(statement: Statement): Finder<Row> {
  const find = (
    ctx: Context,
    ids: readonly string[],
    reader: Reader = ctx.db,
    relations: readonly Relation[] = [],
  ) => {
    const rows = statement(ctx, sql`= ANY(${ids})`);
    const wanted = includeRelations(ctx, relations, ids.length);
    return reader.query<Row>(
      wanted ? sql`SELECT item.*${wanted.select} FROM (${rows}) item ${wanted.joins}` : rows,
    );
  };
  return Object.assign(find, { statement });
}

/** A to-one relation of rows: one thing at most that each names, which the statement that finds them may bring along. */
export interface Relation {
  /** The member of the row that it is. */
  member: string;
  column: string;
  /** The statement of the one of a row of alias `item`. */
  statement: (ctx: Context) => Sql;
  /** Up to how many rows it costs less than to be asked for by itself, where rows have it in common. */
  maxRows: number;
}

/** `name` tells it from other relations of the same rows. */
export const relation = (
  name: string,
  one: Relation['statement'],
  most = Number.POSITIVE_INFINITY,
): Relation => ({
  member: nestedRowKey(name),
  column: `+${name}`,
  statement: one,
  maxRows: most,
});

/** What a row brought along: undefined where that was not asked for, null where there is none to see. */
export const includedRow = (row: unknown, { member }: Relation): unknown =>
  (row as Record<string, unknown>)[member];

/** Where rows are more, many of them have the same folders and people. */
const DEFAULT_MAX_ROWS = 50;

/** What a column of the rows names by its id. */
export const relationByColumn = (
  column: string,
  { statement }: Finder<unknown>,
  most = DEFAULT_MAX_ROWS,
): Relation => relation(column, (ctx) => statement(ctx, sql`= item.${sql.raw(column)}`), most);

/** The same text, in whatever order they were asked for. */
const byColumn = (a: Relation, b: Relation) => (a.column < b.column ? -1 : 1);

/**
 * To select and to join to rows of alias `item`, of which there may be so many: these keep their order, as one thing is
 * looked for at a time. Undefined where no relation is worth it.
 */
export function includeRelations(ctx: Context, wanted: readonly Relation[], rows: number) {
  const relations = wanted.filter(({ maxRows: most }) => most >= rows).sort(byColumn);
  if (relations.length === 0) return undefined;
  const columns = relations.map(({ column }) => sql.raw(`"${column}".*`));
  const joins = relations.map(({ column, statement: one }) => {
    const name = sql.raw(`"${column}"`);
    return sql`LEFT JOIN LATERAL (SELECT true AS ${name}, one.* FROM (${one(ctx)}) one LIMIT 1) ${name} ON true`;
  });
  return { select: sql`, ${sql.join(columns, ', ')}`, joins: sql.join(joins, ' ') };
}
