import type { Reader } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { decodeCursor, encodeCursor, type Position } from '../lib/cursor.ts';
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

/** The row whose children a list holds. */
export interface Parent {
  organizationId: string;
  id: string;
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
  alone?: true;
}

/** The order by a column of rows that have an id, in the column `id`. */
export const sortBy = <Row extends { id: string }>(
  id: Sql,
  column: Sql,
  type: Sort<Row>['type'],
  value: Sort<Row>['value'],
): Sort<Row> => ({ column, type, id, value, idOf: (row) => row.id });

interface Parts {
  from: (ctx: Context) => Sql;
  row: Sql;
}

/**
 * A list that hangs on a parent, which its SQL calls `k` (organization_id, id). One statement answers for any number
 * of parents, so the graph can batch. `where` holds the filter, and the viewer's rights where those to the parent, which
 * the viewer sees, do not say it all.
 */
export interface Listing<Row, Filter, Order extends string> {
  name: string;
  select: (ctx: Context) => Sql;
  from: Sql;
  where: (ctx: Context, filter: Filter) => Sql;
  sorts: Record<Order, Sort<Row>>;
  /** The order that is the same among the rows of this filter, where an index has that one. */
  orderOf?: (order: Order, filter: Filter) => Order;
  /**
   * For a list in parts, each of which an index has in order: what `where` finds them by, a row for each part. A page is
   * merged of the first rows of each; `row` is their alias.
   */
  parts?: Parts;
  /**
   * The parents, as rows with organization_id and id, where `where` says all of the viewer's rights: then the list can be
   * asked for before its parent is there, whose organizationId is left empty.
   */
  home?: Sql;
  /** How many rows there are, where that is kept: a value to select, null for a viewer for whom they have to be counted. */
  kept?: (ctx: Context, filter: Filter) => Sql | undefined;
}

export interface ListArguments<Filter, Order extends string> extends PageRequest {
  filter: Filter;
  orderBy: { field: Order; direction: 'ASC' | 'DESC' };
}

type Ranked = { parentIndex: bigint };

/** A page for each parent, in the order of the parents: no OFFSET, so page 1,000 costs what page 1 costs. */
export async function listPages<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  args: ListArguments<Filter, Order>,
  reader: Reader = ctx.db,
): Promise<Page<Row>[]> {
  const { field } = args.orderBy;
  const sort = listing.sorts[listing.orderOf?.(field, args.filter) ?? field];
  const { limit, backward, from } = window(ctx, args, sort);
  const descending = (args.orderBy.direction === 'DESC') !== backward;
  const first = sql`ORDER BY ${inOrder(sort, descending)} LIMIT ${literal(limit + 1)}`;
  const page = sql`SELECT ${listing.select(ctx)} FROM ${listing.from}
      WHERE ${listing.where(ctx, args.filter)} AND ${beyond(sort, from, descending)} ${first}`;
  const rows = await reader.query<Row & Ranked>(sql`
    SELECT k.index AS parent_index, x.* FROM ${atHome(listing.home, parents)}
    CROSS JOIN LATERAL (${listing.parts ? merged(ctx, listing.parts, page, first) : page}) x`);
  const pages = parents.map((): Row[] => []);
  for (const row of rows) pages[Number(row.parentIndex) - 1]?.push(row);
  return pages.map((page) => toPage(page, sort, limit, backward, from !== undefined));
}

/** The first rows of each part, of which the first of all are wanted. */
const merged = (ctx: Context, { from, row }: Parts, page: Sql, first: Sql): Sql =>
  sql`SELECT ${row}.* FROM ${from(ctx)} CROSS JOIN LATERAL (${page}) ${row} ${first}`;

function inOrder<Row>({ column, id, unique }: Sort<Row>, descending: boolean): Sql {
  const way = descending ? sql`DESC` : sql`ASC`;
  return unique ? sql`${column} ${way}` : sql`${column} ${way}, ${id} ${way}`;
}

/** A limit that it does not know, PostgreSQL takes for a tenth of the rows; then it would not keep the plan. */
const literal = (count: number): Sql => sql.raw(String(Math.trunc(count)));

/** How many rows each parent's list holds for this viewer. */
export async function countRows<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  filter: Filter,
): Promise<number[]> {
  const { from, parts } = listing;
  const all = parts ? sql`${parts.from(ctx)} CROSS JOIN ${from}` : from;
  const counted = sql`(SELECT count(*) FROM ${all} WHERE ${listing.where(ctx, filter)})`;
  const kept = listing.kept?.(ctx, filter);
  const rows = await ctx.db.query<{ count: bigint }>(sql`
    SELECT ${kept ? sql`coalesce(${kept}, ${counted})` : counted} AS count FROM ${unnest(parents)} ORDER BY k.index`);
  return rows.map(({ count }) => Number(count));
}

const unnest = (parents: readonly Parent[]): Sql =>
  sql`unnest(${parents.map((each) => each.organizationId)}::text[], ${parents.map((each) => each.id)}::text[])
    WITH ORDINALITY AS k(organization_id, id, index)`;

/** The same of parents whose organization is not known yet. */
const atHome = (home: Sql | undefined, parents: readonly Parent[]): Sql =>
  home && parents.some(({ organizationId }) => organizationId === '')
    ? sql`(SELECT h.organization_id, h.id, i.index FROM unnest(${parents.map(({ id }) => id)}::text[]) WITH ORDINALITY AS i(id, index)
      JOIN ${home} h ON h.id = i.id) AS k`
    : unnest(parents);

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
      const value = plain(sort.value(row));
      return sort.alone ? String(value) : encodeCursor([value, sort.idOf(row)]);
    },
  };
}

const plain = (value: string | number | bigint | Date | null): string | number | null =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value;

/** One row comparison, which an index on (column, id) answers. */
function beyond<Row>(sort: Sort<Row>, from: Position | undefined, descending: boolean): Sql {
  if (!from) return sql`true`;
  const [value, id] = from;
  const cast = sql.raw(sort.type);
  if (sort.unique) return sql`${sort.column} ${descending ? sql`<` : sql`>`} ${String(value)}::text::${cast}`;
  return sql`(${sort.column}, ${sort.id}) ${descending ? sql`<` : sql`>`} (${String(value)}::text::${cast}, ${id})`;
}

function window<Row>(ctx: Context, { first, after, last, before }: PageRequest, sort: Sort<Row>) {
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
    from: cursor == null ? undefined : position(cursor, sort, backward ? 'before' : 'after'),
  };
}

const VALUES: Record<Sort<unknown>['type'], RegExp> = {
  text: /(?:)/,
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  bigint: /^-?\d{1,18}$/,
  int: /^-?\d{1,9}$/,
  float8: /^-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/,
};

function position<Row>(cursor: string, { type, alone }: Sort<Row>, at: string): Position {
  const found = alone ? [cursor, ''] : decodeCursor(cursor, 2);
  if (!found || typeof found[1] !== 'string' || !VALUES[type].test(String(found[0])))
    throw badInput('This is not a cursor of this list.', at);
  return found;
}
