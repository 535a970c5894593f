import type { DocumentNode, GraphQLSchema } from 'graphql';
import { READ_BITS, type Scope, type ScopeBits, scopesOf } from '../../domain/kernel/scope.ts';
import { requiredScopes } from './required-scopes.ts';

export interface FieldScopes {
  path: readonly string[];
  /** `Type.field`. */
  coordinate: string;
  required: Scope[];
  missing: Scope[];
}

/**
 * The fields of an operation that require more than is allowed, each with what it requires itself; what is below one is left out unless
 * it requires something else. A fragment is reported where it is spread first. Empty where any scope that reads would do and there is none.
 */
export function refusedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  allowed: ScopeBits,
): FieldScopes[] {
  const fields: { path: readonly string[]; coordinate: string; bits: number }[] = [];
  const { writes } = requiredScopes(schema, document, operationName, (path, coordinate, bits) =>
    fields.push({ path, coordinate, bits }),
  );
  const refused = new Map<string, number>();
  return fields.flatMap(({ path, coordinate, bits }) => {
    const required = writes === 0 ? bits & READ_BITS : bits;
    const missing = required & ~allowed;
    const above = refused.get(keyOf(path.slice(0, -1))) ?? 0;
    refused.set(keyOf(path), above | missing);
    return (missing & ~above) === 0
      ? []
      : [{ path, coordinate, required: scopesOf(required), missing: scopesOf(missing) }];
  });
}

const keyOf = (path: readonly string[]): string => path.join(' ');
