import type { Context } from '../../domain/kernel/context.ts';
import type { Follower } from '../../domain/kernel/follower.ts';
import type { Delivery } from '../../domain/kernel/response-size.ts';
import { type Loaders, loadersFor } from './loaders.ts';
import type { FieldPlan } from './plan.ts';

/** The Idempotency-Key of a request, and whether its response is a stored one. */
export interface IdempotencyUse {
  readonly key: string;
  replayed: boolean;
}

/** Points of operations that the caller has left; times in milliseconds. */
export interface PointsState {
  /** Points a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Until the whole limit is available again. */
  readonly resetAfter: number;
}

/** What an operation cost its caller, and what is left; `state` is undefined without a limit. */
export interface Charge {
  readonly points: number;
  readonly state: PointsState | undefined;
}

/**
 * The context of resolvers: the domain's context and the loaders of the request. A subscription also has `renew`, which
 * authenticates it again, and a signal that ends it; `lastEventId` is the Last-Event-ID of its reader.
 */
export type GraphContext = Context & {
  load: Loaders;
  idempotency?: IdempotencyUse;
  lastEventId?: string;
  /** Breaks the connection of a subscription, so that its client connects again. */
  disconnect?: () => void;
  /** Called with the name of the operation, for the access log. */
  onOperation?: (name: string) => void;
  /** Called with the code of the first error of a response. */
  onFailure?: (code: string) => void;
  /** Called with the coordinates of what an operation uses that is deprecated. */
  onDeprecated?: (coordinates: readonly string[]) => void;
  /** Counts the points of an operation against the rate limit. Throws RATE_LIMITED. */
  charge?: (points: number) => Promise<PointsState | undefined>;
  /** Counts the points that the size of the response costs in addition. */
  chargeMeasured?: (points: number) => Promise<void>;
  /** Over HTTP: accounts for the response until it is read. */
  delivery?: Delivery;
  /** Whether the response explains what was refused and hidden. */
  explain?: boolean;
  /** Called with each field that was resolved, its parent and its path, if set. */
  onField?: (field: FieldPlan, source: unknown, path: readonly (string | number)[]) => void;
  /** The charge for this operation. */
  charged?: Charge;
} & Partial<Follower>;

/** The context of one request, with loaders of its own. */
export const graphContext = (ctx: Context): GraphContext => ({ ...ctx, load: loadersFor(ctx) });
