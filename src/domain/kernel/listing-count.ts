import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';
import { fallbackOf, type Listing, type Parent, parentsAsRows, sparseOf } from './listing.ts';
import type { Sort } from './page.ts';

/** Rows are counted up to this number, unless it is stored: a count stays cheap in a list of a million. */
export const COUNT_LIMIT = 10_000;

/** The number of rows of a list; a lower bound if it is not exact. */
export interface Total {
  count: number;
  exact: boolean;
}

/** Counts the rows of each parent's list that this viewer sees. Exact up to COUNT_LIMIT, and where the number is stored. */
export async function countRows<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  filter: Filter,
  reader: Reader = ctx.db,
): Promise<Total[]> {
  const sparse = sparseOf(ctx, listing, filter);
  const stored = ctx.past ? undefined : listing.storedCount?.(ctx, filter);
  const counted =
    sparse?.firstAttempt === 'MARKED'
      ? countUnlessIncomplete(ctx, listing, filter)
      : countQuery(ctx, fallbackOf(ctx, listing, filter), filter, stored ? sql`` : COUNT_LIMIT_CLAUSE);
  const rows = await reader.query<{ count: bigint | null }>(sql`
    SELECT ${stored ? sql`coalesce(${stored}, ${counted})` : counted} AS count FROM ${parentsAsRows(parents)} ORDER BY k.index`);
  const incomplete = parents.filter((_, index) => rows[index]?.count === null);
  const others =
    sparse && incomplete.length > 0
      ? await countRows(ctx, sparse.fallback(), incomplete, filter, reader)
      : [];
  return rows.map(({ count }) =>
    count === null ? (others.shift() as Total) : toTotal(count, stored !== undefined),
  );
}

function toTotal(count: bigint, stored: boolean): Total {
  const exact = stored || count <= COUNT_LIMIT;
  return { count: exact ? Number(count) : COUNT_LIMIT, exact };
}

/** One row beyond the limit shows that there are more. */
const COUNT_LIMIT_CLAUSE = sql.raw(`LIMIT ${COUNT_LIMIT + 1}`);

function countQuery<Row, Filter, Order extends string>(
  ctx: Context,
  { from, joins = sql.empty, parts, where, union }: Listing<Row, Filter, Order>,
  filter: Filter,
  limit: Sql,
): Sql {
  const rows = sql`SELECT FROM ${from} ${joins} WHERE ${where(ctx, filter)}`;
  // Part by part, as pages are read: as a join the planner may read all rows of the table for it.
  const counted = parts
    ? sql`SELECT FROM ${parts.from(ctx)} CROSS JOIN LATERAL (${rows} OFFSET 0) part ${limit}`
    : sql`${rows} ${limit}`;
  const count = sql`(SELECT count(*) FROM (${counted}) c)`;
  return union ? sql`(${count} + ${countQuery(ctx, union.listing, filter, limit)})` : count;
}

/** Counts a list that returns a marker row, one of nulls, when it is incomplete: null in that case. */
function countUnlessIncomplete<Row, Filter, Order extends string>(
  ctx: Context,
  { from, where, sorts }: Listing<Row, Filter, Order>,
  filter: Filter,
): Sql {
  const [{ id }] = Object.values<Sort<Row>>(sorts) as [Sort<Row>];
  return sql`(SELECT CASE WHEN count(*) = count(${id}) THEN count(*) END FROM ${from}
    WHERE ${id} IS NULL OR ${where(ctx, filter)})`;
}
