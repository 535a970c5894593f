import { type Sql, sql } from '../db/sql.ts';
import type { Listing } from './listing.ts';

/** The rows of a table with these ids, under an alias. */
export const rowsOf = (table: Sql, row: Sql, ids: Sql): Sql => sql`LATERAL (${ids}) s(id)
  CROSS JOIN LATERAL (SELECT ${row}.* FROM ${table} ${row} WHERE ${row}.id = s.id OFFSET 0) ${row}`;

/**
 * A list of what is `held`: all of it where `whole` says that the viewer sees that, and elsewhere what `from` finds, their own.
 * Aliases of both are `row`.
 */
export const wholeAndOwn = <Row, Filter, Order extends string>(
  list: Listing<Row, Filter, Order>,
  { row, held, whole, from }: { row: Sql; held: (filter: Filter) => Sql; whole: Sql; from: Sql },
): Listing<Row, Filter, Order> => ({
  ...list,
  where: (_, filter) => sql`${held(filter)} AND ${whole}`,
  more: {
    row,
    listing: { ...list, from, where: (ctx, filter) => sql`${list.where(ctx, filter)} AND NOT ${whole}` },
  },
});
