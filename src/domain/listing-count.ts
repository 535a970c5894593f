import type { Reader } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Context } from './context.ts';
import { type Listing, type Parent, unnest } from './listing.ts';

/** How many rows each parent's list holds for this viewer. */
export async function countRows<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  parents: readonly Parent[],
  filter: Filter,
  reader: Reader = ctx.db,
): Promise<number[]> {
  const counted = count(ctx, listing.rare?.(ctx, filter)?.listing() ?? listing, filter);
  const kept = listing.kept?.(ctx, filter);
  const rows = await reader.query<{ count: bigint }>(sql`
    SELECT ${kept ? sql`coalesce(${kept}, ${counted})` : counted} AS count FROM ${unnest(parents)} ORDER BY k.index`);
  return rows.map(({ count }) => Number(count));
}

function count<Row, Filter, Order extends string>(
  ctx: Context,
  { from, parts, where, more }: Listing<Row, Filter, Order>,
  filter: Filter,
): Sql {
  const all = parts ? sql`${parts.from(ctx)} CROSS JOIN ${from}` : from;
  const counted = sql`(SELECT count(*) FROM ${all} WHERE ${where(ctx, filter)})`;
  return more ? sql`(${counted} + ${count(ctx, more.listing, filter)})` : counted;
}
