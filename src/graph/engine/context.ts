import type { Context } from '../../domain/kernel/context.ts';
import type { Follower } from '../../domain/kernel/follower.ts';
import { type Loaders, loadersFor } from './loaders.ts';

/** The Idempotency-Key of a request, and whether its answer is a stored one. */
export interface IdempotencyUse {
  readonly key: string;
  replayed: boolean;
}

/**
 * The context of resolvers: the domain's context and the loaders of the request. A subscription also has `renew`, which
 * authenticates it again, and a signal that ends it; `lastEventId` is the Last-Event-ID of its reader.
 */
export type GraphContext = Context & {
  load: Loaders;
  idempotency?: IdempotencyUse;
  lastEventId?: string;
} & Partial<Follower>;

/** The context of one request, with loaders of its own. */
export const graphContext = (ctx: Context): GraphContext => ({ ...ctx, load: loadersFor(ctx) });
