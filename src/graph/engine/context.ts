import type { Context } from '../../domain/kernel/context.ts';
import type { Follower } from '../../domain/kernel/follower.ts';
import { type Loaders, loadersFor } from './loaders.ts';

/** The key that a request's sender gave it, and whether its answer is one that was given before. */
export interface IdempotencyUse {
  readonly key: string;
  replayed: boolean;
}

/**
 * What resolvers are given: the rules' context, and this request's loaders. `renew` is there where a request may last:
 * for a subscription, which also gets a signal that ends it. `lastEventId` is what a reader of server-sent events read last.
 */
export type GraphContext = Context & {
  load: Loaders;
  idempotency?: IdempotencyUse;
  lastEventId?: string;
} & Partial<Follower>;

/** The context of one request, with loaders of its own. */
export const graphContext = (ctx: Context): GraphContext => ({ ...ctx, load: loadersFor(ctx) });
