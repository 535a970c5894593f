import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { badInput } from '../../domain/kernel/errors.ts';
import type { Select } from '../../domain/webhooks/webhook-payload.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { type CostLimits, costOf, requireAffordable } from './cost.ts';
import { requireScope } from './scope.ts';
import { requireReadable } from './text-limits.ts';

/** What is sent of an event where its receiver did not say what it wants. */
export const WHOLE_EVENT =
  '{ id sequence kind createdAt createdBy { id name } projectId subjectId subject { __typename id } changes { member before after } }';

/**
 * A selection of Event, `{ kind subject { id } }` with fragments after it, as the subscription that would give it: so it
 * is checked, priced and run as a subscription is.
 */
function operationOf(selection: string): DocumentNode {
  const { definitions } = parse(selection);
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [own] = operations;
  if (
    !own ||
    operations.length > 1 ||
    own.operation !== 'query' ||
    own.name ||
    own.variableDefinitions?.length
  )
    throw new GraphQLError(
      'A selection is written as { kind subject { id } }, without a name and variables.',
    );
  const shell = parse('subscription { eventAppended(organizationId: "") { id } }')
    .definitions[0] as typeof own;
  const [field] = shell.selectionSet.selections;
  const selected = { ...(field as object), selectionSet: own.selectionSet } as typeof field & object;
  const operation = { ...shell, selectionSet: { ...shell.selectionSet, selections: [selected] } };
  return { kind: Kind.DOCUMENT, definitions: definitions.map((each) => (each === own ? operation : each)) };
}

/** Throws BAD_USER_INPUT for what the schema has not, COST_LIMIT_EXCEEDED for what is too dear for one event. */
export function requireSelection(
  schema: GraphQLSchema,
  selection: string,
  limits: CostLimits,
  at: string,
): void {
  requireReadable(selection);
  try {
    const document = operationOf(selection);
    const [fault] = validate(schema, document);
    if (fault) throw fault;
    requireAffordable(costOf(schema, document, null, {}, limits), limits);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw badInput(`${at}: ${error.message}`, at, error);
  }
}

/** How many selections are kept, so that each is planned once; those that were not asked for longest go first. */
const MOST = 200;

/** What a selection that was checked gives of an event, to the viewer of a context. Throws what the graph would tell. */
export function eventSelector(schema: GraphQLSchema): Select {
  const known = new Map<string, DocumentNode>();
  return async (selection, ctx, event) => {
    const document = known.get(selection) ?? operationOf(selection);
    known.delete(selection);
    known.set(selection, document);
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    requireScope(ctx.viewer, 'read');
    const contextValue = graphContext(ctx);
    const { data, errors } = await runOperation({ schema, document, contextValue, rootValue: event });
    const [error] = errors ?? [];
    if (error) throw error;
    return (data as { eventAppended: object }).eventAppended;
  };
}
