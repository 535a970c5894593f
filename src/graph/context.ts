import type { Context } from '../domain/context.ts';
import type { Loaders } from './loaders.ts';

/** The key that a request's sender gave it, and whether its answer is one that was given before. */
export interface Naming {
  readonly key: string;
  replayed: boolean;
}

/** What resolvers are given: the rules' context, and this request's loaders. */
export type GraphContext = Context & { load: Loaders; naming?: Naming };
