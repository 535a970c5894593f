import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';
import { fallbackOf, type Listing, type Parent, parentsAsRows } from './listing.ts';
import type { Sort } from './page.ts';

/** Rows are counted as far as this, unless their number is kept: nobody waits for a million to be looked at. */
export const COUNT_LIMIT = 10_000;

/** How many rows a list holds; at least so many where it is not exact. */
export interface Total {
  count: number;
  exact: boolean;
}

/** How many rows each parent's list holds for this viewer. Of a list whose number is kept, that is exact for everyone. */
export async function countRows<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  filter: Filter,
  reader: Reader = ctx.db,
): Promise<Total[]> {
  const rare = listing.sparse?.(ctx, filter);
  const kept = listing.storedCount?.(ctx, filter);
  const counted =
    rare?.firstAttempt === 'MARKED'
      ? countUnlessIncomplete(ctx, listing, filter)
      : countQuery(ctx, fallbackOf(ctx, listing, filter), filter, kept ? sql`` : countLimit);
  const rows = await reader.query<{ count: bigint | null }>(sql`
    SELECT ${kept ? sql`coalesce(${kept}, ${counted})` : counted} AS count FROM ${parentsAsRows(parents)} ORDER BY k.index`);
  const cut = parents.filter((_, index) => rows[index]?.count === null);
  const others = rare && cut.length > 0 ? await countRows(ctx, rare.fallback(), cut, filter, reader) : [];
  return rows.map(({ count }) =>
    count === null ? (others.shift() as Total) : toTotal(count, kept !== undefined),
  );
}

function toTotal(count: bigint, kept: boolean): Total {
  const exact = kept || count <= COUNT_LIMIT;
  return { count: exact ? Number(count) : COUNT_LIMIT, exact };
}

/** One more than is counted tells that there are more. */
const countLimit = sql.raw(`LIMIT ${COUNT_LIMIT + 1}`);

function countQuery<Row, Filter, Order extends string>(
  ctx: Context,
  { from, joins = sql.empty, parts, where, union: more }: Listing<Row, Filter, Order>,
  filter: Filter,
  most: Sql,
): Sql {
  const all = parts ? sql`${parts.from(ctx)} CROSS JOIN ${from}` : from;
  const number = sql`(SELECT count(*) FROM (SELECT FROM ${all} ${joins} WHERE ${where(ctx, filter)} ${most}) c)`;
  return more ? sql`(${number} + ${countQuery(ctx, more.listing, filter, most)})` : number;
}

/** How many rows a list holds that may be no list but a row of nulls; null then. */
function countUnlessIncomplete<Row, Filter, Order extends string>(
  ctx: Context,
  { from, where, sorts }: Listing<Row, Filter, Order>,
  filter: Filter,
): Sql {
  const [{ id }] = Object.values<Sort<Row>>(sorts) as [Sort<Row>];
  return sql`(SELECT CASE WHEN count(*) = count(${id}) THEN count(*) END FROM ${from}
    WHERE ${id} IS NULL OR ${where(ctx, filter)})`;
}
