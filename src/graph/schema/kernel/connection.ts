import type { ListArguments, Listing, Parent } from '../../../domain/kernel/listing.ts';
import { COUNT_LIMIT, type Total } from '../../../domain/kernel/listing-count.ts';
import type { Page, PageRequest } from '../../../domain/kernel/page.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { GraphContext } from '../../engine/context.ts';
import type { Loading } from '../../engine/loading.ts';
import { builder } from './builder.ts';

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order.',
  values: {
    ASC: { description: 'Ascending: the smallest, oldest or alphabetically first item comes first.' },
    DESC: { description: 'Descending: the greatest, newest or alphabetically last item comes first.' },
  } as const,
});

export const BY_NAME_OR_AGE = {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
} as const;

/** The input `<Type>Order` and its enum `<Type>OrderField`; the values name sorts of the type's listings. */
export function orderInput<const Fields extends Record<string, { description: string }>>(
  type: string,
  values: Fields,
) {
  const field = builder.enumType(`${type}OrderField`, {
    description: 'What a list of this type can be ordered by.',
    values,
  });
  return builder.inputType(`${type}Order`, {
    description: 'The order of a list. Ties are broken by the id.',
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to order by.' }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'ASC',
        description: 'The direction of the order.',
      }),
    }),
  });
}

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    nullable: true,
    description: `The number of items that are visible to you. Most lists count at most ${COUNT_LIMIT}, see totalCountIsExact. Counted only if selected; costs 10 points.`,
    resolve: async (connection) => (await connection.total()).count,
  }),
);

builder.globalConnectionField('totalCountIsExact', (t) =>
  t.boolean({
    nullable: true,
    description:
      'False if there are more items than totalCount. Always true for the documents of a project and of the viewer, unless they are filtered. Costs 10 points.',
    resolve: async (connection) => (await connection.total()).exact,
  }),
);

/** For a list whose listing has a `parentTable`: the executor loads it by the parent's id, at the same time as the parent. */
export const PREFETCH = { prefetch: true };

type Direction = 'ASC' | 'DESC';

interface OrderBy<Field> {
  field: Field;
  direction: Direction;
}

interface SelectedItems<Filter, Field> {
  filter?: Filter | null;
  orderBy?: OrderBy<Field> | null;
}

/** For `connect`: the arguments of a list with `filter` and `orderBy`, in this order by default. */
export const defaultOrder =
  <const Default extends string>(order: OrderBy<Default>) =>
  <Filter, Field extends string, Paging>({
    filter,
    orderBy,
    ...page
  }: SelectedItems<Filter, Field> & Paging) => ({
    ...page,
    filter: filter ?? {},
    orderBy: orderBy ?? order,
  });

/** For `connect`: the arguments of a list with one order, in this direction by default. */
export const fixedOrder =
  <const Field extends string>(field: Field, byDefault: Direction = 'ASC') =>
  ({ direction, ...page }: PageRequest & { direction?: Direction | null }) => ({
    ...page,
    filter: {},
    orderBy: { field, direction: direction ?? byDefault },
  });

/** Options of the argument `direction` of a list by age. */
export const ageDirection = <const Default extends Direction>(defaultValue: Default) => ({
  type: OrderDirection,
  defaultValue,
  description: 'The direction of the order by age; ASC for the oldest first.',
});

const listArguments = new WeakMap<object, unknown>();

/**
 * The connection of a parent: its page now, its count when a query asks for it. `read` makes the list's arguments of the
 * field's; without it they are the same. The executor passes one object of arguments for all parents of a level, so
 * `read` is called once a level.
 */
export function connect<
  Row extends { id: string },
  Filter,
  Order extends string,
  Arguments extends object = ListArguments<Filter, Order>,
>(
  { load }: GraphContext,
  listing: Listing<Row, Filter, Order>,
  parent: Parent,
  args: Arguments,
  read?: (args: Arguments) => ListArguments<Filter, Order>,
): Loading<Connection<Row>> {
  const list = (read ? memoize(listArguments, args, () => read(args)) : args) as ListArguments<Filter, Order>;
  const total = () => load.count(listing, parent, list.filter);
  return load.page(listing, parent, list).map((page) => new Connection(page, total));
}

/** The cursor is computed only when it is selected. */
class Edge<Row> {
  readonly node: Row;
  readonly #page: Page<Row>;

  constructor(node: Row, page: Page<Row>) {
    this.node = node;
    this.#page = page;
  }

  get cursor(): string {
    return this.#page.cursorOf(this.node);
  }
}

/** A page as Relay's connection specification has it; its number of items is counted when a query asks for that. */
export class Connection<Row> {
  readonly edges: Edge<Row>[];
  readonly total: () => PromiseLike<Total>;
  readonly #page: Page<Row>;

  constructor(page: Page<Row>, total: () => PromiseLike<Total>) {
    this.edges = page.rows.map((node) => new Edge(node, page));
    this.total = total;
    this.#page = page;
  }

  get pageInfo() {
    const { hasNextPage, hasPreviousPage } = this.#page;
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: this.edges[0]?.cursor ?? null,
      endCursor: this.edges.at(-1)?.cursor ?? null,
    };
  }
}
