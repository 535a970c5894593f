import type { Context } from '../../domain/kernel/context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { type ListArguments, type Listing, listPages, type Parent } from '../../domain/kernel/listing.ts';
import { countRows, type Total } from '../../domain/kernel/listing-count.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { Finder } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';
import { Loader, type Loading } from './loading.ts';

export type Find<Row> = (...args: Parameters<Finder<Row>>) => Promise<Row[]>;

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
  /** A value of a parent; `key` identifies the parent. */
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

/** The loaders of one request. */
export const loadersFor = (request: Context): Loaders => new RequestLoaders(request);

class RequestLoaders implements Loaders {
  readonly #request: Context;
  /** Its statements are sent without waiting for the results of earlier ones. */
  readonly #pipelined: Context;
  readonly #loaders = new Map<unknown, Map<string, unknown>>();

  constructor(request: Context) {
    this.#request = request;
    this.#pipelined = { ...request, db: { ...request.db, ...request.db.pipelined } };
  }

  one<Row extends { id: string }>(find: Find<Row>, id: string, keyOf?: (row: Row) => string) {
    const ctx = this.#pipelined;
    const create = () =>
      new Loader(
        async (ids: readonly string[], relations) =>
          inOrderOf(ids, await find(ctx, ids, ctx.db, relations), keyOf ?? idOf),
        keyOf === undefined,
      );
    return this.#loader(find, '', create).load(id, id);
  }

  seen<Row extends { id: string }>(find: Find<Row>, id: string, what: string) {
    return this.one(find, id).map((row) => {
      if (!row) throw notFound(what);
      return row;
    });
  }

  of<Of, Found>(find: FindOf<Of, Found>, key: string, of: Of) {
    const create = () => new Loader((parents: readonly Of[]) => find(this.#pipelined, parents));
    return this.#loader(find, '', create).load(key, of);
  }

  page<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    args: ListArguments<Filter, Order>,
  ) {
    const create = () =>
      new Loader((parents: readonly Parent[], relations) =>
        listPages(this.#pipelined, listing, parents, args, { relations }),
      );
    return this.#loader(listing.name, textOf(args), create).load(parent.id, parent);
  }

  /** On a connection of its own: a count takes longer than a page, and must not hold up the pipeline. */
  count<Row, Filter, Order extends string>(
    listing: Listing<Row, Filter, Order>,
    parent: Parent,
    filter: Filter,
  ) {
    const create = () =>
      new Loader((parents: readonly Parent[]) => countRows(this.#request, listing, parents, filter));
    return this.#loader(listing.name, `count ${textOf(filter as object)}`, create).load(parent.id, parent);
  }

  /** The loader of a finder or list; `variant` is the text of a list's arguments. */
  #loader<Key, Value>(
    source: unknown,
    variant: string,
    create: () => Loader<Key, Value>,
  ): Loader<Key, Value> {
    const variants = memoize(this.#loaders, source, () => new Map<string, unknown>());
    return memoize(variants, variant, create) as Loader<Key, Value>;
  }
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
