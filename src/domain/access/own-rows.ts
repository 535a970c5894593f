import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing, Look, Sparse } from '../kernel/listing.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { seesParts } from './access.ts';
import { partlySeen, wholeProject } from './access-own.ts';

/** The rows of a table with these ids, under an alias. */
export const rowsOf = (table: Sql, row: Sql, ids: Sql): Sql => sql`LATERAL (${ids}) these(id)
  CROSS JOIN LATERAL (SELECT ${row}.* FROM ${table} ${row} WHERE ${row}.id = these.id OFFSET 0) ${row}`;

/** What a list of rows of a project says of them, which are those of one table under an alias. */
interface OfProject<Filter, Order extends string> {
  table: Sql;
  row: Sql;
  /** What hangs on the parent, and the project that this is in. */
  held: Sql;
  projectId: Sql;
  matches: (filter: Filter, ctx: Context) => Sql;
  /** What of it an index on the order answers. */
  inOrder: (filter: Filter, order: Order) => Sql;
  visible: (viewer: Viewer) => Sql;
  /** The viewer sees all of what hangs on the parent: what is in a project they see as a whole, unless this says otherwise. */
  whole?: (viewer: Viewer) => Sql;
  /** The ids of what is the viewer's own in the organization of `k`. */
  own: (viewer: Viewer, filter: Filter) => Sql;
  /** The ids of what a member of the filter names, undefined where none does; and the same where these are always few. */
  named?: (filter: Filter) => Sql | undefined;
  few?: (filter: Filter, viewer: Viewer) => Sql | undefined;
}

/** A list of rows of a project, which knows the other way to find them. */
export function listOfProject<Row, Filter, Order extends string>(
  plain: Omit<Listing<Row, Filter, Order>, 'from' | 'where'>,
  of: OfProject<Filter, Order>,
): Listing<Row, Filter, Order> {
  const { table, row, held, matches, visible } = of;
  const list: Listing<Row, Filter, Order> = {
    ...plain,
    from: sql`${table} ${row}`,
    where: (ctx, filter) => sql`${held} AND ${matches(filter, ctx)} AND ${visible(ctx.viewer)}`,
  };
  return { ...list, sparse: (ctx, filter) => rareOf(list, of, ctx, filter) };
}

function rareOf<Row, Filter, Order extends string>(
  list: Listing<Row, Filter, Order>,
  of: OfProject<Filter, Order>,
  ctx: Context,
  filter: Filter,
): Sparse<Row, Filter, Order> | undefined {
  const { table, row, held, matches, inOrder, visible } = of;
  const few = of.few?.(filter, ctx.viewer);
  const ids = few ?? of.named?.(filter);
  const partly = of.whole ? partlySeen(ctx.viewer).length > 0 : seesParts(ctx.viewer);
  if (!ids && !partly) return undefined;
  const first: Look<Order> = {
    row,
    within: (order) => sql`${held} AND ${inOrder(filter, order)}`,
    beside: sql`${matches(filter, ctx)} AND ${visible(ctx.viewer)}`,
  };
  return {
    ...(few ? {} : { first }),
    listing: () =>
      ids ? { ...list, from: rowsOf(table, row, ids) } : wholeAndOwn(list, of, ctx.viewer, filter),
  };
}

/** All of it where the viewer sees the project as a whole, and elsewhere their own. */
function wholeAndOwn<Row, Filter, Order extends string>(
  list: Listing<Row, Filter, Order>,
  of: OfProject<Filter, Order>,
  viewer: Viewer,
  filter: Filter,
): Listing<Row, Filter, Order> {
  const { table, row, held, projectId, matches, own } = of;
  const whole = of.whole?.(viewer) ?? wholeProject(viewer, sql`k.organization_id`, projectId);
  return {
    ...list,
    where: (ctx, filter) => sql`${held} AND ${matches(filter, ctx)} AND ${whole}`,
    more: {
      row,
      listing: {
        ...list,
        from: rowsOf(table, row, own(viewer, filter)),
        where: (ctx, filter) => sql`${list.where(ctx, filter)} AND NOT ${whole}`,
      },
    },
  };
}
