import type { Context } from '../../domain/kernel/context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { type ListArguments, type Listing, listPages, type Parent } from '../../domain/kernel/listing.ts';
import { countRows, type Total } from '../../domain/kernel/listing-count.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { Finder, Relation } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';
import { Loader, type Loading } from './loading.ts';

type Find<Row> = (...asked: Parameters<Finder<Row>>) => Promise<Row[]>;

/** Finds what belongs to each of these, in their order. */
type FindOf<Of, Found> = (ctx: Context, all: readonly Of[]) => Promise<Found[]>;

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
  ): Loading<Row | null>;
  /** The same, which has to be there: NOT_FOUND otherwise, for `what`. */
  seen<Row extends { id: string }>(find: Find<Row>, id: string, what: string): Loading<Row>;
  /** What belongs to a thing. `key` tells it from others. */
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

export function loadersFor(asked: Context): Loaders {
  const ctx = { ...asked, db: { ...asked.db, ...asked.db.pipelined } };
  const loaders = new Map<unknown, Map<string, unknown>>();
  const loader = <Made>(of: unknown, how: string, make: () => Made): Made =>
    memoize(
      memoize(loaders, of, () => new Map()),
      how,
      make,
    );
  const one: Loaders['one'] = (find, id, keyOf) =>
    loader(
      find,
      '',
      () =>
        new Loader(
          (ids, relations) => byKey(ids, find(ctx, ids, ctx.db, relations), keyOf ?? idOf),
          keyOf === undefined,
        ),
    ).load(id);
  return {
    one,
    seen: (find, id, what) =>
      one(find, id).map((row) => {
        if (!row) throw notFound(what);
        return row;
      }),
    of: (find, key, of) =>
      loader(find, '', () => new LoaderOf((all: (typeof of)[]) => find(ctx, all))).load(key, of),
    page: (listing, parent, args) =>
      loader(
        listing.name,
        textOf(args),
        () =>
          new LoaderOf((parents: Parent[], relations) =>
            listPages(ctx, listing, parents, args, { relations }),
          ),
      ).load(parent.id, parent),
    count: (listing, parent, filter) =>
      loader(
        listing.name,
        `count ${JSON.stringify(filter)}`,
        // Beside the others: to count takes longer than to find.
        () => new LoaderOf((parents: Parent[]) => countRows(asked, listing, parents, filter)),
      ).load(parent.id, parent),
  };
}

const texts = new WeakMap<object, string>();

const textOf = (args: object): string => memoize(texts, args, () => JSON.stringify(args));

const idOf = ({ id }: { id: string }): string => id;

/** Null for what was not found. */
async function byKey<Row>(
  keys: readonly string[],
  found: Promise<Row[]>,
  keyOf: (row: Row) => string,
): Promise<Map<string, Row | null>> {
  const values = new Map<string, Row | null>(keys.map((key) => [key, null]));
  for (const row of await found) values.set(keyOf(row), row);
  return values;
}

/** What belongs to each of several things, which comes in their order. */
class LoaderOf<Of, Value> {
  readonly #things = new Map<string, Of>();
  readonly #loader: Loader<Value>;

  constructor(answer: (things: Of[], relations: readonly Relation[]) => Promise<Value[]>) {
    this.#loader = new Loader(async (keys, relations) => {
      const things = keys.map((key) => this.#things.get(key) as Of);
      const values = await answer(things, relations);
      return new Map(keys.map((key, index) => [key, values[index] as Value]));
    });
  }

  load(key: string, thing: Of): Loading<Value> {
    if (!this.#things.has(key)) this.#things.set(key, thing);
    return this.#loader.load(key);
  }
}
