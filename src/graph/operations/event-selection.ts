import { type DocumentNode, GraphQLError, type GraphQLSchema, specifiedRules, validate } from 'graphql';
import { badValue } from '../../domain/kernel/errors.ts';
import { readsAnything } from '../../domain/kernel/scope.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import type { Select } from '../../domain/webhooks/webhook-payload.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { type CostLimits, costOf, requireAffordable } from './cost.ts';
import { memoizedScopes, requireScopes } from './scope.ts';
import { operationOf, withoutInnerSelection } from './selection-document.ts';
import { requireReadable } from './text-limits.ts';

const RULES = [...specifiedRules, withoutInnerSelection];

/** More errors are left out. */
const MAX_ERRORS = 10;

interface Asker {
  limits: CostLimits;
  viewer: Viewer;
}

/**
 * What is wrong with a selection, in the order of its text. Throws COST_LIMIT_EXCEEDED for one above the limits for one event, and
 * INSUFFICIENT_SCOPE for one that reads more than the viewer's credential may. Whoever may not read at all learns it when the webhook is suspended.
 */
export function selectionErrors(
  schema: GraphQLSchema,
  selection: string,
  { limits, viewer }: Asker,
): readonly GraphQLError[] {
  requireReadable(selection);
  try {
    const document = operationOf(selection);
    const errors = validate(schema, document, RULES, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return errors.slice(0, MAX_ERRORS);
    requireAffordable(costOf(schema, document, null, {}, limits), limits);
    if (readsAnything(viewer.scopes)) requireScopes(viewer, memoizedScopes(schema, document));
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** Throws BAD_USER_INPUT for an invalid selection, and what `selectionErrors` throws. */
export function requireSelection(schema: GraphQLSchema, selection: string, asker: Asker, at: string): void {
  const [error] = selectionErrors(schema, selection, asker);
  if (error) throw badValue(at, error.message, { cause: error });
}

/** Parsed selections cached, so that each is planned once; the least recently used is evicted. */
const MAX_SELECTIONS = 200;

/** Runs validated selections on events, with the rights of the context's viewer. Throws the first GraphQL error. */
export function eventSelector(schema: GraphQLSchema): Select {
  const documents = new Map<string, DocumentNode>();
  return async (selection, ctx, event) => {
    const document = documents.get(selection) ?? runnable(schema, selection);
    documents.delete(selection);
    documents.set(selection, document);
    const [oldest] = documents.keys();
    if (documents.size > MAX_SELECTIONS && oldest !== undefined) documents.delete(oldest);
    requireScopes(ctx.viewer, memoizedScopes(schema, document));
    const contextValue = graphContext(ctx);
    const { data, errors } = await runOperation({ schema, document, contextValue, rootValue: event });
    const [error] = errors ?? [];
    if (error) throw error;
    return (data as { eventAppended: object }).eventAppended;
  };
}

/** The operation of a stored selection, which was stored before `withoutInnerSelection` or after. */
function runnable(schema: GraphQLSchema, selection: string): DocumentNode {
  const document = operationOf(selection);
  const [error] = validate(schema, document, [withoutInnerSelection]);
  if (error) throw error;
  return document;
}
