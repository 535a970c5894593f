import {
  coerceInputValue,
  type GraphQLSchema,
  type GraphQLType,
  isInputType,
  Kind,
  type NamedTypeNode,
  typeFromAST,
} from 'graphql';
import { MAX_LINES } from '../../../domain/bulk/bulk-operation.ts';
import { badValue, DomainError } from '../../../domain/kernel/errors.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { shorten } from '../../../lib/text/shorten.js';
import { findUnstorable } from '../../../lib/text/storable.ts';
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
  const paths = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const value = variables[name];
    const isMissing = value === undefined && node.kind === Kind.NON_NULL_TYPE && !defaultValue;
    if (value === undefined) return isMissing ? [[name]] : [];
    return faultsIn(value, typeFromAST(schema, node as NamedTypeNode)).map((path) => [name, ...path]);
  });
  return paths[0]?.join('.') ?? '';
}

function faultsIn(value: unknown, type: GraphQLType | undefined): (readonly (string | number)[])[] {
  const unstorable = findUnstorable(value);
  if (unstorable) return [unstorable.path];
  const paths: (readonly (string | number)[])[] = [];
  if (isInputType(type)) coerceInputValue(value, type, (path) => paths.push(path));
  return paths;
}
