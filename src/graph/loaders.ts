import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/errors.ts';
import { type ListArguments, type Listing, listPages, type Parent } from '../domain/listing.ts';
import { countRows, type Total } from '../domain/listing-count.ts';
import type { Page } from '../domain/page.ts';
import { remembered } from '../lib/remembered.ts';
import { Loader, type Loading } from './loading.ts';

type Find<Row> = (ctx: Context, ids: readonly string[]) => Promise<Row[]>;

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
  const ctx = { ...asked, db: { ...asked.db, ...asked.db.brief } };
  const loaders = new Map<unknown, Map<string, unknown>>();
  const loader = <Made>(of: unknown, how: string, make: () => Made): Made =>
    remembered(
      remembered(loaders, of, () => new Map()),
      how,
      make,
    );
  const one: Loaders['one'] = (find, id, keyOf) =>
    loader(
      find,
      '',
      () => new Loader((ids) => byKey(ids, find(ctx, ids), keyOf ?? idOf), keyOf === undefined),
    ).load(id);
  return {
    one,
    seen: (find, id, what) =>
      one(find, id).map((row) => {
        if (!row) throw notFound(what);
        return row;
      }),
    page: (listing, parent, args) =>
      loader(
        listing.name,
        textOf(args),
        () => new OfParents((parents) => listPages(ctx, listing, parents, args)),
      ).load(parent),
    count: (listing, parent, filter) =>
      loader(
        listing.name,
        `count ${JSON.stringify(filter)}`,
        // Beside the others: to count takes longer than to find.
        () => new OfParents((parents) => countRows(asked, listing, parents, filter)),
      ).load(parent),
  };
}

const idOf = ({ id }: { id: string }): string => id;

const texts = new WeakMap<object, string>();

const textOf = (args: object): string => remembered(texts, args, () => JSON.stringify(args));

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

/** Something of each of several parents, which comes in the order of the parents. */
class OfParents<Value> {
  readonly #parents = new Map<string, Parent>();
  readonly #loader: Loader<Value>;

  constructor(answer: (parents: Parent[]) => Promise<Value[]>) {
    this.#loader = new Loader(async (ids) => {
      const values = await answer(ids.map((id) => this.#parents.get(id) as Parent));
      return new Map(ids.map((id, index) => [id, values[index] as Value]));
    });
  }

  load(parent: Parent): Loading<Value> {
    const { id } = parent;
    if (!this.#parents.has(id)) this.#parents.set(id, parent);
    return this.#loader.load(id);
  }
}
