import type { Plugin } from 'graphql-yoga';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { GraphContext } from '../engine/context.ts';
import { requireBounded, requireReadable } from '../operations/text-limits.ts';
import type { Direct } from './direct-request.ts';
import { toGraphQLError } from './errors.ts';

/** Refuses a request that is too large before it is parsed, and replaces the id of a stored document by its text. */
export const requestLimits = (textOf: Direct['textOf']): Plugin<GraphContext> => ({
  onParams({ params, setParams, context }) {
    try {
      requireBounded(params.variables);
      const { documentId: _, ...others } = params as typeof params & { documentId?: unknown };
      const text = textOf(params, context as unknown as GraphContext);
      setParams(text === undefined ? others : { ...others, query: text });
    } catch (error) {
      throw error instanceof DomainError ? toGraphQLError(error) : error;
    }
  },
  onParse({ params: { source } }) {
    requireReadable(typeof source === 'string' ? source : source.body);
  },
});
