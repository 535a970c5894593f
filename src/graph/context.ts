import type { Context } from '../domain/context.ts';
import type { Loaders } from './loaders.ts';

/** What resolvers are given: the rules' context, and this request's loaders. */
export type GraphContext = Context & { load: Loaders };
