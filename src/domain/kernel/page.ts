import { type Sql, sql } from '../../db/sql/sql.ts';
import { parseTime } from '../../lib/calendar-time.ts';
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

/** The content of a list's cursors: the value that a row is ordered by, and its id. */
export interface Keyset<Row> {
  type: 'text' | 'timestamptz' | 'bigint' | 'int' | 'float8';
  value: (row: Row) => string | number | bigint | Date | null;
  idOf: (row: Row) => string;
  /** Values are unique below a parent, so an index orders them without the id. */
  unique?: true;
  /** The cursor is the value itself, which is unique and has a meaning for clients. */
  cursorIsValue?: true;
}

/** One order of a list: a column, its type, and the value of a row. Equal values are ordered by id. */
export interface Sort<Row> extends Keyset<Row> {
  column: Sql;
  id: Sql;
  /** `column` is an expression, not a column. */
  isExpression?: true;
}

/** The order by a column of rows with a member `id`, which is in the column `id`. */
export const sortBy = <Row extends { id: string }>(
  id: Sql,
  column: Sql,
  type: Sort<Row>['type'],
  value: Sort<Row>['value'],
): Sort<Row> => ({ column, type, id, value, idOf: (row) => row.id });

/** The same by an expression of columns. */
export const sortByExpression = <Row extends { id: string }>(
  ...args: Parameters<typeof sortBy<Row>>
): Sort<Row> => ({
  ...sortBy(...args),
  isExpression: true,
});

/** The SQL of a page: which rows, in which order, and one more than the page holds, which shows that there is a next page. */
export interface PageWindow<Row> {
  /** The rows behind the cursor, in the order of reading. */
  afterCursor: Sql;
  /** The ORDER BY list; `column` replaces the column of the sort. */
  order: (column?: Sql) => Sql;
  fetchLimit: Sql;
  pageSize: number;
  toPage: (rows: Row[]) => Page<Row>;
}

/** Throws BAD_USER_INPUT for a size beyond the limits, for arguments that exclude each other, and for an invalid cursor. */
export function pageWindow<Row>(
  ctx: Context,
  request: PageRequest,
  sort: Sort<Row>,
  direction: 'ASC' | 'DESC',
): PageWindow<Row> {
  const { pageSize, backward, cursor } = parsePageRequest(ctx, request, sort);
  const descending = (direction === 'DESC') !== backward;
  return {
    afterCursor: afterCursor(sort, cursor, descending),
    order: (column = sort.column) => orderBy({ ...sort, column }, descending),
    // In the text of the statement: PostgreSQL plans an unknown LIMIT as a tenth of the rows, and chooses other indexes.
    fetchLimit: sql.raw(String(Math.trunc(pageSize + 1))),
    pageSize,
    toPage: (rows) => toPage(rows, sort, pageSize, backward, cursor !== undefined),
  };
}

function orderBy<Row>({ column, id, unique }: Sort<Row>, descending: boolean): Sql {
  const direction = descending ? sql`DESC` : sql`ASC`;
  return unique ? sql`${column} ${direction}` : sql`${column} ${direction}, ${id} ${direction}`;
}

/** The page of the rows that were fetched: one more than `pageSize` where the list goes on. */
export function toPage<Row>(
  fetched: Row[],
  sort: Keyset<Row>,
  pageSize: number,
  backward: boolean,
  hasCursor: boolean,
): Page<Row> {
  const more = fetched.length > pageSize;
  const rows = more ? fetched.slice(0, pageSize) : fetched;
  if (backward) rows.reverse();
  return {
    rows,
    hasNextPage: backward ? hasCursor : more,
    hasPreviousPage: backward ? more : hasCursor,
    cursorOf: (row) => {
      const value = toJsonValue(sort.value(row));
      return sort.cursorIsValue ? String(value) : encodeCursor([value, sort.idOf(row)]);
    },
  };
}

const toJsonValue = (value: string | number | bigint | Date | null): string | number | null =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value;

/** One row comparison, which an index on (column, id) answers. */
function afterCursor<Row>(sort: Sort<Row>, cursor: Position | undefined, descending: boolean): Sql {
  if (!cursor) return sql`true`;
  const [value, id] = cursor;
  const type = sql.raw(sort.type);
  if (sort.unique) return sql`${sort.column} ${descending ? sql`<` : sql`>`} ${String(value)}::text::${type}`;
  return sql`(${sort.column}, ${sort.id}) ${descending ? sql`<` : sql`>`} (${String(value)}::text::${type}, ${id})`;
}

/** The size, direction and cursor of the page that a request asks for. Throws BAD_USER_INPUT. */
export function parsePageRequest<Row>(
  ctx: Context,
  { first, after, last, before }: PageRequest,
  sort: Keyset<Row>,
): { pageSize: number; backward: boolean; cursor: Position | undefined } {
  if (first != null && last != null) throw badInput('Ask for first or last, not for both.', 'first');
  const backward = last != null || (before != null && first == null);
  if (backward ? after != null : before != null)
    throw badInput('after goes with first, and before with last.', backward ? 'after' : 'before');
  const pageSize = (backward ? last : first) ?? ctx.limits.pageSize;
  if (pageSize < 0 || pageSize > ctx.limits.pageSizeMax)
    throw badInput(`A page holds 0 to ${ctx.limits.pageSizeMax} items.`, backward ? 'last' : 'first');
  const cursor = backward ? before : after;
  return {
    pageSize,
    backward,
    cursor: cursor == null ? undefined : parseCursor(cursor, sort, backward ? 'before' : 'after'),
  };
}

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/;

/** Whether a text is a value of each type as cursors have it, and PostgreSQL reads it. */
const IS_VALUE: Record<Keyset<unknown>['type'], (text: string) => boolean> = {
  text: () => true,
  timestamptz: (text) => /\.\d{3}Z$/.test(text) && parseTime(text) !== undefined,
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  int: (text) => /^-?\d{1,9}$/.test(text),
  float8: (text) => NUMBER.test(text) && Number.isFinite(Number(text)),
};

function parseCursor<Row>(cursor: string, { type, cursorIsValue }: Keyset<Row>, at: string): Position {
  const position = cursorIsValue ? [cursor, ''] : decodeCursor(cursor, 2);
  if (!position || typeof position[1] !== 'string' || !IS_VALUE[type](String(position[0])))
    throw badInput('This is not a cursor of this list.', at);
  return position;
}
