import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql';
import type { LineAnswer } from '../../domain/bulk/bulk-line.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { ResponseSize } from '../../domain/kernel/response-size.ts';
import { holdsSecret } from '../../lib/secret.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { requireBulkDocument } from '../operations/bulk/bulk-document.ts';
import { objectOf } from '../operations/bulk/bulk-lines.ts';
import { memoizedCost } from '../operations/memoized-cost.ts';
import { memoizedScopes, requireScopes } from '../operations/scope.ts';
import { BYTES_PER_POINT } from '../operations/weights.ts';
import { schema } from '../schema/schema.ts';
import { publicError } from './errors.ts';

/** Bytes of the stored answer of a line. */
const MAX_ANSWER = 64 * 1_024;

/** What a line came to. `busy`: it failed for a reason that passes. */
interface RanLine extends LineAnswer {
  points: number;
  busy: boolean;
}

/** The mutation that was run last: its lines come one after the other. */
let last: { mutation: string; document: DocumentNode } | undefined;

function documentOf(mutation: string): DocumentNode {
  if (last?.mutation !== mutation) {
    const { document } = requireBulkDocument(schema, mutation);
    last = { mutation, document };
  }
  return last.document;
}

/** Throws INSUFFICIENT_SCOPE if the viewer's credential may not run the mutation, and what it throws that is not valid any more. */
export const requireBulkMutation = (mutation: string, { viewer }: Context): void =>
  requireScopes(viewer, memoizedScopes(schema, documentOf(mutation)));

/** Runs one line of a bulk operation, with the rights of the context. */
export async function runBulkLine(mutation: string, input: string, ctx: Context): Promise<RanLine> {
  const document = documentOf(mutation);
  const variableValues = objectOf(input) ?? {};
  const response = new ResponseSize(ctx.limits.responseBytes);
  const contextValue = graphContext({ ...ctx, response });
  const { points } = memoizedCost(schema, document, null, variableValues, ctx.limits);
  const result = await runOperation({ schema, document, variableValues, contextValue });
  const measured = Math.floor(response.bytes / BYTES_PER_POINT);
  return { ...answerOf(result, ctx), points: Math.max(points, measured) };
}

interface LineError {
  message: string;
  code: unknown;
  at?: unknown;
}

function answerOf({ data, errors = [] }: ExecutionResult, ctx: Context): Omit<RanLine, 'points'> {
  const published = errors.map((error) => lineError(error, ctx));
  const busy = published.some(({ code }) => code === 'UNAVAILABLE');
  const failed = published.length > 0;
  const answer = JSON.stringify({ data: data ?? null, ...(failed && { errors: published }) });
  const reason = unstorable(answer);
  if (!reason) return { answer, failed, busy };
  return { answer: JSON.stringify({ data: null, errors: [reason] }), failed: true, busy: false };
}

function lineError(error: GraphQLError, { requestId, report }: Context): LineError {
  const { message, extensions } = publicError(error, requestId, {
    introspection: false,
    report: (cause) => report?.(cause),
  });
  const { code, at } = extensions;
  return { message, code, ...(at !== undefined && { at }) };
}

/** Why an answer is not stored. */
function unstorable(answer: string): LineError | undefined {
  if (Buffer.byteLength(answer) > MAX_ANSWER)
    return {
      message: `This line was carried out; its answer has more than ${MAX_ANSWER} bytes, and was not stored. Read what came of it.`,
      code: 'TOO_LARGE',
    };
  if (holdsSecret(answer))
    return {
      message: 'This line was carried out; its answer shows a secret, and was not stored.',
      code: 'CONFLICT',
    };
  return undefined;
}
