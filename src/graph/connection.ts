import type { ListArguments, Listing, Page, Parent } from '../domain/page.ts';
import { builder } from './builder.ts';
import type { GraphContext } from './context.ts';

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Which end of a list comes first.',
  values: {
    ASC: { description: 'The smallest, oldest or alphabetically first.' },
    DESC: { description: 'The greatest, newest or alphabetically last.' },
  } as const,
});

/** The input `<Type>Order` and its enum `<Type>OrderField`; the values name sorts of the type's listings. */
export function orderInput<const Fields extends Record<string, { description: string }>>(
  type: string,
  values: Fields,
) {
  const field = builder.enumType(`${type}OrderField`, {
    description: `What a list of this type is ordered by.`,
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
        description: 'Which end comes first.',
      }),
    }),
  });
}

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    nullable: true,
    description:
      'How many items the whole list holds for you. Counted only when asked for; it costs 10 points.',
    resolve: (connection) => connection.totalCount(),
  }),
);

/** The connection of a parent: its page now, its count when a query asks for it. */
export async function connect<Row extends { id: string }, Filter, Order extends string>(
  { load }: GraphContext,
  listing: Listing<Row, Filter, Order>,
  parent: Parent,
  args: ListArguments<Filter, Order>,
) {
  const page = await load.page(listing, parent, args);
  return { ...toConnection(page), totalCount: () => load.count(listing, parent, args.filter) };
}

function toConnection<Row>({ rows, cursorOf, hasNextPage, hasPreviousPage }: Page<Row>) {
  const edges = rows.map((node) => ({
    node,
    get cursor() {
      return cursorOf(node);
    },
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      get startCursor() {
        return edges[0]?.cursor ?? null;
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null;
      },
    },
  };
}
