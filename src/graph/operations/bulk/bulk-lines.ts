import { coerceInputValue, type GraphQLSchema, isInputType, type NamedTypeNode, typeFromAST } from 'graphql';
import { MAX_LINES } from '../../../domain/bulk/bulk-operation.ts';
import { badValue, DomainError } from '../../../domain/kernel/errors.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { shorten } from '../../../lib/text/shorten.js';
import { coerceVariables } from '../../engine/variables.ts';
import { type CostLimits, costOf, requireAffordable } from '../cost.ts';
import { requireBounded } from '../text-limits.ts';
import type { BulkDocument } from './bulk-document.ts';

const AT = 'variables';

/** Characters: graphql-js quotes invalid values in full. */
const MAX_MESSAGE = 500;

type Variables = Record<string, unknown>;

/**
 * The lines of JSON Lines, each with the variables of one call, which have the types that the mutation declares, and cost no more than one
 * call may. Throws BAD_USER_INPUT and COST_LIMIT_EXCEEDED with the number of the line, and the path in it.
 */
export async function requireBulkLines(
  schema: GraphQLSchema,
  text: string,
  bulk: BulkDocument,
  limits: CostLimits,
): Promise<string[]> {
  const lines = text.replace(/(\r?\n)+$/, '').split(/\r?\n/);
  if (text.trim() === '') throw badValue(AT, 'must have a line');
  if (lines.length > MAX_LINES) throw badValue(AT, `must have at most ${MAX_LINES} lines`);
  await mapInSlices(lines, (line, index) => requireLine(schema, bulk, limits, { line, number: index + 1 }));
  return lines;
}

function requireLine(
  schema: GraphQLSchema,
  bulk: BulkDocument,
  limits: CostLimits,
  { line, number }: { line: string; number: number },
): void {
  const fail = (reason: string, path = '') =>
    badValue(`${AT}.${number}${path && `.${path}`}`, shorten(reason, MAX_MESSAGE, '…'), {
      subject: `Line ${number}`,
    });
  const variables = objectOf(line);
  if (!variables) throw fail('must be an object of variables, in JSON');
  try {
    requireBounded(variables);
    requireAffordable(costOf(schema, bulk.document, null, variables, limits), limits);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw error.renamed({ at: `${AT}.${number}`, subject: `Line ${number}` });
  }
  const [error] = coerceVariables(schema, bulk.operation, variables).errors ?? [];
  if (error) throw fail(error.message, pathOfFault(schema, bulk, variables));
}

/** The variables of a line; undefined for anything but an object. */
export function objectOf(line: string): Variables | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Variables)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The path of the first value that does not have its type; the name of the variable where it is missing. */
function pathOfFault(schema: GraphQLSchema, { operation }: BulkDocument, variables: Variables): string {
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as NamedTypeNode);
    if (variables[name] === undefined && defaultValue) continue;
    if (!isInputType(type)) continue;
    const paths: string[] = [];
    if (variables[name] === undefined && node.kind === 'NonNullType') return name;
    if (variables[name] === undefined) continue;
    coerceInputValue(variables[name], type, (path) => paths.push([name, ...path].join('.')));
    if (paths[0] !== undefined) return paths[0];
  }
  return '';
}
