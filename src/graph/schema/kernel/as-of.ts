import { type Moment, pastAt } from '../../../domain/history/moment.ts';
import { pastContext } from '../../../domain/history/past-context.ts';
import { findStateOrganizations } from '../../../domain/history/recorded-state.ts';
import type { Past } from '../../../domain/kernel/context.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { memoize } from '../../../lib/memoize.ts';
import { InContext } from '../../engine/complete.ts';
import type { GraphContext } from '../../engine/context.ts';
import { type Find, loadersFor } from '../../engine/loaders.ts';
import { builder } from './builder.ts';

export const AsOf = builder.inputType('AsOf', {
  isOneOf: true,
  description: 'A moment of the past of an organization.',
  fields: (t) => ({
    sequence: t.field({
      type: 'BigInt',
      description: 'After the event with this number, and all that was changed together with it.',
    }),
    time: t.field({ type: 'DateTime', description: 'At this time.' }),
  }),
});

/** Options of the argument `asOf` of a field that returns an item. */
export const AS_OF = {
  type: AsOf,
  description:
    'Returns the item, and all that is selected below it, as it was then. HISTORY_UNAVAILABLE for a moment that was not recorded.',
};

const contexts = new WeakMap<GraphContext, Map<string, GraphContext>>();

/** The context of a moment, one for each moment of a request. */
export function contextAt(ctx: GraphContext, past: Past): GraphContext {
  const moments = memoize(contexts, ctx, () => new Map<string, GraphContext>());
  return memoize(moments, `${past.organizationId} ${past.sequence}`, () => {
    const then = pastContext(ctx, past);
    return { ...then, load: loadersFor(then) };
  });
}

type Row = { id: string; organizationId: string };

/** An item as it is or, with `asOf`, as it was. Rejects with NOT_FOUND if it is not visible today, or did not exist then. */
export const itemAt = <Item extends Row>(
  ctx: GraphContext,
  find: Find<Item>,
  id: string,
  asOf: Moment | null | undefined,
  what: string,
): Promise<Item> => (asOf ? itemInPast(ctx, find, id, asOf, what) : ctx.load.seen(find, id, what));

async function itemInPast<Item extends Row>(
  ctx: GraphContext,
  find: Find<Item>,
  id: string,
  asOf: Moment,
  what: string,
): Promise<Item> {
  const today = await ctx.load.one(find, id);
  const past = today
    ? await pastAt(ctx, today.organizationId, asOf, 'asOf')
    : await momentOfMissing(ctx, id, asOf);
  const context = past && contextAt(ctx, past);
  const row = await context?.load.one(find, id);
  if (!context || !row) throw notFound(what);
  return new InContext(row, context) as unknown as Item;
}

/** For an item that is gone or not visible: nothing tells these apart, so an invalid moment is not reported. */
async function momentOfMissing(ctx: GraphContext, id: string, asOf: Moment): Promise<Past | undefined> {
  const [recorded] = await findStateOrganizations(ctx, [id]);
  return recorded && pastAt(ctx, recorded.organizationId, asOf, 'asOf').catch(() => undefined);
}
