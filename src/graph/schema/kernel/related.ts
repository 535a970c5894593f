import { COUNT_LIMIT, type Total } from '../../../domain/kernel/listing-count.ts';
import { type Keyset, type PageRequest, parsePageRequest, toPage } from '../../../domain/kernel/page.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Position } from '../../../lib/cursor.ts';
import type { GraphContext } from '../../engine/context.ts';
import { batchedClient } from './batched-client.ts';
import { Connection } from './connection.ts';

type Args = PageRequest & { direction?: 'ASC' | 'DESC' | null };
type Values = Record<string, unknown>;

/** The function that the Prisma plugin passes to `select`: adds the selection of the items to a query of the relation. */
type Nested = (query?: never, path?: never) => unknown;

/** An order of a relation's items: a member of the model, and its form in a cursor. */
interface Order<Item> extends Keyset<Item> {
  member: string;
}

interface Related<Item> {
  /** Member of Prisma's client for the parent's model. */
  model: keyof PrismaClient & string;
  /** The graph's type of the items. */
  type: string;
  /** Member of the parent's model. */
  relation: string;
  order: Order<Item>;
  /** If an item of the list is a member of the related row: its name, and what is selected of it. */
  through?: { member: string; select: Values };
  /** The direction if there is no argument `direction`; ASC if omitted. */
  direction?: 'DESC';
}

/** An order by a member of rows that have an id. `unique`: no two items of a parent have the same value. */
export const orderBy = <Item extends { id: string }>(
  member: keyof Item & string,
  type: Keyset<Item>['type'],
  unique?: { unique: true },
): Order<Item> => ({
  ...unique,
  member,
  type,
  value: (row) => row[member] as string | number | Date,
  idOf: ({ id }) => id,
});

/**
 * The list of a relation whose items are visible with their parent, as options of `t.connection` on a Prisma object.
 * The plugin loads the items with the parent if it loads that as well, and otherwise by one statement for all parents.
 */
export function related<Item>(list: Related<Item>) {
  const { relation, through } = list;
  return {
    select: (args: Args, ctx: GraphContext, nested: Nested): never => {
      const query = queryOf(list, ctx, args);
      return (query ? { [list.relation]: selectionOf(list, query, nested) } : null) as never;
    },
    resolve: (parent: unknown, args: Args, ctx: GraphContext): Connection<Item> => {
      const { pageSize, backward, cursor } = parsePageRequest(ctx, args, list.order);
      const rows = (parent as Record<string, Values[]>)[relation] ?? [];
      const items = through ? rows.map((row) => row[through.member]) : rows;
      const page = toPage(items as Item[], list.order, pageSize, backward, cursor !== undefined);
      return new Connection(page, () => totalOf(list, ctx, parent as Parent));
    },
  };
}

/** The query of a page's items: what is selected of them, and what their cursors consist of. */
function selectionOf<Item>(
  { type, order: { member }, through }: Related<Item>,
  query: object,
  nested: Nested,
) {
  if (through) return { ...query, select: { [member]: true, [through.member]: { select: through.select } } };
  const items = nested(query as never, { getType: () => type, paths: ITEMS } as never) as { select?: object };
  return items.select ? { ...items, select: { id: true, [member]: true, ...items.select } } : items;
}

/** The paths of a connection at which its items are selected. */
const ITEMS = [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]];

/** The page as Prisma's arguments; undefined for invalid arguments, which `resolve` rejects. */
function queryOf<Item>({ order, direction: fixed }: Related<Item>, ctx: GraphContext, args: Args) {
  try {
    const { pageSize, backward, cursor } = parsePageRequest(ctx, args, order);
    const descending = ((args.direction ?? fixed) === 'DESC') !== backward;
    const way = descending ? 'desc' : 'asc';
    return {
      orderBy: order.unique ? [{ [order.member]: way }] : [{ [order.member]: way }, { id: way }],
      take: pageSize + 1,
      ...(cursor && { where: afterCursor(order, cursor, descending ? 'lt' : 'gt') }),
    };
  } catch {
    return undefined;
  }
}

const READ: Record<Keyset<unknown>['type'], (value: unknown) => unknown> = {
  text: String,
  timestamptz: (value) => new Date(String(value)),
  bigint: (value) => BigInt(String(value)),
  int: Number,
  float8: Number,
};

function afterCursor<Item>(
  { member, type, unique }: Order<Item>,
  [value = null, id]: Position,
  than: 'lt' | 'gt',
) {
  const at = READ[type](value);
  if (unique) return { [member]: { [than]: at } };
  return { OR: [{ [member]: { [than]: at } }, { [member]: at, id: { [than]: id } }] };
}

interface Parent {
  organizationId: string;
  id: string;
}

/** The number of items of a parent; one statement counts those of all parents. */
async function totalOf<Item>(
  { model, relation }: Related<Item>,
  ctx: GraphContext,
  { organizationId, id }: Parent,
): Promise<Total> {
  const row = await batchedClient(ctx)[model]?.findUniqueOrThrow({
    where: { organizationId_id: { organizationId, id } },
    select: { id: true, _count: { select: { [relation]: true } } },
  });
  const count = (row as { _count?: Record<string, number> } | undefined)?._count?.[relation] ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), exact: count <= COUNT_LIMIT };
}
