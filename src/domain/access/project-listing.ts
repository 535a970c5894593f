import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Context } from '../kernel/context.ts';
import type { BoundedScan, Listing, Sparse } from '../kernel/listing.ts';
import type { InProject } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { mayHavePartialProjects } from './access.ts';
import { partialOrganizations, seesAllOfProject } from './access-involved.ts';

/** FROM items: the rows of a table with these ids, each looked up by id. */
export const rowsById = (rows: Rows<string>, ids: Sql): Sql => sql`LATERAL (${ids}) these(id)
  CROSS JOIN LATERAL (SELECT ${rows}.* FROM ${rows.from} WHERE ${rows}.id = these.id OFFSET 0) ${rows}`;

/** A list of rows of a project: the parts from which both the plain and the sparse statement are built. */
interface ProjectListing<Table extends InProject, Filter, Order extends string> {
  rows: Rows<Table>;
  /** The row belongs to the parent `k`; and the id of the project it is in. */
  parentCondition: Sql;
  projectId: Sql;
  matches: (filter: Filter, ctx: Context) => Sql;
  /** The part of `matches` that an index on the order answers. */
  indexCondition: (filter: Filter, order: Order) => Sql;
  visible: (viewer: Viewer, rows: Rows<Table>) => Sql;
  /** The viewer sees all rows of the parent. Defaults to seeing all content of the project. */
  seesAll?: (viewer: Viewer) => Sql;
  /** The ids of rows that involve the viewer in the organization of `k`. */
  involvedIds: (viewer: Viewer, filter: Filter) => Sql;
  /** Ids that include all matches, by a selective member of the filter; undefined if it has none. */
  candidateIds?: (filter: Filter) => Sql | undefined;
  /** The same where these ids are few for every viewer, so that no scan is tried first. */
  fewIds?: (filter: Filter, viewer: Viewer) => Sql | undefined;
}

/** Creates a list of rows of a project, with its sparse form for selective filters and for viewers who see projects in part. */
export function projectListing<Row, Filter, Order extends string, Table extends InProject>(
  base: Omit<Listing<Row, Filter, Order>, 'from' | 'where'>,
  source: ProjectListing<Table, Filter, Order>,
): Listing<Row, Filter, Order> {
  const { rows, parentCondition, matches, visible } = source;
  const list: Listing<Row, Filter, Order> = {
    ...base,
    from: rows.from,
    where: (ctx, filter) =>
      sql`${parentCondition} AND ${matches(filter, ctx)} AND ${visible(ctx.viewer, rows)}`,
  };
  return { ...list, sparse: (ctx, filter) => sparseListing(list, source, ctx, filter) };
}

function sparseListing<Row, Filter, Order extends string, Table extends InProject>(
  list: Listing<Row, Filter, Order>,
  source: ProjectListing<Table, Filter, Order>,
  ctx: Context,
  filter: Filter,
): Sparse<Row, Filter, Order> | undefined {
  const { rows, parentCondition, matches, indexCondition, visible } = source;
  const few = source.fewIds?.(filter, ctx.viewer);
  const ids = few ?? source.candidateIds?.(filter);
  const inPart = source.seesAll
    ? partialOrganizations(ctx.viewer).length > 0
    : mayHavePartialProjects(ctx.viewer);
  if (!ids && !inPart) return undefined;
  const firstAttempt: BoundedScan<Order> = {
    row: rows,
    indexCondition: (order) => sql`${parentCondition} AND ${indexCondition(filter, order)}`,
    rowCondition: sql`${matches(filter, ctx)} AND ${visible(ctx.viewer, rows)}`,
  };
  return {
    ...(few ? {} : { firstAttempt }),
    fallback: () =>
      ids ? { ...list, from: rowsById(rows, ids) } : allAndInvolved(list, source, ctx.viewer, filter),
  };
}

/** All matches if the viewer sees all content of the project, otherwise those that involve them. */
function allAndInvolved<Row, Filter, Order extends string, Table extends InProject>(
  list: Listing<Row, Filter, Order>,
  source: ProjectListing<Table, Filter, Order>,
  viewer: Viewer,
  filter: Filter,
): Listing<Row, Filter, Order> {
  const { rows, parentCondition, projectId, matches, involvedIds } = source;
  const seesAll = source.seesAll?.(viewer) ?? seesAllOfProject(viewer, sql`k.organization_id`, projectId);
  return {
    ...list,
    where: (ctx, filter) => sql`${parentCondition} AND ${matches(filter, ctx)} AND ${seesAll}`,
    union: {
      row: rows,
      listing: {
        ...list,
        from: rowsById(rows, involvedIds(viewer, filter)),
        where: (ctx, filter) => sql`${list.where(ctx, filter)} AND NOT ${seesAll}`,
      },
    },
  };
}
