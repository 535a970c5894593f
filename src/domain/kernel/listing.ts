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

/** The parts of a list, each of which an index has in order: one row per part, and the alias that pages get in the merge. */
interface Parts {
  from: (ctx: Context) => Sql;
  row: Sql;
}

/** Reads the first rows of an index order, and filters only those. `row` is the alias of the table. */
export interface BoundedScan<Order extends string> {
  row: Sql;
  /** The conditions that an index on the order answers. */
  indexCondition: (order: Order) => Sql;
  /** The other conditions, checked row by row. */
  rowCondition: Sql;
}

/** How to read a list of whose order only few rows may match (docs/internals/listing.md). */
export interface Sparse<Row, Filter, Order extends string> {
  /**
   * Tried before the fallback. A BoundedScan reads the start of the order; MARKED: the list's own SQL returns a single
   * row of nulls when it is incomplete. Undefined: the fallback reads few rows for every viewer, and is used at once.
   */
  firstAttempt?: BoundedScan<Order> | 'MARKED';
  /** The same rows and the same `parentTable`, found by ids instead of by the order. */
  fallback: () => Listing<Row, Filter, Order>;
}

/**
 * A list of the children of a parent, which its SQL calls `k` (organization_id, id). One statement reads the pages of any
 * number of parents. `where` holds the filter and the viewer's rights, unless seeing the parent implies them.
 */
export interface Listing<Row, Filter, Order extends string> {
  /** Identifies the list in batches and logs. */
  name: string;
  select: (ctx: Context) => Sql;
  from: Sql;
  /** LEFT JOINs that add at most one row to each. */
  joins?: Sql;
  where: (ctx: Context, filter: Filter) => Sql;
  sorts: Record<Order, Sort<Row>>;
  /** Replaces an order by one that is equal under this filter, and that an index has. */
  orderOf?: (order: Order, filter: Filter) => Order;
  /** For a list that no single index has in order: a page is merged from the first rows of each part. */
  parts?: Parts;
  /** A second list without common rows: pages are merged from both, and counts are added. */
  union?: { listing: Listing<Row, Filter, Order>; row: Sql };
  /**
   * The table of the parents (organization_id, id), if `where` checks all of the viewer's rights. Then the list can be
   * read before its parent; the parent's organizationId is '' meanwhile.
   */
  parentTable?: Sql;
  /** A stored number of rows, as a value to select; null for a viewer for whom the rows have to be counted. */
  storedCount?: (ctx: Context, filter: Filter) => Sql | undefined;
  /** For a list of whose order only few rows may match this filter and viewer; undefined if most of them match. */
  sparse?: (ctx: Context, filter: Filter) => Sparse<Row, Filter, Order> | undefined;
}

/** The page, filter and order of a request. */
export interface ListArguments<Filter, Order extends string> extends PageRequest {
  filter: Filter;
  orderBy: { field: Order; direction: 'ASC' | 'DESC' };
}

/** A result row of a statement over several parents; the first parent is 1. */
export interface ParentIndexed {
  parentIndex: number;
}

/** Returns one row or null per parent, for statements that return at most one row for each. */
export function alignToParents<Row>(parents: number, rows: readonly (Row & ParentIndexed)[]): (Row | null)[] {
  const aligned = new Array<Row | null>(parents).fill(null);
  for (const row of rows) aligned[row.parentIndex - 1] = row;
  return aligned;
}

interface ListOptions {
  reader?: Reader;
  /** To-one relations that are selected with each row, where that is cheaper than a second statement. */
  relations?: readonly Relation[];
  /** How many rows of the order a bounded scan reads. */
  scanRows?: number;
}

/**
 * Reads one page for each parent, in the order of the parents. Keyset pagination: page 1,000 costs what page 1 costs.
 * Throws BAD_USER_INPUT for a page size or cursor that is invalid.
 */
export async function listPages<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  args: ListArguments<Filter, Order>,
  options: ListOptions = {},
): Promise<Page<Row>[]> {
  const { reader = ctx.db, relations = [], scanRows = SCAN_ROWS } = options;
  const sparse = sparseOf(ctx, listing, args.filter);
  if (sparse && !sparse.firstAttempt) return listPages(ctx, sparse.fallback(), parents, args, options);
  const field = listing.orderOf?.(args.orderBy.field, args.filter) ?? args.orderBy.field;
  const sort = listing.sorts[field];
  const window = pageWindow(ctx, args, sort, args.orderBy.direction);
  const page = pageQuery(ctx, listing, args.filter, field, window, sparse?.firstAttempt, scanRows);
  const included = includeRelations(ctx, relations, parents.length * window.pageSize);
  const rows = await reader.query<Row & ParentIndexed>(sql`
    SELECT k.index::int AS parent_index, item.*${included?.select ?? sql.empty} FROM ${parentRows(listing.parentTable, parents)}
    CROSS JOIN LATERAL (${page}) item ${included?.joins ?? sql.empty}`);
  const { byParent, incomplete } = groupByParent(
    parents,
    rows,
    (row) => sparse !== undefined && sort.idOf(row) === null,
  );
  const pages = byParent.map(window.toPage);
  if (!sparse) return pages;
  const extend = (index: number) =>
    scanRows < EXTENDED_SCAN_ROWS && worthExtending(byParent[index]?.length ?? 0, window.pageSize);
  const retry = async (indices: number[], source: Listing<Row, Filter, Order>, scanRows?: number) => {
    const some = indices.map((index) => parents[index] as Parent);
    const others = await listPages(ctx, source, some, args, { ...options, scanRows });
    for (const [position, page] of others.entries()) pages[indices[position] as number] = page;
  };
  const extended = incomplete.filter(extend);
  const others = incomplete.filter((index) => !extend(index));
  if (extended.length > 0) await retry(extended, listing, EXTENDED_SCAN_ROWS);
  if (others.length > 0) await retry(others, sparse.fallback());
  return pages;
}

/** Groups rows by parent. A parent with a marker row, one of nulls, is incomplete; the marker itself is dropped. */
function groupByParent<Row>(
  parents: readonly Parent[],
  rows: readonly (Row & ParentIndexed)[],
  isMarker: (row: Row) => boolean,
): { byParent: Row[][]; incomplete: number[] } {
  const byParent = parents.map((): Row[] => []);
  const incomplete: number[] = [];
  for (const row of rows) {
    const index = row.parentIndex - 1;
    if (isMarker(row)) incomplete.push(index);
    else byParent[index]?.push(row);
  }
  return { byParent, incomplete };
}

/** The statement of a page below one parent `k`. */
function pageQuery<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  filter: Filter,
  field: Order,
  window: PageWindow<Row>,
  firstAttempt?: Sparse<Row, Filter, Order>['firstAttempt'],
  scanRows = SCAN_ROWS,
): Sql {
  const { parts, union, sorts } = listing;
  const markerId = firstAttempt && sorts[field].id;
  const rows =
    firstAttempt && firstAttempt !== 'MARKED'
      ? boundedScanQuery(ctx, listing, firstAttempt, field, window, scanRows)
      : fullQuery(ctx, listing, filter, window, markerId);
  const page = parts ? mergeParts(ctx, parts, rows, window, markerId) : rows;
  if (!union) return page;
  const both = sql`(${page}) UNION ALL (${pageQuery(ctx, union.listing, filter, field, window)})`;
  return sql`SELECT ${union.row}.* FROM (${both}) ${union.row} ORDER BY ${window.order()} LIMIT ${window.fetchLimit}`;
}

/** With `markerId`, the list may return a marker row, which has no id and passes the filter. */
const fullQuery = <Row, Filter, Order extends string>(
  ctx: Context,
  { select, from, joins = sql.empty, where }: Listing<Row, Filter, Order>,
  filter: Filter,
  { afterCursor, order, fetchLimit }: PageWindow<Row>,
  markerId?: Sql,
): Sql => {
  const matches = sql`${where(ctx, filter)} AND ${afterCursor}`;
  return sql`SELECT ${select(ctx)} FROM ${from} ${joins} WHERE ${markerId ? sql`${markerId} IS NULL OR (${matches})` : matches}
    ORDER BY ${order()} LIMIT ${fetchLimit}`;
};

const boundedScanQuery = <Row, Filter, Order extends string>(
  ctx: Context,
  { select, from, joins = sql.empty, sorts }: Listing<Row, Filter, Order>,
  { row, indexCondition, rowCondition }: BoundedScan<Order>,
  field: Order,
  { afterCursor, order, fetchLimit }: PageWindow<Row>,
  scanRows: number,
): Sql =>
  scanQuery({
    ...{ from, joins, row, rowCondition, order, fetchLimit, scanRows },
    select: select(ctx),
    expression: sorts[field].isExpression && sorts[field].column,
    indexCondition: sql`${indexCondition(field)} AND ${afterCursor}`,
  });

/** Merges the first rows of each part. Marker rows, which have no id, come first, so that the limit keeps them. */
function mergeParts<Row>(
  ctx: Context,
  { from, row }: Parts,
  page: Sql,
  { order, fetchLimit }: PageWindow<Row>,
  markerId?: Sql,
): Sql {
  const mergeOrder = markerId ? sql`${markerId} IS NOT NULL, ${order()}` : order();
  return sql`SELECT ${row}.* FROM ${from(ctx)} CROSS JOIN LATERAL (${page}) ${row} ORDER BY ${mergeOrder} LIMIT ${fetchLimit}`;
}

/** The parents as rows `k` (organization_id, id, index) of a statement. */
export const parentsAsRows = (parents: readonly Parent[]): Sql =>
  sql`unnest(${sql.texts(parents.map((each) => each.organizationId))}, ${sql.texts(parents.map((each) => each.id))})
    WITH ORDINALITY AS k(organization_id, id, index)`;

/** The same; looks up organizations that are not known yet in the table of the parents. */
const parentRows = (table: Sql | undefined, parents: readonly Parent[]): Sql =>
  table && parents.some(({ organizationId }) => organizationId === '')
    ? sql`(SELECT h.organization_id, h.id, i.index FROM unnest(${sql.texts(parents.map(({ id }) => id))}) WITH ORDINALITY AS i(id, index)
      JOIN ${table} h ON h.id = i.id) AS k`
    : parentsAsRows(parents);

/** Rows of the past have no indexes on orders, so nothing is gained there. */
export const sparseOf = <Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  filter: Filter,
): Sparse<Row, Filter, Order> | undefined => (ctx.past ? undefined : listing.sparse?.(ctx, filter));

/** The last fallback of a sparse list, or the list itself if it is not sparse under this filter. */
export function fallbackOf<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  filter: Filter,
): Listing<Row, Filter, Order> {
  const sparse = sparseOf(ctx, listing, filter);
  return sparse ? fallbackOf(ctx, sparse.fallback(), filter) : listing;
}
