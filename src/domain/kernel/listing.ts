import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';
import { EXTENDED_SCAN_ROWS, SCAN_ROWS, scanQuery, worthExtending } from './listing-sparse.ts';
import { type Page, type PageRequest, type PageWindow, pageWindow, type Sort } from './page.ts';
import { includeRelations, type Relation } from './relation.ts';

/** The row whose children a list holds. */
export interface Parent {
  organizationId: string;
  id: string;
}

interface Parts {
  from: (ctx: Context) => Sql;
  row: Sql;
}

/** A look at an order: at rows of one table under the alias `row`. */
export interface BoundedScan<Order extends string> {
  row: Sql;
  /** What of `where` an index on the order answers, and the rest of it. */
  indexCondition: (order: Order) => Sql;
  rowCondition: Sql;
}

/** How a list is found in which little of what its order holds may fit. */
export interface Sparse<Row, Filter, Order extends string> {
  /**
   * What a page tries first. MARKED, where the list says itself that it does not hold all, by a row of nulls in place of any
   * other; nothing, where what names its rows names few, whoever asks.
   */
  firstAttempt?: BoundedScan<Order> | 'MARKED';
  /** The same list, with the same `home`, found from what names its rows. */
  fallback: () => Listing<Row, Filter, Order>;
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
  /** What is beside each row, one or none: LEFT JOINs. */
  joins?: Sql;
  where: (ctx: Context, filter: Filter) => Sql;
  sorts: Record<Order, Sort<Row>>;
  /** The order that is the same among the rows of this filter, where an index has that one. */
  orderOf?: (order: Order, filter: Filter) => Order;
  /**
   * For a list in parts, each of which an index has in order: what `where` finds them by, a row for each part. A page is
   * merged of the first rows of each; `row` is their alias.
   */
  parts?: Parts;
  /** Another list, no row of which is in this one: a page is merged of both, and their numbers are added. */
  union?: { listing: Listing<Row, Filter, Order>; row: Sql };
  /**
   * The parents, as rows with organization_id and id, where `where` says all of the viewer's rights: then the list can be
   * asked for before its parent is there, whose organizationId is left empty.
   */
  parentTable?: Sql;
  /** How many rows there are, where that is kept: a value to select, null for a viewer for whom they have to be counted. */
  storedCount?: (ctx: Context, filter: Filter) => Sql | undefined;
  /**
   * Where little of what the order holds may fit. A page looks at some rows of it; if these neither fill it nor are all, nor
   * promise to, it is found the other way, and so is the number of rows: what nobody asked for, or may see, costs nobody time.
   */
  sparse?: (ctx: Context, filter: Filter) => Sparse<Row, Filter, Order> | undefined;
}

export interface ListArguments<Filter, Order extends string> extends PageRequest {
  filter: Filter;
  orderBy: { field: Order; direction: 'ASC' | 'DESC' };
}

/** A row of one of several parents: the first is 1. */
export interface ParentIndexed {
  parentIndex: number;
}

/** The row of each parent, or null; there is one at most. */
export function alignToParents<Row>(parents: number, rows: readonly (Row & ParentIndexed)[]): (Row | null)[] {
  const found = new Array<Row | null>(parents).fill(null);
  for (const row of rows) found[row.parentIndex - 1] = row;
  return found;
}

/** How pages are asked for. */
interface ListOptions {
  reader?: Reader;
  /** What is wanted of each row. */
  relations?: readonly Relation[];
  /** How many rows of an order to look at. */
  scanRows?: number;
}

/** A page for each parent, in the order of the parents: no OFFSET, so page 1,000 costs what page 1 costs. */
export async function listPages<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  args: ListArguments<Filter, Order>,
  how: ListOptions = {},
): Promise<Page<Row>[]> {
  const { reader = ctx.db, relations = [], scanRows: looked = SCAN_ROWS } = how;
  const rare = listing.sparse?.(ctx, args.filter);
  if (rare && !rare.firstAttempt) return listPages(ctx, rare.fallback(), parents, args, how);
  const field = listing.orderOf?.(args.orderBy.field, args.filter) ?? args.orderBy.field;
  const sort = listing.sorts[field];
  const window = pageWindow(ctx, args, sort, args.orderBy.direction);
  const page = pageQuery(ctx, listing, args.filter, field, window, rare?.firstAttempt, looked);
  const wanted = includeRelations(ctx, relations, parents.length * window.pageSize);
  const rows = await reader.query<Row & ParentIndexed>(sql`
    SELECT k.index::int AS parent_index, item.*${wanted?.select ?? sql.empty} FROM ${parentRows(listing.parentTable, parents)}
    CROSS JOIN LATERAL (${page}) item ${wanted?.joins ?? sql.empty}`);
  const found = parents.map((): Row[] => []);
  const cut: number[] = [];
  for (const row of rows) {
    const index = row.parentIndex - 1;
    if (rare && sort.idOf(row) === null) cut.push(index);
    else found[index]?.push(row);
  }
  const pages = found.map(window.toPage);
  if (!rare) return pages;
  const soon = (index: number) =>
    looked < EXTENDED_SCAN_ROWS && worthExtending(found[index]?.length ?? 0, window.pageSize);
  const goOn = async (way: () => Listing<Row, Filter, Order>, indices: number[], looked?: number) => {
    if (indices.length === 0) return;
    const some = indices.map((index) => parents[index] as Parent);
    const others = await listPages(ctx, way(), some, args, { ...how, scanRows: looked });
    for (const [place, page] of others.entries()) pages[indices[place] as number] = page;
  };
  await goOn(() => listing, cut.filter(soon), EXTENDED_SCAN_ROWS);
  await goOn(
    rare.fallback,
    cut.filter((index) => !soon(index)),
  );
  return pages;
}

/** The statement of a page, below a parent. */
function pageQuery<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  filter: Filter,
  field: Order,
  window: PageWindow<Row>,
  first?: Sparse<Row, Filter, Order>['firstAttempt'],
  looked = SCAN_ROWS,
): Sql {
  const { parts, union: more, sorts } = listing;
  const mark = first && sorts[field].id;
  const rows =
    first && first !== 'MARKED'
      ? boundedScanQuery(ctx, listing, first, field, window, looked)
      : fullQuery(ctx, listing, filter, window, mark);
  const page = parts ? mergeParts(ctx, parts, rows, window, mark) : rows;
  if (!more) return page;
  const both = sql`(${page}) UNION ALL (${pageQuery(ctx, more.listing, filter, field, window)})`;
  return sql`SELECT ${more.row}.* FROM (${both}) ${more.row} ORDER BY ${window.order()} LIMIT ${window.fetchLimit}`;
}

/** With an id as `mark`, the list may be no list, but one row of nulls. */
const fullQuery = <Row, Filter, Order extends string>(
  ctx: Context,
  { select, from, joins = sql.empty, where }: Listing<Row, Filter, Order>,
  filter: Filter,
  { afterCursor: beyond, order, fetchLimit: most }: PageWindow<Row>,
  mark?: Sql,
): Sql => {
  const fits = sql`${where(ctx, filter)} AND ${beyond}`;
  return sql`SELECT ${select(ctx)} FROM ${from} ${joins} WHERE ${mark ? sql`${mark} IS NULL OR (${fits})` : fits}
    ORDER BY ${order()} LIMIT ${most}`;
};

/** What a look at so many rows of the order finds; if that is not all, a row without an id is among it. */
const boundedScanQuery = <Row, Filter, Order extends string>(
  ctx: Context,
  { select, from, joins = sql.empty, sorts }: Listing<Row, Filter, Order>,
  { row, indexCondition: within, rowCondition: beside }: BoundedScan<Order>,
  field: Order,
  { afterCursor: beyond, order, fetchLimit: most }: PageWindow<Row>,
  rows: number,
): Sql =>
  scanQuery({
    ...{
      from,
      joins,
      row,
      rowCondition: beside,
      order,
      fetchLimit: most,
      scanRows: rows,
      expression: sorts[field].isExpression && sorts[field].column,
    },
    select: select(ctx),
    indexCondition: sql`${within(field)} AND ${beyond}`,
  });

/** The first rows of each part, of which the first of all are wanted; before them, what has no id, where that may be. */
function mergeParts<Row>(
  ctx: Context,
  { from, row }: Parts,
  page: Sql,
  { order, fetchLimit: most }: PageWindow<Row>,
  id?: Sql,
): Sql {
  const first = id ? sql`${id} IS NOT NULL, ${order()}` : order();
  return sql`SELECT ${row}.* FROM ${from(ctx)} CROSS JOIN LATERAL (${page}) ${row} ORDER BY ${first} LIMIT ${most}`;
}

/** Parents, as rows of a statement. */
export const parentsAsRows = (parents: readonly Parent[]): Sql =>
  sql`unnest(${parents.map((each) => each.organizationId)}::text[], ${parents.map((each) => each.id)}::text[])
    WITH ORDINALITY AS k(organization_id, id, index)`;

/** The same of parents whose organization is not known yet. */
const parentRows = (home: Sql | undefined, parents: readonly Parent[]): Sql =>
  home && parents.some(({ organizationId }) => organizationId === '')
    ? sql`(SELECT h.organization_id, h.id, i.index FROM unnest(${parents.map(({ id }) => id)}::text[]) WITH ORDINALITY AS i(id, index)
      JOIN ${home} h ON h.id = i.id) AS k`
    : parentsAsRows(parents);

/** The list as it is found from what names its rows, where little may fit. */
export function fallbackOf<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  filter: Filter,
): Listing<Row, Filter, Order> {
  const rare = listing.sparse?.(ctx, filter);
  return rare ? fallbackOf(ctx, rare.fallback(), filter) : listing;
}
