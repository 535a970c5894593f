import type { GraphContext } from '../../engine/context.ts';
import type { Find } from '../../engine/loaders.ts';

/**
 * How resolvers of a Prisma type read what its finder computes, such as the viewer's role. `computed` is one such member: a
 * row that the Prisma plugin has loaded lacks it, and is found by its id. Throws NOT_FOUND if it has become invisible.
 */
export const foundRow =
  <Row extends { id: string }>(find: Find<Row>, computed: keyof Row & string, type: string) =>
  <Value>(
    ctx: GraphContext,
    row: { id: string },
    read: (row: Row) => Value,
  ): Value | Promise<Awaited<Value>> =>
    computed in row
      ? read(row as Row)
      : (ctx.load.seen(find, row.id, type).then(read) as Promise<Awaited<Value>>);
