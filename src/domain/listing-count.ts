import type { Reader } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Context } from './context.ts';
import { type Listing, otherWay, type Parent, unnest } from './listing.ts';

/** Rows are counted as far as this, unless their number is kept: nobody waits for a million to be looked at. */
export const COUNTED = 10_000;

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
  const kept = listing.kept?.(ctx, filter);
  const most = kept ? sql`` : beyond;
  const counted = numberOf(ctx, otherWay(ctx, listing, filter), filter, most);
  const rows = await reader.query<{ count: bigint }>(sql`
    SELECT ${kept ? sql`coalesce(${kept}, ${counted})` : counted} AS count FROM ${unnest(parents)} ORDER BY k.index`);
  return rows.map(({ count }) => {
    const exact = kept !== undefined || count <= COUNTED;
    return { count: exact ? Number(count) : COUNTED, exact };
  });
}

/** One more than is counted tells that there are more. */
const beyond = sql.raw(`LIMIT ${COUNTED + 1}`);

function numberOf<Row, Filter, Order extends string>(
  ctx: Context,
  { from, joins = sql.empty, parts, where, more }: Listing<Row, Filter, Order>,
  filter: Filter,
  most: Sql,
): Sql {
  const all = parts ? sql`${parts.from(ctx)} CROSS JOIN ${from}` : from;
  const number = sql`(SELECT count(*) FROM (SELECT FROM ${all} ${joins} WHERE ${where(ctx, filter)} ${most}) c)`;
  return more ? sql`(${number} + ${numberOf(ctx, more.listing, filter, most)})` : number;
}
