import DataLoader from 'dataloader';
import type { Context } from '../domain/context.ts';
import {
  countRows,
  type ListArguments,
  type Listing,
  listPages,
  type Page,
  type Parent,
} from '../domain/page.ts';

type Find<Row> = (ctx: Context, ids: readonly string[]) => Promise<Row[]>;
// biome-ignore lint/suspicious/noExplicitAny: one map holds the loaders of all types.
type AnyLoader = DataLoader<any, any, any>;

/**
 * Batches what the fields of one request ask for: one SQL statement for each kind of thing at each level of a query,
 * however many parents there are.
 */
export interface Loaders {
  /** One row by its id, or by what `keyOf` says; null when it is not there or not visible. */
  one<Row extends { id: string }>(
    find: Find<Row>,
    id: string,
    keyOf?: (row: Row) => string,
  ): Promise<Row | null>;
  page<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    args: ListArguments<Filter, Order>,
  ): Promise<Page<Row>>;
  count<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    filter: Filter,
  ): Promise<number>;
}

export function loadersFor(ctx: Context): Loaders {
  const found = new Map<unknown, AnyLoader>();
  const loader = (key: unknown, make: () => AnyLoader): AnyLoader => {
    const known = found.get(key) ?? make();
    found.set(key, known);
    return known;
  };
  return {
    one: (find, id, keyOf = ({ id }) => id) =>
      loader(
        find,
        () => new DataLoader(async (ids: readonly string[]) => inPlace(ids, await find(ctx, ids), keyOf)),
      ).load(id),
    page: (listing, parent, args) =>
      loader(
        `${listing.name}:page:${JSON.stringify(args)}`,
        () => new DataLoader((parents: readonly Parent[]) => listPages(ctx, listing, parents, args), byId),
      ).load(parent),
    count: (listing, parent, filter) =>
      loader(
        `${listing.name}:count:${JSON.stringify(filter)}`,
        () => new DataLoader((parents: readonly Parent[]) => countRows(ctx, listing, parents, filter), byId),
      ).load(parent),
  };
}

const byId = { cacheKeyFn: (parent: Parent) => parent.id };

function inPlace<Row>(
  ids: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return ids.map((id) => byKey.get(id) ?? null);
}
