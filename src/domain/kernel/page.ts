import { type Sql, sql } from '../../db/sql/sql.ts';
import { decodeCursor, encodeCursor, type Position } from '../../lib/cursor.ts';
import type { Context } from './context.ts';
import { badInput } from './errors.ts';

/** Forward with first/after, or backward with last/before (Relay's connection specification §4). */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

export interface Page<Row> {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** The cursor of a row of this page. */
  cursorOf: (row: Row) => string;
}

/** One order of a list: a column, how its values compare, and where a row holds them. Ties fall to the id. */
export interface Sort<Row> {
  column: Sql;
  type: 'text' | 'timestamptz' | 'bigint' | 'int' | 'float8';
  id: Sql;
  value: (row: Row) => string | number | bigint | Date | null;
  idOf: (row: Row) => string;
  /** No two rows below a parent have the same value: then an index needs no id to have them in order. */
  unique?: true;
  /** The values, which are unique, mean something to clients: one is a cursor by itself, as it is written. */
  cursorIsValue?: true;
  /** The column is an expression of columns. */
  isExpression?: true;
}

/** The order by a column of rows that have an id, in the column `id`. */
export const sortBy = <Row extends { id: string }>(
  id: Sql,
  column: Sql,
  type: Sort<Row>['type'],
  value: Sort<Row>['value'],
): Sort<Row> => ({ column, type, id, value, idOf: (row) => row.id });

/** The same by an expression of columns. */
export const sortByExpression = <Row extends { id: string }>(
  ...of: Parameters<typeof sortBy<Row>>
): Sort<Row> => ({
  ...sortBy(...of),
  isExpression: true,
});

/** What a request makes of a sort: the rows beyond where it starts, in which order, one more than the page holds. */
export interface PageWindow<Row> {
  afterCursor: Sql;
  /** To order by; with `column` in place of the sort's own. */
  order: (column?: Sql) => Sql;
  fetchLimit: Sql;
  /** How many rows the page holds. */
  pageSize: number;
  toPage: (found: Row[]) => Page<Row>;
}

/** Throws BAD_USER_INPUT. */
export function pageWindow<Row>(
  ctx: Context,
  request: PageRequest,
  sort: Sort<Row>,
  direction: 'ASC' | 'DESC',
): PageWindow<Row> {
  const { limit, backward, from } = parsePageRequest(ctx, request, sort);
  const descending = (direction === 'DESC') !== backward;
  return {
    afterCursor: beyond(sort, from, descending),
    order: (column = sort.column) => orderBy({ ...sort, column }, descending),
    // A limit that it does not know, PostgreSQL takes for a tenth of the rows; then it would choose another plan.
    fetchLimit: sql.raw(String(Math.trunc(limit + 1))),
    pageSize: limit,
    toPage: (found) => toPage(found, sort, limit, backward, from !== undefined),
  };
}

function orderBy<Row>({ column, id, unique }: Sort<Row>, descending: boolean): Sql {
  const way = descending ? sql`DESC` : sql`ASC`;
  return unique ? sql`${column} ${way}` : sql`${column} ${way}, ${id} ${way}`;
}

function toPage<Row>(
  found: Row[],
  sort: Sort<Row>,
  limit: number,
  backward: boolean,
  resumed: boolean,
): Page<Row> {
  const more = found.length > limit;
  const rows = more ? found.slice(0, limit) : found;
  if (backward) rows.reverse();
  return {
    rows,
    hasNextPage: backward ? resumed : more,
    hasPreviousPage: backward ? more : resumed,
    cursorOf: (row) => {
      const value = cursorValue(sort.value(row));
      return sort.cursorIsValue ? String(value) : encodeCursor([value, sort.idOf(row)]);
    },
  };
}

const cursorValue = (value: string | number | bigint | Date | null): string | number | null =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value;

/** One row comparison, which an index on (column, id) answers. */
function beyond<Row>(sort: Sort<Row>, from: Position | undefined, descending: boolean): Sql {
  if (!from) return sql`true`;
  const [value, id] = from;
  const cast = sql.raw(sort.type);
  if (sort.unique) return sql`${sort.column} ${descending ? sql`<` : sql`>`} ${String(value)}::text::${cast}`;
  return sql`(${sort.column}, ${sort.id}) ${descending ? sql`<` : sql`>`} (${String(value)}::text::${cast}, ${id})`;
}

function parsePageRequest<Row>(ctx: Context, { first, after, last, before }: PageRequest, sort: Sort<Row>) {
  if (first != null && last != null) throw badInput('Ask for first or last, not for both.', 'first');
  const backward = last != null || (before != null && first == null);
  if (backward ? after != null : before != null)
    throw badInput('after goes with first, and before with last.', backward ? 'after' : 'before');
  const limit = (backward ? last : first) ?? ctx.limits.pageSize;
  if (limit < 0 || limit > ctx.limits.pageSizeMax)
    throw badInput(`A page holds 0 to ${ctx.limits.pageSizeMax} items.`, backward ? 'last' : 'first');
  const cursor = backward ? before : after;
  return {
    limit,
    backward,
    from: cursor == null ? undefined : parseCursor(cursor, sort, backward ? 'before' : 'after'),
  };
}

const VALUES: Record<Sort<unknown>['type'], RegExp> = {
  text: /(?:)/,
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  bigint: /^-?\d{1,18}$/,
  int: /^-?\d{1,9}$/,
  float8: /^-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/,
};

function parseCursor<Row>(cursor: string, { type, cursorIsValue: alone }: Sort<Row>, at: string): Position {
  const found = alone ? [cursor, ''] : decodeCursor(cursor, 2);
  if (!found || typeof found[1] !== 'string' || !VALUES[type].test(String(found[0])))
    throw badInput('This is not a cursor of this list.', at);
  return found;
}
