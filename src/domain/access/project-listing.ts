import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { BoundedScan, Listing, Sparse } from '../kernel/listing.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { mayHavePartialProjects } from './access.ts';
import { partialOrganizations, seesAllOfProject } from './access-involved.ts';

/** The rows of a table with these ids, under an alias. */
export const rowsById = (table: Sql, row: Sql, ids: Sql): Sql => sql`LATERAL (${ids}) these(id)
  CROSS JOIN LATERAL (SELECT ${row}.* FROM ${table} ${row} WHERE ${row}.id = these.id OFFSET 0) ${row}`;

/** What a list of rows of a project says of them, which are those of one table under an alias. */
interface ProjectListing<Filter, Order extends string> {
  table: Sql;
  row: Sql;
  /** What hangs on the parent, and the project that this is in. */
  parentCondition: Sql;
  projectId: Sql;
  matches: (filter: Filter, ctx: Context) => Sql;
  /** What of it an index on the order answers. */
  indexCondition: (filter: Filter, order: Order) => Sql;
  visible: (viewer: Viewer) => Sql;
  /** The viewer sees all of what hangs on the parent: what is in a project they see as a whole, unless this says otherwise. */
  seesAll?: (viewer: Viewer) => Sql;
  /** The ids of what is the viewer's own in the organization of `k`. */
  involvedIds: (viewer: Viewer, filter: Filter) => Sql;
  /** The ids of what a member of the filter names, undefined where none does; and the same where these are always few. */
  candidateIds?: (filter: Filter) => Sql | undefined;
  fewIds?: (filter: Filter, viewer: Viewer) => Sql | undefined;
}

/** A list of rows of a project, which knows the other way to find them. */
export function projectListing<Row, Filter, Order extends string>(
  plain: Omit<Listing<Row, Filter, Order>, 'from' | 'where'>,
  of: ProjectListing<Filter, Order>,
): Listing<Row, Filter, Order> {
  const { table, row, parentCondition: held, matches, visible } = of;
  const list: Listing<Row, Filter, Order> = {
    ...plain,
    from: sql`${table} ${row}`,
    where: (ctx, filter) => sql`${held} AND ${matches(filter, ctx)} AND ${visible(ctx.viewer)}`,
  };
  return { ...list, sparse: (ctx, filter) => sparseListing(list, of, ctx, filter) };
}

function sparseListing<Row, Filter, Order extends string>(
  list: Listing<Row, Filter, Order>,
  of: ProjectListing<Filter, Order>,
  ctx: Context,
  filter: Filter,
): Sparse<Row, Filter, Order> | undefined {
  const { table, row, parentCondition: held, matches, indexCondition: inOrder, visible } = of;
  const few = of.fewIds?.(filter, ctx.viewer);
  const ids = few ?? of.candidateIds?.(filter);
  const partly = of.seesAll
    ? partialOrganizations(ctx.viewer).length > 0
    : mayHavePartialProjects(ctx.viewer);
  if (!ids && !partly) return undefined;
  const first: BoundedScan<Order> = {
    row,
    indexCondition: (order) => sql`${held} AND ${inOrder(filter, order)}`,
    rowCondition: sql`${matches(filter, ctx)} AND ${visible(ctx.viewer)}`,
  };
  return {
    ...(few ? {} : { firstAttempt: first }),
    fallback: () =>
      ids ? { ...list, from: rowsById(table, row, ids) } : allAndInvolved(list, of, ctx.viewer, filter),
  };
}

/** All of it where the viewer sees the project as a whole, and elsewhere their own. */
function allAndInvolved<Row, Filter, Order extends string>(
  list: Listing<Row, Filter, Order>,
  of: ProjectListing<Filter, Order>,
  viewer: Viewer,
  filter: Filter,
): Listing<Row, Filter, Order> {
  const { table, row, parentCondition: held, projectId, matches, involvedIds: own } = of;
  const whole = of.seesAll?.(viewer) ?? seesAllOfProject(viewer, sql`k.organization_id`, projectId);
  return {
    ...list,
    where: (ctx, filter) => sql`${held} AND ${matches(filter, ctx)} AND ${whole}`,
    union: {
      row,
      listing: {
        ...list,
        from: rowsById(table, row, own(viewer, filter)),
        where: (ctx, filter) => sql`${list.where(ctx, filter)} AND NOT ${whole}`,
      },
    },
  };
}
