import type { ExecutionResult } from 'graphql';
import type { GraphContext } from '../engine/context.ts';
import { explainResult, hiddenFields } from '../operations/explain-access.ts';
import { schema } from '../schema/schema.ts';
import type { Operation } from './operation.ts';

/** What Yoga adds to the context. */
type WithParams = GraphContext & { params?: { extensions?: { explain?: unknown } } };

const asksWhy = ({ explain, params }: WithParams): boolean => explain ?? params?.extensions?.explain === true;

/** Runs a request; for one that asks for it, the response explains in `extensions.explain` what was refused and hidden. */
export async function explained(
  request: Operation,
  run: (request: Operation) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const { contextValue } = request;
  if (!asksWhy(contextValue)) return run(request);
  const hidden = hiddenFields(contextValue.viewer);
  const result = await run({ ...request, contextValue: { ...contextValue, onField: hidden.onField } });
  const explain = explainResult({ schema, ...request }, result, hidden.paths);
  return { ...result, extensions: { ...result.extensions, explain } };
}
