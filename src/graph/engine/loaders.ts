import type { Context } from '../../domain/kernel/context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { type ListArguments, type Listing, listPages, type Parent } from '../../domain/kernel/listing.ts';
import { countRows, type Total } from '../../domain/kernel/listing-count.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { Finder } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';
import { Loader, type Loading } from './loading.ts';

type Find<Row> = (...args: Parameters<Finder<Row>>) => Promise<Row[]>;

/** Finds a value for each parent, in their order. */
type FindOf<Of, Found> = (ctx: Context, parents: readonly Of[]) => Promise<Found[]>;

/**
 * The loaders of one request, a DataLoader for each finder, and for each list with its arguments: one SQL statement for
 * each kind of row and level of a query, however many parents there are.
 */
export interface Loaders {
  /** One row by its id, or by `keyOf`; null if it does not exist or is not visible. */
  one<Row extends { id: string }>(
    find: Find<Row>,
    id: string,
    keyOf?: (row: Row) => string,
  ): Loading<Row | null>;
  /** The same, but rejects with NOT_FOUND for a missing row; `what` names it in the message. */
  seen<Row extends { id: string }>(find: Find<Row>, id: string, what: string): Loading<Row>;
  /** A value that belongs to a parent. `key` identifies the parent. */
  of<Of, Found>(find: FindOf<Of, Found>, key: string, of: Of): Loading<Found>;
  page<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    args: ListArguments<Filter, Order>,
  ): Loading<Page<Row>>;
  count<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    filter: Filter,
  ): Loading<Total>;
}

export function loadersFor(request: Context): Loaders {
  const ctx = { ...request, db: { ...request.db, ...request.db.pipelined } };
  const loaders = new Map<unknown, Map<string, unknown>>();
  const loaderOf = <Key, Value>(
    source: unknown,
    variant: string,
    create: () => Loader<Key, Value>,
  ): Loader<Key, Value> =>
    memoize(
      memoize(loaders, source, () => new Map()),
      variant,
      create,
    );
  const one: Loaders['one'] = <Row extends { id: string }>(
    find: Find<Row>,
    id: string,
    keyOf?: (row: Row) => string,
  ) =>
    loaderOf(
      find,
      '',
      () =>
        new Loader(
          async (ids: readonly string[], relations) =>
            inOrderOf(ids, await find(ctx, ids, ctx.db, relations), keyOf ?? idOf),
          keyOf === undefined,
        ),
    ).load(id, id);
  return {
    one,
    seen: (find, id, what) =>
      one(find, id).map((row) => {
        if (!row) throw notFound(what);
        return row;
      }),
    of: <Of, Found>(find: FindOf<Of, Found>, key: string, of: Of) =>
      loaderOf(find, '', () => new Loader((parents: readonly Of[]) => find(ctx, parents))).load(key, of),
    page: (listing, parent, args) =>
      loaderOf(
        listing.name,
        textOf(args),
        () =>
          new Loader((parents: readonly Parent[], relations) =>
            listPages(ctx, listing, parents, args, { relations }),
          ),
      ).load(parent.id, parent),
    count: (listing, parent, filter) =>
      loaderOf(
        listing.name,
        `count ${textOf(filter as object)}`,
        // On a connection of its own: a count takes longer than a page, and must not hold up the pipeline.
        () => new Loader((parents: readonly Parent[]) => countRows(request, listing, parents, filter)),
      ).load(parent.id, parent),
  };
}

const texts = new WeakMap<object, string>();

const textOf = (args: object): string => memoize(texts, args, () => JSON.stringify(args));

const idOf = ({ id }: { id: string }): string => id;

/** The row of each key, or null. */
function inOrderOf<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}
