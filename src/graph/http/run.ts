import type { ExecutionResult } from 'graphql';
import type { ExecuteOnce } from '../../domain/idempotency/idempotency.ts';
import { isRejection } from '../../domain/kernel/errors.ts';
import type { IdempotencyUse } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { memoizedScopes } from '../operations/scope.ts';
import { schema } from '../schema/schema.ts';
import type { ErrorPublishing } from './errors.ts';
import type { Operation } from './operation.ts';
import { markPublic, withPublicErrors } from './published.ts';

export interface RunOptions extends ErrorPublishing {
  once: ExecuteOnce;
}

/** Runs an operation; a mutation with an idempotency key at most once. */
export function run(operation: Operation, options: RunOptions): Promise<ExecutionResult> {
  const { document, operationName, contextValue } = operation;
  const isIdempotent = contextValue.idempotency && memoizedScopes(schema, document, operationName).isMutation;
  return isIdempotent ? runOnce(operation, options) : runOperation({ schema, ...operation });
}

/** Runs a mutation under its idempotency key, or returns the stored answer of an earlier run. */
async function runOnce(operation: Operation, options: RunOptions): Promise<ExecutionResult> {
  const { document, operationName, variableValues, contextValue } = operation;
  const idempotency = contextValue.idempotency as IdempotencyUse;
  const text = JSON.stringify([document.loc?.source.body, operationName ?? null, variableValues ?? {}]);
  const { answer, replayed } = await options.once(
    contextValue,
    { key: idempotency.key, request: text },
    async (claimed) => {
      const ran = await runOperation({
        schema,
        ...operation,
        contextValue: { ...contextValue, ...claimed },
      });
      const result = withPublicErrors(ran, contextValue.requestId, options);
      return { answer: JSON.stringify(result), keep: isLasting(result) };
    },
  );
  idempotency.replayed = replayed;
  const result: ExecutionResult = JSON.parse(answer);
  return markPublic(result);
}

/** False if every mutation was refused. */
const isLasting = ({ data, errors = [] }: ExecutionResult): boolean =>
  Object.values(data ?? {}).some((each) => each !== null) ||
  errors.some(({ extensions }) => !isRejection(String(extensions.code)));
