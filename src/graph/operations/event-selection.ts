import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { badInput } from '../../domain/kernel/errors.ts';
import { readsAnything } from '../../domain/kernel/scope.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import type { Select } from '../../domain/webhooks/webhook-payload.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { type CostLimits, costOf, requireAffordable } from './cost.ts';
import { memoizedScopes, requireScopes } from './scope.ts';
import { requireReadable } from './text-limits.ts';

/** The default selection of a webhook. */
export const WHOLE_EVENT =
  '{ id sequence kind createdAt createdBy { id name } projectId subjectId subject { __typename id } changes { member before after } }';

/**
 * Wraps a selection of Event, `{ kind subject { id } }` with fragments after it, into a subscription operation, so that it
 * is validated, priced and run like one. Throws GraphQLError.
 */
function operationOf(selection: string): DocumentNode {
  const { definitions } = parse(selection);
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [selected] = operations;
  if (
    !selected ||
    operations.length > 1 ||
    selected.operation !== 'query' ||
    selected.name ||
    selected.variableDefinitions?.length
  )
    throw new GraphQLError(
      'A selection has the form { kind subject { id } }, without a name and without variables.',
    );
  const shell = parse('subscription { eventAppended(organizationId: "") { id } }')
    .definitions[0] as typeof selected;
  const [field] = shell.selectionSet.selections;
  const wrapped = { ...(field as object), selectionSet: selected.selectionSet } as typeof field & object;
  const operation = { ...shell, selectionSet: { ...shell.selectionSet, selections: [wrapped] } };
  return {
    kind: Kind.DOCUMENT,
    definitions: definitions.map((each) => (each === selected ? operation : each)),
  };
}

/**
 * Throws BAD_USER_INPUT for an invalid selection, COST_LIMIT_EXCEEDED for one above the limits for one event, and INSUFFICIENT_SCOPE for
 * one that reads more than the viewer's credential may. Whoever may not read at all learns it when the webhook is suspended.
 */
export function requireSelection(
  schema: GraphQLSchema,
  selection: string,
  { limits, viewer }: { limits: CostLimits; viewer: Viewer },
  at: string,
): void {
  requireReadable(selection);
  try {
    const document = operationOf(selection);
    const [error] = validate(schema, document);
    if (error) throw error;
    requireAffordable(costOf(schema, document, null, {}, limits), limits);
    if (readsAnything(viewer.scopes)) requireScopes(viewer, memoizedScopes(schema, document));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw badInput(`${at}: ${error.message}`, at, error);
  }
}

/** Parsed selections cached, so that each is planned once; the least recently used is evicted. */
const MAX_SELECTIONS = 200;

/** Runs validated selections on events, with the rights of the context's viewer. Throws the first GraphQL error. */
export function eventSelector(schema: GraphQLSchema): Select {
  const documents = new Map<string, DocumentNode>();
  return async (selection, ctx, event) => {
    const document = documents.get(selection) ?? operationOf(selection);
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
